// Transitions of states.
#include "schedule/state_entry.hpp"

#include <string>

#include "schedule/schedule_errors.hpp"
#include "schedule/schedule_state.hpp"
#include "stoa/detail/base/scope_guard.hpp"

namespace stoa::detail {

StateMachine::~StateMachine() = default;

std::string state_text(std::string_view prefix, std::string_view type, const long long* number) {
    std::string text(prefix);
    text += '(';
    text += type;
    if (number != nullptr) text += ' ' + std::to_string(*number);
    return text += ')';
}

// Runs the systems of the value that the state has; without any, what is recorded is applied all the same.
void StateEntry::run(Store& store, Direction direction) {
    if (PhaseState* systems = this->systems(machine_->number_now(store), direction)) return systems->run_transition();
    store.world()->flush();
}

void StateEntry::enter_first(Store& store) {
    if (entered_) return;
    entered_ = true;
    run(store, Direction::enter);
}

void StateEntry::make_transition(Store& store) {
    if (!machine_->has_target()) return;
    const ScopeGuard drop([this]() noexcept { machine_->drop_target(); });
    if (!machine_->target_differs(store)) return;
    run(store, Direction::exit);
    if (machine_->reach_target(store)) run(store, Direction::enter);
}

void ScheduleState::add_state(std::unique_ptr<StateMachine> machine) {
    Store& store = this->store("add_state");
    if (machine->is_in(store)) fail_second_state(machine->type().name);
    auto entry = std::make_unique<StateEntry>(std::move(machine));
    states_.reserve(states_.size() + 1);
    FirstError error;
    if (!error.attempt([&] { entry->machine().begin(store); })) {
        // A callback may have thrown when the resource was there already.
        error.attempt([&] { entry->machine().end(store); });
        error.rethrow();
    }
    states_.push_back(std::move(entry));
}

StateEntry& ScheduleState::state(const ResourceType& type, const char* verb) const {
    for (const auto& entry : states_) {
        if (is_same_type(entry->machine().type(), type)) return *entry;
    }
    fail_no_state(verb, type.name);
}

PhaseState& ScheduleState::transition(StateEntry& state, std::size_t number, Direction direction) {
    if (PhaseState* systems = state.systems(number, direction)) return *systems;
    const char* prefix = direction == Direction::enter ? "on_enter" : "on_exit";
    auto made = std::make_unique<PhaseState>(*this, state.machine().text(prefix, number), PhaseOptions{});
    made->set_transition();
    transitions_.reserve(transitions_.size() + 1);
    state.set_systems(number, direction, *made);
    return *transitions_.emplace_back(std::move(made));
}

// What is asked from now on is for the next update.
void ScheduleState::make_transitions() {
    Store& store = this->store("update");
    for (const auto& state : states_) state->machine().take_request(store);
    for (const auto& state : states_) state->enter_first(store);
    for (const auto& state : states_) state->make_transition(store);
}

}  // namespace stoa::detail
