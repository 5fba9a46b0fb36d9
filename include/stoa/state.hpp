// States of a program: a menu, a game, a pause. A state is a resource with a value, and systems that run when the value
// changes.
//
//     enum class Mode { menu, play, over };
//     schedule.add_state(Mode::menu);
//     schedule.on_enter(Mode::play, "deal", deal).on_exit(Mode::play, "tidy", tidy);
//     phase.add("move", move, {.when = in_state(Mode::play)});
//     void quit(Res<State<Mode>> mode) { mode->next(Mode::over); }
//
// Transitions are made by Schedule::update, before the phases run.
#pragma once

#include <concepts>
#include <stdexcept>  // for std::string; <string> costs users more
#include <string_view>
#include <type_traits>
#include <utility>

#include "stoa/condition.hpp"

namespace stoa {

namespace detail {

template <class E>
class StateMachineOf;

// Only the library makes states.
class StateKey {
    template <class E>
    friend class StateMachineOf;
    StateKey() = default;
};

template <class E>
consteval bool is_state() {
    static_assert(std::is_object_v<E> && std::copyable<E> && std::equality_comparable<E>,
                  "the value of a state is of a copyable type with ==");
    return true;
}

// A value for reports: the type, and the number if it is one.
STOA_API std::string state_text(std::string_view prefix, std::string_view type, const long long* number);

template <class E>
std::string state_text(std::string_view prefix, const E& value) {
    if constexpr (std::is_enum_v<E> || std::is_integral_v<E>) {
        const auto number = static_cast<long long>(value);
        return state_text(prefix, type_name<E>(), &number);
    } else {
        return state_text(prefix, type_name<E>(), nullptr);
    }
}

}  // namespace detail

/// A resource that Schedule::add_state makes. It ends with the schedule.
template <class E>
class State {
  public:
    /// For the library.
    State(detail::StateKey, const E& first) : now_(first), next_(first) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    /// Returns: the value. It stays until the transition.
    const E& now() const noexcept { return now_; }

    /// Effects: asks for a transition, which the next Schedule::update makes; one that is asked for inside transitions,
    /// the update after it. The last call wins: `next(now())` takes an earlier one back.
    void next(E value) {
        next_ = std::move(value);
        asked_ = true;
    }

  private:
    friend class detail::StateMachineOf<E>;

    E now_;
    E next_;
    bool asked_ = false;
};

/// Returns: a condition that is true while the State of this type has this value.
template <class E>
Condition in_state(E value) {
    static_assert(detail::is_state<E>());
    const std::string name = detail::state_text("in_state", value);
    return {name, [value = std::move(value)](Res<const State<E>> state) { return state->now() == value; }};
}

}  // namespace stoa
