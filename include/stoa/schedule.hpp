// Schedules: systems in phases, in an order, on an executor.
//
//     Schedule schedule{world};
//     schedule.add_phase("logic").add("move", move, {.after = "input"}).add<Collide>();
//     schedule.update(1.0 / 60);
//
// Order: phases run in the order in which they were added. Inside a phase: systems that were added before a sync()
// first; then lower priority first; then as `before` and `after` say; then in the order added.
//
// Threads: two systems of a phase may run at the same time unless one writes what the other touches, or one was ordered
// before the other. Of two that must not overlap, the first in order goes first. Commands of systems are applied in
// order, at the end of the phase and at each sync(). So the result does not depend on the number of threads.
//
// While a phase runs, the structure is locked, except in systems that take a World&; and a schedule cannot be changed
// or updated: such calls throw Errc::locked. An exception of a system ends the update: commands of systems that
// completed are applied, the rest is discarded, and the caller of update gets the exception, the first one in order.
//
// Time: every phase has a clock of its own. A phase with a step runs as often as its time has come, the others once an
// update. No time passes for a phase that is disabled, or whose condition is false.
//
// Names of systems are unique in a schedule, and so are names of phases.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>  // for std::string; <string> costs users more
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "stoa/detail/schedule/state_machine.hpp"
#include "stoa/detail/schedule/system.hpp"
#include "stoa/executor.hpp"
#include "stoa/params.hpp"
#include "stoa/schedule_options.hpp"
#include "stoa/schedule_report.hpp"
#include "stoa/state.hpp"

namespace stoa {

namespace detail {
class ScheduleState;
class PhaseState;
}  // namespace detail

/// Part of a schedule. It lives as long as the schedule, at one address.
/// Unless a contract says otherwise, a call throws Errc::unknown_name when there is no such system, and one that
/// changes something throws Errc::locked while the schedule runs.
class STOA_API Phase {
  public:
    Phase(const Phase&) = delete;
    Phase& operator=(const Phase&) = delete;

    /// Returns: the name, which lives as long as the phase.
    std::string_view name() const;

    /// Effects: adds a callable under a name, then calls its hooks on_added and, if it is enabled, on_enabled.
    /// Returns: the phase, for chaining.
    /// Throws: Errc::duplicate_name; Errc::conflict when two of its parameters may refer to the same data and one of
    /// them writes, or when a parameter of its condition writes; Errc::world_gone; and what the hooks throw. Then it
    /// was not added.
    template <class S>
    Phase& add(std::string_view name, S&& system, const SystemOptions& options = {}) {
        using Made = std::decay_t<S>;
        static_assert(detail::is_system<Made>());
        return insert(name, new detail::MadeSystem<Made>(world(), std::forward<S>(system)), options);
    }
    /// The same for an object of a class with update(), under the name of the class without its namespace.
    template <class S>
        requires(!std::convertible_to<const S&, std::string_view>)
    Phase& add(S&& system, const SystemOptions& options = {}) {
        return add(detail::system_name<std::decay_t<S>>(), std::forward<S>(system), options);
    }
    /// The same, made from args.
    template <class S, class... Args>
        requires(sizeof...(Args) != 1 || !(std::same_as<std::remove_cvref_t<Args>, S> && ...))
    Phase& add(Args&&... args) {
        static_assert(detail::is_system<S>());
        return insert(detail::system_name<S>(), new detail::MadeSystem<S>(world(), std::forward<Args>(args)...), {});
    }

    /// Effects: a flush point. Systems that are added from now on run after those that were added before, and see what
    /// these recorded.
    Phase& sync();

    /// Returns: the first system of class S.
    template <class S>
    S& system() {
        // Safe: found by the identity of S.
        return *detail::object_at<S>(object_of(detail::identify<S>(sizeof(S)), "system"));
    }
    /// The same, or null where system() would throw.
    template <class S>
    S* find_system() {
        // Safe: found by the identity of S.
        return detail::object_at<S>(find_object(detail::identify<S>(sizeof(S))));
    }

