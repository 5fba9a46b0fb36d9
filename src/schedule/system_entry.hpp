// One system of a phase: the system itself, its position in the order, its access set, its commands, and the results of
// its runs. Made by Phase::add; ordered by plan(); run by a stage.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/first_error.hpp"
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

    // Throws Errc::conflict when two parameters may refer to the same data and one of them writes.
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
    // How many moments it needs: one to write at, and one for each time that it looks for changes.
    std::uint64_t moments_needed() const noexcept;
    void set_moments(const ThreadClock& moments) noexcept { moments_ = moments; }
    std::uint64_t last_moment() const noexcept { return moments_.last; }
    // Runs it at its own moments; an exclusive system at those of the world. `began` and the result are readings of the
    // clock: reading it may take longer than an empty system, so the end of one run is the beginning of the next.
    std::uint64_t run(World& world, const Time& time, bool exclusive, std::uint64_t began) noexcept;
    // What the run threw.
    FirstError& error() noexcept { return error_; }

    void flush_commands();  // when the run completed
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

  private:
    std::string name_;
    std::unique_ptr<System> system_;
    AccessSet access_;
    Commands commands_;
    std::unique_ptr<IdLease> lease_ = std::make_unique<IdLease>();
    Position position_;
    int priority_;
    std::vector<std::string> before_;
    std::vector<std::string> after_;
    bool takes_commands_;
    bool enabled_;
    bool hooks_enabled_ = false;

    std::uint64_t tries_ = 0;       // runs, and skips
    std::uint32_t most_looks_ = 0;  // how often it looked for changes in one run
    ThreadClock moments_;           // of this run

    // Of the last run of its phase.
    bool ran_ = false;
    bool completed_ = false;  // ran, or was skipped
    NotReady not_ready_{"it has not been reached yet", {}};
    FirstError error_;
    RunTimes times_;
};

}  // namespace stoa::detail
