// The compiled half of a schedule: its phases with their systems and stages, and the time that passes. Phase and
// Schedule are the handles of users; they check that a call is allowed and pass it on.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/phase_clock.hpp"
#include "schedule/stage.hpp"
#include "schedule/state_entry.hpp"
#include "stoa/detail/storage/type_user.hpp"
#include "stoa/schedule.hpp"

namespace stoa::detail {

class PhaseState {
  public:
    // Throws Errc::conflict when an option makes no sense.
    PhaseState(ScheduleState& schedule, std::string_view name, const PhaseOptions& options);

    ScheduleState& schedule() const noexcept { return schedule_; }
    const std::string& name() const noexcept { return name_; }
    Phase& handle() noexcept { return handle_; }

    // Systems, in the order in which they were added.

    std::span<const std::unique_ptr<SystemEntry>> systems() const noexcept { return systems_; }
    SystemEntry* find(std::string_view system) const;
    SystemEntry& get(std::string_view system, const char* verb) const;  // throws Errc::unknown_name
    // Calls its hooks first. Throws what they throw, Errc::duplicate_name, Errc::conflict, std::bad_alloc; then it was
    // not added.
    void insert(std::string_view name, std::unique_ptr<System> system, const SystemOptions& options);
    // Removes a system and calls its hooks. Throws Errc::unknown_name, and what the hooks throw.
    void remove(std::string_view system);
    // The same for the last one that was added. Requires: there is one.
    void remove_last();
    // Systems that are added from now on run after a flush. Throws std::bad_alloc.
    void add_sync_point();
    std::uint32_t sync_points() const noexcept { return sync_points_; }

    bool enabled() const noexcept { return enabled_; }
    void set_enabled(bool enabled) noexcept { enabled_ = enabled; }
    void call_hooks();  // of systems that were enabled or disabled since

    // Order and runs.

    // Effects: puts the systems in order, if they have changed. Throws Errc::unknown_name, Errc::cycle; then nothing
    // has changed.
    void plan();
    bool is_planned() const noexcept { return planned_; }
    std::span<const Stage> stages() const noexcept { return stages_; }
    // Effects: gives the phase its time, and makes the runs that are due. `alpha` is that of the time for systems.
    // Requires: planned. Throws what a system threw, the first in order, after the commands of those that completed are
    // applied; runs that were not begun are still due.
    void update(double delta, double alpha);
    // A transition is no phase of its own: it runs at the time of the schedule, one system after the other.
    void set_transition() noexcept { is_transition_ = true; }
    bool is_transition() const noexcept { return is_transition_; }
    // Effects: one run. Throws as update.
    void run_transition() { run(); }
    // Effects: no time passes for it in this update.
    void hold() noexcept { waits_for_time_ = false; }
    const PhaseClock& clock() const noexcept { return clock_; }
    // The flushes at a sync point, by the section before it, and at the end of the phase.
    struct FlushTimes {
        RunTimes times;
        std::size_t commands = 0;
    };
    const FlushTimes& sync_flush(std::uint32_t section) const noexcept { return sync_flushes_[section]; }
    const FlushTimes& end_flush() const noexcept { return end_flush_; }
    void forget_plan() noexcept { planned_ = false; }
    const OwnCondition& condition() const noexcept { return condition_; }
    // Null if the condition was true when it was last asked, or there is none.
    const OwnCondition* false_condition() const noexcept { return condition_is_false_ ? &condition_ : nullptr; }
    // Whether it was given time in the last update, and no step was due.
    bool waits_for_time() const noexcept { return waits_for_time_; }

  private:
    void add(std::unique_ptr<SystemEntry> entry);
    std::unique_ptr<SystemEntry> take(std::size_t number);
    bool ask_condition();
    void run();
    void run_stages();
    void flush(FlushTimes& times);
    std::size_t apply_commands();
    std::size_t flush_world();
    [[noreturn]] void fail_in(const SystemEntry& entry, FirstError& error);
    template <class F>
    void for_each_planned(F&& f) {
        for (const Stage& stage : stages_) {
            for (SystemEntry* entry : stage.systems()) f(*entry);
        }
    }

