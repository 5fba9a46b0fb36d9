// Workers: the executor on oneTBB. Link with stoa::parallel. Schedules and Query::par_each take any executor; this
// header is needed only where a Workers is made.
//
//     Workers workers{4};
//     Schedule schedule{world, workers};
#pragma once

#include <cstddef>

#include "stoa/executor.hpp"

namespace stoa {

namespace detail {
struct WorkersState;
}

class STOA_API Workers final : public Executor {
  public:
    /// Effects: makes an arena of `threads` threads in total, including the calling one. 0: hardware concurrency; 1 is
    /// serial. Raises the limit of oneTBB for the whole process where `threads` is above it.
    /// Throws: std::bad_alloc.
    explicit Workers(std::size_t threads = 0);
    /// Requires: no run is under way, and no schedule uses it any more.
    ~Workers() override;

    /// Returns: the number of threads in total.
    std::size_t threads() const noexcept override { return threads_; }
    /// As Executor::run. A thread that waits for its run begins no job of another one.
    /// Threads: may be called from several threads, and inside a job.
    void run(Jobs& jobs) override;

  private:
    detail::WorkersState* state_;
    std::size_t threads_;
};

}  // namespace stoa
