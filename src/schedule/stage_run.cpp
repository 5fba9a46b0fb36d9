// Runs a stage: in order on the calling thread, or as jobs on an executor. Both give the same world: the moments at
// which systems write depend on their order, and the ids of entities that they spawn come from leases.
#include "schedule/run_clock.hpp"
#include "schedule/stage.hpp"
#include "stoa/detail/base/scope_guard.hpp"
#include "stoa/detail/query/walk.hpp"

namespace stoa::detail {
namespace {

// One run of one stage.
class StageRun final : public Executor::Jobs {
  public:
    StageRun(Stage& stage, Store& store, const Time& time)
        : stage_(stage), jobs_(stage.jobs()), world_(*store.world()), time_(time) {
        // Each system has moments of its own. Writes that do not go through a query count as later than all of them.
        const std::uint64_t before = store.clock().moment();
        std::uint64_t last = before;
        for (SystemEntry* entry : stage.systems()) {
            if (stage.is_exclusive()) break;  // it writes at the moments of the world
            entry->set_moments({&store.clock(), last + 1, last + entry->moments_needed()});
            last = entry->last_moment();
        }
        store.clock().advance_by(last - before + 1);
    }

    void run_serially() {
        const std::uint64_t began = read_clock();
        std::uint64_t now = began;
        for (std::uint32_t i = 0; i < stage_.systems().size() && !stopped_; ++i) now = run_system(i, now);
        took_too_long_ = now - began > jobs_.serial_limit();
    }
    void run_on(Executor& executor) {
        jobs_.begin_run();
        unfinished_.store(jobs_.count(), std::memory_order_relaxed);
        executor.run(*this);
        // Makes the writes of the jobs visible, also to a thread checker that does not see the synchronisation of the
        // executor.
        while (unfinished_.load(std::memory_order_acquire) != 0) {
        }
    }

    void begin(Executor::Starter& starter) noexcept override {
        for (std::size_t job = 0; job < jobs_.count(); ++job) {
            if (!jobs_.waits(job)) starter.start(job);
        }
    }
    void run(std::size_t job, Executor::Starter& starter) noexcept override {
        // Makes visible only the writes of jobs that this one waits for, so that a thread checker finds missing edges
        // of the plan.
        jobs_.acquire(job);
        const std::uint64_t began = read_clock();
        std::uint64_t now = began;
        for (std::uint32_t i = jobs_.first_system(job); i < jobs_.end_system(job); ++i) {
            if (!stopped_.load(std::memory_order_relaxed)) now = run_system(i, now);
        }
        const bool divisible = jobs_.end_system(job) - jobs_.first_system(job) > 1;
        if (divisible && now - began > jobs_.limit(job)) took_too_long_.store(true, std::memory_order_relaxed);
        for (const std::uint32_t follower : jobs_.followers(job)) {
            if (jobs_.finish_one_before(follower)) starter.start(follower);
        }
        unfinished_.fetch_sub(1, std::memory_order_release);
    }

    // Whether systems that share a thread took so long that the stage should be divided again.
    bool took_too_long() const { return took_too_long_.load(std::memory_order_relaxed); }

  private:
    std::uint64_t run_system(std::uint32_t number, std::uint64_t began) noexcept {
        SystemEntry& entry = *stage_.systems()[number];
        const std::uint64_t now = entry.run(world_, time_, stage_.is_exclusive(), began);
        if (entry.error().happened()) stopped_.store(true, std::memory_order_relaxed);
        return now;
    }

    Stage& stage_;
    StageJobs& jobs_;
    World& world_;
    const Time& time_;
    std::atomic<std::size_t> unfinished_ = 0;
    std::atomic<bool> stopped_ = false;
    std::atomic<bool> took_too_long_ = false;
};

void set_leases_active(Stage& stage, bool active) noexcept {
    for (SystemEntry* entry : stage.systems()) entry->set_lease_active(active);
}

}  // namespace

void run_stage(Stage& stage, Store& store, const Time& time, Executor* executor) {
    if (store.notifier().listener() != nullptr && store.notifier().listener()->wants_care()) care_for_queries(store);
    StageRun run(stage, store, time);
    if (stage.is_exclusive()) {
        run.run_serially();
        return store.clock().advance();
    }
    StageJobs& jobs = stage.jobs();
    const bool alone = executor == nullptr || executor->threads() < 2 || stage.systems().size() < 2;
    if (!alone) jobs.prepare(stage);

    const bool leases = !stage.leases().empty();
    if (leases) store.directory().leases().begin(stage.leases());
    const ScopeGuard end_leases([&]() noexcept {
        if (!leases) return;
        set_leases_active(stage, false);
        store.directory().leases().end(stage.leases());
    });
    if (leases) set_leases_active(stage, true);

    const Store::SharedLock lock(store);
    if (alone || !jobs.are_worth_threads()) {
        run.run_serially();
    } else {
        run.run_on(*executor);
    }
    if (!alone && run.took_too_long()) jobs.expire();
}

}  // namespace stoa::detail
