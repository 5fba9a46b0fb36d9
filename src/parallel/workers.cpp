// Workers: runs jobs on oneTBB. Each Workers has its own arena, so it uses exactly the requested number of threads.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <optional>

#include "stoa/parallel.hpp"

namespace stoa {

namespace detail {

struct WorkersState {
    explicit WorkersState(std::size_t threads) : arena(static_cast<int>(threads)) {
        // A limit of the whole process. It is raised when there are more threads than cores, and never lowered, because
        // others may use oneTBB.
        constexpr auto parameter = tbb::global_control::max_allowed_parallelism;
        if (threads > tbb::global_control::active_value(parameter)) limit.emplace(parameter, threads);
    }

    std::optional<tbb::global_control> limit;
    tbb::task_arena arena;
};

namespace {

class Tasks final : public Executor::Starter {
  public:
    Tasks(tbb::task_group& group, Executor::Jobs& jobs) : group_(group), jobs_(jobs) {
        begun_.store(true, std::memory_order_release);
    }

    void start(std::size_t job) noexcept override {
        try {
            group_.run([this, job] { run(job); });
        } catch (...) {  // no memory for a task
            jobs_.run(job, *this);
        }
    }

  private:
    // Makes earlier writes of the caller visible, also to a thread checker that does not see the synchronisation of
    // oneTBB.
    void run(std::size_t job) noexcept {
        (void)begun_.load(std::memory_order_acquire);
        jobs_.run(job, *this);
    }

    tbb::task_group& group_;
    Executor::Jobs& jobs_;
    std::atomic<bool> begun_ = false;
};

}  // namespace
}  // namespace detail

Workers::Workers(std::size_t threads)
    : state_(nullptr),
      threads_(threads != 0 ? threads : static_cast<std::size_t>(std::max(1, tbb::info::default_concurrency()))) {
    state_ = new detail::WorkersState(threads_);
}

Workers::~Workers() { delete state_; }

void Workers::run(Jobs& jobs) {
    state_->arena.execute([&] {
        // A thread that waits here must not start a job of another run, which might wait for this one.
        tbb::this_task_arena::isolate([&] {
            tbb::task_group group;
            detail::Tasks tasks(group, jobs);
            jobs.begin(tasks);
            group.wait();
        });
    });
}

}  // namespace stoa
