// One system of a phase: the system itself, its position in the order, its access set, its commands, and the results of
// its runs. Made by Phase::add; ordered by plan(); run by a stage.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/first_error.hpp"
#include "schedule/own_condition.hpp"
#include "stoa/schedule.hpp"

namespace stoa::detail {

// How long the runs of a system took, in ticks of the clock.
class RunTimes {
  public:
    void add(std::uint64_t ticks) noexcept {
        last_ = ticks;
        total_ += ticks;
        recent_ = runs_++ == 0 ? ticks : (recent_ * 7 + ticks) / 8;
    }
    std::uint64_t runs() const noexcept { return runs_; }
    std::uint64_t last() const noexcept { return last_; }
    std::uint64_t recent() const noexcept { return recent_; }  // a mean of the latest runs
    double mean() const noexcept { return runs_ != 0 ? static_cast<double>(total_) / static_cast<double>(runs_) : 0; }

  private:
    std::uint64_t runs_ = 0;
    std::uint64_t last_ = 0;
    std::uint64_t total_ = 0;
    std::uint64_t recent_ = 0;
};

class SystemEntry {
  public:
    // Where a system was added: the number of sync points before it, and its number in the whole schedule.
    struct Position {
        std::uint32_t section;
        std::uint64_t number;
    };

    // Throws Errc::conflict when two parameters may refer to the same data and one of them writes, or when one of the
    // condition writes.
    SystemEntry(std::string_view name, std::unique_ptr<System> system, const SystemOptions& options,
                const Position& position, Store& store);

    const std::string& name() const noexcept { return name_; }
    System& system() const noexcept { return *system_; }
    const AccessSet& access() const noexcept { return access_; }
    bool takes_commands() const noexcept { return takes_commands_; }
    const Position& position() const noexcept { return position_; }
    int priority() const noexcept { return priority_; }
    const std::vector<std::string>& before() const noexcept { return before_; }
    const std::vector<std::string>& after() const noexcept { return after_; }

    bool enabled() const noexcept { return enabled_; }
    void set_enabled(bool enabled) noexcept { enabled_ = enabled; }

    // Hooks. Each is called once for a change.

    bool hooks_enabled() const noexcept { return hooks_enabled_; }  // what they were last called for
    // Throws what on_added and on_enabled throw; on_removed has been called then, if on_added completed.
    void call_hooks_of_added(bool enabled, World& world);
    void call_hooks_of_enabled(bool enabled, World& world);
    // on_removed is called also when on_disabled throws. Throws the first exception.
    void call_hooks_of_removed(World& world);

    // A run of the phase: begin_phase, then run or nothing, then flush_commands, then discard_commands.

    void begin_phase() noexcept;
    // How many moments it needs: one to write at, and one for each time that it looks for changes. A new system gets
    // many moments; later it gets as many as it ever used. Moments are limited because ticks have 32 bits, and a reader
    // that has not looked for 2^30 ticks sees everything as changed. How many were used does not depend on threads.
    std::uint64_t moments_needed() const noexcept {
        if (!enabled_) return 0;
        return tries_ < tries_to_know ? most_moments : std::min(most_moments, most_looks_ + 1);
    }
    void set_moments(const ThreadClock& moments) noexcept { moments_ = moments; }
    std::uint64_t last_moment() const noexcept { return moments_.last; }
    // Runs it at its own moments; an exclusive system at those of the world. `began` and the result are readings of the
    // clock: reading it may take longer than an empty system, so the end of one run is the beginning of the next.
    std::uint64_t run(World& world, const Time& time, bool exclusive, std::uint64_t began) noexcept;
    // What the run threw.
    FirstError& error() noexcept { return error_; }

    // Applies them, when the run completed. Returns: how many. Throws what they throw.
    std::size_t flush_commands();
    bool has_commands() const noexcept { return !commands_.empty(); }
    void discard_commands();

    // Ids for entities that it spawns by commands.
    IdLease& lease() const noexcept { return *lease_; }
    void set_lease_active(bool active) noexcept {
        CommandsAccess::set_lease(commands_, active && takes_commands_ ? lease_.get() : nullptr);
    }
    // Gives the ids back to the world. The system does not run after that.
    void end_lease(Store& store) noexcept { store.directory().leases().retire(lease_.release()); }

    // Reports.

    bool was_tried() const noexcept { return tries_ != 0; }
    bool ran() const noexcept { return ran_; }  // when its phase last ran
    const NotReady& not_ready() const noexcept { return not_ready_; }
    const RunTimes& times() const noexcept { return times_; }
    const OwnCondition& condition() const noexcept { return condition_; }

  private:
    // Runs it, unless its condition is false or a parameter is not ready.
    void run_on_condition(const SystemContext& at);

    static constexpr std::uint64_t most_moments = 64;  // a system that looks more often sees some rows again
    static constexpr std::uint64_t tries_to_know = 1024;

    // What every run touches comes first, so that it shares few cache lines.
    std::unique_ptr<System> system_;
    OwnCondition condition_;
    bool takes_commands_;
    bool enabled_;
    bool hooks_enabled_ = false;

    // Of the last run of its phase.
    bool ran_ = false;
    bool completed_ = false;        // ran, or was skipped
    bool held_ = false;             // its condition was false
    std::uint64_t most_looks_ = 0;  // how often it looked for changes in one run
    FirstError error_;
    NotReady not_ready_{"it has not been reached yet", {}};
    std::uint64_t tries_ = 0;  // runs, and skips
    ThreadClock moments_;      // of this run
    Commands commands_;
    RunTimes times_;

    std::unique_ptr<IdLease> lease_ = std::make_unique<IdLease>();
    std::string name_;
    AccessSet access_;  // of the condition too
    Position position_;
    int priority_;
    std::vector<std::string> before_;
    std::vector<std::string> after_;
};

}  // namespace stoa::detail