    ScheduleState& schedule_;
    std::string name_;
    Phase handle_;
    OwnCondition condition_;
    bool condition_is_false_ = false;
    PhaseClock clock_;
    bool waits_for_time_ = false;
    bool is_transition_ = false;
    bool enabled_;
    std::uint32_t sync_points_ = 0;
    std::vector<std::unique_ptr<SystemEntry>> systems_;
    std::vector<Stage> stages_;
    std::vector<FlushTimes> sync_flushes_;  // by section
    FlushTimes end_flush_;
    bool planned_ = false;
};

class ScheduleState final : private TypeUser {
  public:
    ScheduleState(World& world, Executor* executor);
    ~ScheduleState();
    ScheduleState(const ScheduleState&) = delete;
    ScheduleState& operator=(const ScheduleState&) = delete;

    using TypeUser::find_store;                                // null when the world is gone
    Store& store(const char* verb) const;                      // throws Errc::world_gone
    void require_idle(const char* verb) const;                 // throws Errc::locked
    Executor* executor() const noexcept { return executor_; }  // null: serial

    std::span<const std::unique_ptr<PhaseState>> phases() const noexcept { return phases_; }
    // The systems of states, by value; they run before the phases.
    std::span<const std::unique_ptr<PhaseState>> transitions() const noexcept { return transitions_; }
    // Throws Errc::duplicate_name, std::bad_alloc, and what a callback throws; then it was not added.
    void add_state(std::unique_ptr<StateMachine> machine);
    StateEntry& state(const ResourceType& type, const char* verb) const;  // throws Errc::missing_resource
    // The systems of a value, made if there are none yet. Throws std::bad_alloc.
    PhaseState& transition(StateEntry& state, std::size_t number, Direction direction);
    PhaseState& add_phase(std::string_view name, const PhaseOptions& options);
    PhaseState* find_phase(std::string_view name) const;
    // Throws Errc::unknown_name, and what the hooks throw; the phase is removed then.
    void remove_phase(std::string_view name);
    // The phase of a system, or null; `found` receives the system.
    const PhaseState* phase_of(std::string_view system, SystemEntry** found = nullptr) const;
    std::vector<std::string_view> system_names() const;
    std::vector<std::string_view> phase_names() const;
    std::uint64_t next_number() noexcept { return next_number_++; }  // for a system that is added

    bool paused() const noexcept { return paused_; }
    void set_paused(bool paused) noexcept { paused_ = paused; }
    const Time& time() const noexcept { return time_; }

    // The system that ended the last update; empty if that came through.
    const std::string& failed_system() const noexcept { return failed_system_; }
    // Effects: as above, if it is the first of this update. Needs no memory.
    void note_failed(const SystemEntry& entry) {
        if (failed_system_.empty()) failed_system_ = entry.name();
    }
    // Room for the name of a system. Throws std::bad_alloc.
    void reserve_name(std::size_t length) { failed_system_.reserve(length); }

    void plan();  // all phases, as PhaseState::plan
    // One frame; and one phase alone. See Schedule::update and Phase::update.
    void update(double delta);
    void update(PhaseState& phase, double delta);

    // While one exists, the schedule can be neither changed nor updated.
    class Running {
      public:
        explicit Running(ScheduleState& schedule) noexcept : flag_(schedule.running_) { flag_ = true; }
        ~Running() { flag_ = false; }
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;

      private:
        bool& flag_;
    };

  private:
    bool begin_update(double delta) const;
    double alpha_before(const PhaseState& phase) const noexcept;
    void make_transitions();
    void name_uses(const LibraryTypes& types, UsesLeft& uses) const override;

    Executor* executor_;
    Time time_;  // of whole updates
    CompensatedSum elapsed_;
    std::string failed_system_;
    bool running_ = false;
    std::atomic<bool> paused_ = false;
    std::uint64_t next_number_ = 0;
    std::vector<std::unique_ptr<PhaseState>> phases_;
    std::vector<std::unique_ptr<PhaseState>> transitions_;
    std::vector<std::unique_ptr<StateEntry>> states_;
};

}  // namespace stoa::detail