    /// Effects: calls the hooks on_disabled, if it is enabled, and on_removed; then destroys the system.
    /// Throws: what the hooks throw; the system is removed even then.
    void remove(std::string_view name);
    template <class S>
    void remove() {
        remove(name_with(detail::identify<S>(sizeof(S)), "remove"));
    }

    /// The flag of a system, by name or by class, and the flag of the phase are independent: a system runs when both
    /// are set.
    /// Effects: calls on_enabled and on_disabled of systems for which the outcome changes, once each.
    /// Throws: what the hooks throw; the flag is changed even then.
    Phase& enable(std::string_view name) { return set_enabled(name, true); }
    Phase& disable(std::string_view name) { return set_enabled(name, false); }
    /// Returns: the flag of the system alone.
    bool enabled(std::string_view name) const;
    template <class S>
    Phase& enable() {
        return enable(name_with(detail::identify<S>(sizeof(S)), "enable"));
    }
    template <class S>
    Phase& disable() {
        return disable(name_with(detail::identify<S>(sizeof(S)), "disable"));
    }
    template <class S>
    bool enabled() const {
        return enabled(name_with(detail::identify<S>(sizeof(S)), "enabled"));
    }
    Phase& enable() { return set_enabled(true); }
    Phase& disable() { return set_enabled(false); }
    /// Returns: the flag of the phase.
    bool enabled() const;

    /// Effects: runs this phase alone, as Schedule::update would: gives it `delta` seconds, makes the runs that are due
    /// and flushes after each. Schedule::time stays as it is. Does nothing while the phase is disabled or the schedule
    /// is paused.
    /// Throws: as Schedule::update.
    void update(double delta);

    /// Returns: how many whole steps it left out so far, because more than PhaseOptions::most were due at once.
    std::uint64_t dropped() const;

  private:
    friend class detail::PhaseState;
    explicit Phase(detail::PhaseState& state) : state_(state) {}
    ~Phase() = default;

    World& world() const;
    // Takes the system over, also when it throws.
    Phase& insert(std::string_view name, detail::System* system, const SystemOptions& options);
    Phase& set_enabled(std::string_view name, bool enabled);
    Phase& set_enabled(bool enabled);
    void* find_object(const detail::TypeIdentity& type) const;
    void* object_of(const detail::TypeIdentity& type, const char* verb) const;
    std::string_view name_with(const detail::TypeIdentity& type, const char* verb) const;

    detail::PhaseState& state_;
};

/// It may outlive its world; what needs the world then throws Errc::world_gone.
class STOA_API Schedule {
  public:
    /// Runs systems on the calling thread.
    explicit Schedule(World& world);
    /// Runs systems on an executor.
    /// Requires: the executor outlives the schedule.
    Schedule(World& world, Executor& executor);
    /// Effects: removes the systems, last added first, with their hooks. Ignores what hooks throw.
    ~Schedule();
    Schedule(const Schedule&) = delete;
    Schedule& operator=(const Schedule&) = delete;

    /// Effects: adds an empty phase after the others.
    /// Throws: Errc::duplicate_name, Errc::locked; Errc::conflict when the step is negative or not finite, or `most` is
    /// below 1, or a parameter of its condition writes; Errc::world_gone if it has a condition.
    Phase& add_phase(std::string_view name, const PhaseOptions& options = {});
    /// Effects: removes the systems of a phase, last added first, with their hooks; then the phase. Its names are free
    /// again.
    /// Throws: Errc::unknown_name, Errc::locked; the first exception of the hooks, and the phase is removed even then.
    /// Invalidates: references to the phase.
    void remove_phase(std::string_view name);
    /// Throws: Errc::unknown_name.
    Phase& phase(std::string_view name);
    /// Returns: the phase, or null.
    Phase* find_phase(std::string_view name);

