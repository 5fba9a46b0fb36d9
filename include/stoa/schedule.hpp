// Schedules: systems, in phases, in an order, on an executor.
//
// Phases run in the order added. Inside a phase: what was added before a sync() first; then lower priority first; then before and
// after; then the order added. Two systems of a phase run side by side unless one writes what the other touches or one was said to
// come before the other; of two that must not, the first in order goes first. So the result does not depend on the number of
// threads. Commands of systems are applied in order, at the end of the phase and at each sync().
//
// While a phase runs, structure is locked, except in systems that take a World&; and schedules cannot be changed or updated:
// Errc::locked. What a system throws ends the update: commands of systems that completed are applied, the rest are dropped, and
// the exception, the first in order, reaches the caller of update.
//
// Names of systems are unique in a schedule, and so are names of phases. What has no such name throws Errc::unknown_name.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>  // brings std::string, at no further cost
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "stoa/detail/system.hpp"
#include "stoa/executor.hpp"
#include "stoa/params.hpp"

namespace stoa {

namespace detail {
struct ScheduleState;
struct PhaseState;
}  // namespace detail

// One name, or several in braces.
class Names {
  public:
    Names() = default;
    template <class Name>
        requires std::convertible_to<const Name&, std::string_view>
    Names(const Name& name) : all_{std::string_view(name)} {}
    Names(std::initializer_list<std::string_view> names) : all_(names) {}

    const std::vector<std::string_view>& all() const { return all_; }

  private:
    std::vector<std::string_view> all_;
};

struct SystemOptions {
    int priority = 0;     // lower ones go first
    Names before = {};    // systems that this one precedes; they may be added later
    Names after = {};
    bool enabled = true;
};

// Owns its strings: it stays valid when the schedule changes or ends.
struct SystemReport {
    std::string name;
    std::string phase;
    bool ran = false;     // when its phase last ran
    std::string why_not;  // empty when it ran
    std::uint64_t runs = 0;
    double last = 0;                 // seconds of the last run
    double mean = 0;                 // of all runs
    std::vector<std::string> reads;  // components and resources
    std::vector<std::string> writes;
    bool exclusive = false;
};

class STOA_API Phase {
  public:
    Phase(const Phase&) = delete;
    Phase& operator=(const Phase&) = delete;

    std::string_view name() const;

    // Adds a callable under a name. Throws Errc::duplicate_name, Errc::conflict when two of its parameters may refer to the same
    // data and one of them writes, and what on_added and on_enabled throw: then it has not been added.
    template <class S>
    Phase& add(std::string_view name, S&& system, const SystemOptions& options = {}) {
        using Made = std::decay_t<S>;
        static_assert(detail::is_system<Made>());
        return insert(name, new detail::MadeSystem<Made>(world(), std::forward<S>(system)), options);
    }
    // An object of a class with update(), under the name of the class.
    template <class S>
        requires(!std::convertible_to<const S&, std::string_view>)
    Phase& add(S&& system, const SystemOptions& options = {}) {
        return add(name_of<std::decay_t<S>>(), std::forward<S>(system), options);
    }
    // The same, built from args.
    template <class S, class... Args>
        requires(sizeof...(Args) != 1 || !(std::same_as<std::remove_cvref_t<Args>, S> && ...))
    Phase& add(Args&&... args) {
        static_assert(detail::is_system<S>());
        return insert(name_of<S>(), new detail::MadeSystem<S>(world(), std::forward<Args>(args)...), {});
    }

    // What comes after is added behind a flush point.
    Phase& sync();

    // The first system of this class.
    template <class S>
    S& system() {
        return *static_cast<S*>(object_of(detail::identify<S>(sizeof(S)), "system"));
    }
    // Null instead of a throw.
    template <class S>
    S* find_system() {
        return static_cast<S*>(find_object(detail::identify<S>(sizeof(S))));
    }

    void remove(std::string_view name);
    template <class S>
    void remove() {
        remove(name_with(detail::identify<S>(sizeof(S)), "remove"));
    }

    // Flags of single systems and of the phase are independent: a system runs when both are set. Hooks are called when the outcome
    // changes.
    Phase& enable(std::string_view name) { return set_enabled(name, true); }
    Phase& disable(std::string_view name) { return set_enabled(name, false); }
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
    bool enabled() const;

    // Runs this phase alone, then flushes. The time of the whole schedule passes, the frame stays. Nothing happens
    // while the phase is disabled or the schedule is paused. Throws as Schedule::update.
    void update(double delta);

  private:
    friend struct detail::PhaseState;
    explicit Phase(detail::PhaseState& state) : state_(state) {}
    ~Phase() = default;

    template <class S>
    static consteval std::string_view name_of() {
        static_assert(detail::HasUpdate<S> || detail::HasCall<S> || !std::is_class_v<S>,
                      "a class that is added as a system has one public update(), neither overloaded nor a template");
        static_assert(detail::HasUpdate<S> || !(detail::HasCall<S> || !std::is_class_v<S>),
                      "a callable needs a name: add(\"name\", callable)");
        std::string_view name = detail::type_name<S>();
        int depth = 0;
        for (std::size_t i = name.size(); i-- > 0;) {
            if (name[i] == '>') ++depth;
            if (name[i] == '<') --depth;
            if (depth == 0 && name[i] == ':') return name.substr(i + 1);
        }
        return name;
    }

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

class STOA_API Schedule {
  public:
    // Serial.
    explicit Schedule(World& world);
    // The executor must outlive the schedule.
    Schedule(World& world, Executor& executor);
    // Ends the systems, last added first, with their hooks.
    ~Schedule();
    Schedule(const Schedule&) = delete;
    Schedule& operator=(const Schedule&) = delete;

    // Phases stay where they are. Throws Errc::duplicate_name.
    Phase& add_phase(std::string_view name);
    Phase& phase(std::string_view name);
    Phase* find_phase(std::string_view name);

    // One frame: every enabled phase, each followed by a flush; then the end of the frame. Throws Errc::conflict when
    // delta is negative or not finite, Errc::unknown_name and Errc::cycle for an order that cannot be, before anything
    // runs; Errc::world_gone; and what a system throws.
    void update(double delta);

    // While it is paused, updates do nothing and no time passes.
    void set_paused(bool paused);
    bool paused() const;

    const Time& time() const;

    // How it went. In the order of running.
    std::vector<SystemReport> report() const;
    // The order, and which systems may overlap. Throws as update does.
    std::string explain() const;
    // The same as a graph for Graphviz.
    std::string explain_graph() const;

  private:
    detail::ScheduleState* state_;
};

}  // namespace stoa
