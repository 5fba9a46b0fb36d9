// A state of a schedule: its machine, and the systems that run when a value is entered or left. Those of one value form
// a PhaseState, which the schedule owns; it runs outside of the phases, one system after the other.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "stoa/detail/schedule/state_machine.hpp"

namespace stoa::detail {

class PhaseState;

enum class Direction : bool { exit, enter };

class StateEntry {
  public:
    explicit StateEntry(std::unique_ptr<StateMachine> machine) noexcept : machine_(std::move(machine)) {}

    StateMachine& machine() const noexcept { return *machine_; }
    // The systems of a numbered value; null if there are none.
    PhaseState* systems(std::size_t number, Direction direction) const noexcept {
        return number < values_.size() ? values_[number].systems[static_cast<std::size_t>(direction)] : nullptr;
    }
    // Throws std::bad_alloc.
    void set_systems(std::size_t number, Direction direction, PhaseState& systems) {
        if (number >= values_.size()) values_.resize(number + 1);
        values_[number].systems[static_cast<std::size_t>(direction)] = &systems;
    }

    // Effects: runs the systems of the first value, if that has not been entered yet. Then the transition to the
    // target, if there is one: it is dropped also when something throws.
    void enter_first(Store& store);
    void make_transition(Store& store);

  private:
    void run(Store& store, Direction direction);

    struct Value {
        PhaseState* systems[2] = {};
    };

    std::unique_ptr<StateMachine> machine_;
    std::vector<Value> values_;  // by number
    bool entered_ = false;
};

}  // namespace stoa::detail