    /// Effects: adds a resource State<E> with this value, whose transitions this schedule makes. It ends with the
    /// schedule. E is any copyable type with ==.
    /// Throws: Errc::duplicate_name when the world has a State<E>; Errc::locked, Errc::world_gone.
    template <class E>
    Schedule& add_state(const E& first) {
        static_assert(detail::is_state<E>());
        insert_state(new detail::StateMachineOf<E>(first));
        return *this;
    }

    /// Effects: adds a system that runs when the State<E> gets this value, or gives it up. It is added, and named, as
    /// by Phase::add; the systems of a value run one after the other, in the order of addition.
    /// Throws: Errc::missing_resource when this schedule has no State<E>; and as Phase::add.
    template <class E, class S>
    Schedule& on_enter(const E& value, std::string_view name, S&& system) {
        return add_transition(value, true, name, std::forward<S>(system));
    }
    template <class E, class S>
    Schedule& on_exit(const E& value, std::string_view name, S&& system) {
        return add_transition(value, false, name, std::forward<S>(system));
    }

    /// Effects: one frame. First the transitions that were asked for: states in the order of add_state, of each the
    /// exit systems of the old value, a flush, the new value, its enter systems, a flush. The first update enters the
    /// first values before that. Then runs every enabled phase, a stepped one as often as its time has come, each run
    /// followed by a flush; then World::end_frame. `delta` is in seconds. Does nothing while the schedule is paused.
    /// Throws: before anything runs and any time passes, Errc::conflict when delta is negative or not finite,
    /// Errc::unknown_name and Errc::cycle for an order that is not possible, Errc::locked, Errc::world_gone; then what
    /// a system throws. The run that threw counts; steps that it leaves undone are still due. A transition that throws
    /// is not made again; if the state has its new value by then, it keeps it. A stoa::Error of a system, its condition
    /// or its commands comes with the same code, and `in system 'x': ` in front of its sentence.
    void update(double delta);

    /// Effects: while it is paused, updates do nothing and no time passes.
    /// Threads: any.
    void set_paused(bool paused);
    bool paused() const;

    /// Returns: the time of the last update of the whole schedule. The reference is valid as long as the schedule.
    const Time& time() const;

    /// Returns: timings and skip reasons of every system, in the order in which they run.
    std::vector<SystemReport> report() const;
    /// Returns: the flush points of all phases, in the order in which they are reached: each sync() between two
    /// systems, and the end of each phase.
    /// Throws: Errc::unknown_name, Errc::cycle, Errc::world_gone.
    std::vector<FlushPoint> flushes() const;
    /// Returns: the name of the system that ended the last update of the schedule or of a phase: it, its condition or
    /// its commands threw. Empty if the update came through.
    std::string failed_system() const;
    /// Returns: the order, and which systems may overlap, as text.
    /// Throws: Errc::unknown_name, Errc::cycle, Errc::world_gone.
    std::string explain() const;
    /// The same as a graph for Graphviz.
    std::string explain_graph() const;

  private:
    template <class E, class S>
    Schedule& add_transition(const E& value, bool enters, std::string_view name, S&& system) {
        using Made = std::decay_t<S>;
        static_assert(detail::is_state<E>());
        static_assert(detail::is_system<Made>());
        detail::StateMachine& found = machine(detail::resource_type<State<E>>, enters);
        // Safe: found by the identity of E.
        const std::size_t number = static_cast<detail::StateMachineOf<E>&>(found).number_for(value);
        return insert_transition(found, number, enters, name,
                                 new detail::MadeSystem<Made>(world(), std::forward<S>(system)));
    }
    World& world() const;
    // Both take the object over, also when they throw.
    void insert_state(detail::StateMachine* machine);
    Schedule& insert_transition(const detail::StateMachine& machine, std::size_t number, bool enters,
                                std::string_view name, detail::System* system);
    detail::StateMachine& machine(const detail::ResourceType& type, bool enters) const;

    detail::ScheduleState* state_;
};

}  // namespace stoa
