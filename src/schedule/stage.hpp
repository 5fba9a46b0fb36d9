// A stage is a part of a phase without a flush inside: systems in order, and which of them wait for which. StageJobs
// divides that order into jobs for an executor. Made by PhaseState::plan; run by run_stage.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "schedule/system_entry.hpp"

namespace stoa::detail {

class Stage;

// The first system precedes the second one, because a name in `before` or `after` says so.
using OrderEdge = std::pair<const SystemEntry*, const SystemEntry*>;

// The jobs of a stage: consecutive systems, enough of them that starting a job costs little compared with running it.
// The division depends on how long the systems took recently.
class StageJobs {
  public:
    // Effects: divides the stage again if that is due. Throws std::bad_alloc; then the next call tries again.
    void prepare(const Stage& stage);
    // Effects: the next prepare divides the stage again.
    void expire() noexcept { runs_left_ = 0; }

    // Whether there is enough to do for more than one thread.
    bool are_worth_threads() const noexcept { return worth_threads_; }
    std::size_t count() const noexcept { return waits_.size(); }
    std::uint32_t first_system(std::size_t job) const noexcept { return begins_[job]; }
    std::uint32_t end_system(std::size_t job) const noexcept { return begins_[job + 1]; }
    // Ticks of the clock after which the division is no longer valid: for one job, and for all on one thread.
    std::uint64_t limit(std::size_t job) const noexcept { return limits_[job]; }
    std::uint64_t serial_limit() const noexcept { return serial_limit_; }
    // The jobs that wait for this one.
    std::span<const std::uint32_t> followers(std::size_t job) const noexcept {
        return std::span(followers_).subspan(follower_begins_[job], follower_begins_[job + 1] - follower_begins_[job]);
    }
    bool waits(std::size_t job) const noexcept { return waits_[job] != 0; }

    // While they run. Threads: finish_one_before and acquire may be called by any of them.

    void begin_run() noexcept;
    // Effects: what the jobs before this one did is visible to the caller.
    void acquire(std::size_t job) const noexcept { (void)left_[job].load(std::memory_order_acquire); }
    // Effects: one of those that `job` waits for is done. Returns: whether it was the last one.
    bool finish_one_before(std::size_t job) noexcept { return left_[job].fetch_sub(1, std::memory_order_acq_rel) == 1; }

  private:
    void clear(const Stage& stage);
    void cut(const Stage& stage);
    void connect(const Stage& stage);

    std::vector<std::uint32_t> begins_;         // of each job: its first system; and the end
    std::vector<std::uint32_t> job_of_;         // of each system
    std::vector<std::uint32_t> followers_;      // of each job, side by side
    std::vector<std::size_t> follower_begins_;  // where those of a job begin; and the end
    std::vector<std::uint32_t> waits_;          // of each job: for how many others
    std::vector<std::uint64_t> limits_;
    std::unique_ptr<std::atomic<std::uint32_t>[]> left_;  // as waits_, counted down while they run
    std::uint64_t serial_limit_ = 0;
    std::uint32_t runs_left_ = 0;  // until the next division
    bool worth_threads_ = false;
};

class Stage {
  public:
    // An exclusive stage is one system that may change structure.
    explicit Stage(bool exclusive) noexcept : exclusive_(exclusive) {}

    // Building.

    void add(SystemEntry& system) { systems_.push_back(&system); }
    void set_flush_after() noexcept { flush_after_ = true; }
    // Effects: determines which systems wait for which, when all systems are added. `edges` is sorted. With
    // `limited_ids`, systems that take commands wait for each other.
    void connect(const std::vector<OrderEdge>& edges, bool limited_ids);

    std::span<SystemEntry* const> systems() const noexcept { return systems_; }  // in order
    // The systems that wait for this one directly.
    std::span<const std::uint32_t> followers(std::size_t system) const noexcept { return followers_[system]; }
    // Whether neither of the two waits for the other.
    bool may_overlap(std::size_t a, std::size_t b) const noexcept { return !ancestors_[a][b] && !ancestors_[b][a]; }
    // Of the systems that take commands, when there are several.
    std::span<IdLease* const> leases() const noexcept { return leases_; }
    bool is_exclusive() const noexcept { return exclusive_; }
    bool flush_after() const noexcept { return flush_after_; }
    StageJobs& jobs() noexcept { return jobs_; }

  private:
    std::vector<SystemEntry*> systems_;
    std::vector<std::vector<std::uint32_t>> followers_;
    std::vector<std::vector<bool>> ancestors_;  // of each system: those that are done before it begins
    std::vector<IdLease*> leases_;
    bool exclusive_;
    bool flush_after_ = false;
    StageJobs jobs_;
};

// Runs the systems, on the executor unless that is null or the stage too small. Their exceptions stay in the entries.
// Throws std::bad_alloc.
void run_stage(Stage& stage, Store& store, const Time& time, Executor* executor);

}  // namespace stoa::detail
