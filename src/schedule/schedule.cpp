// The handles: Phase and Schedule check that a call is allowed and pass it on.
#include "stoa/schedule.hpp"

#include <utility>

#include "base/raise.hpp"
#include "schedule/schedule_errors.hpp"
#include "schedule/schedule_state.hpp"

namespace stoa {

using detail::PhaseState;
using detail::ScheduleState;

std::string_view Phase::name() const { return state_.name(); }

World& Phase::world() const {
    state_.schedule().require_idle("add");
    return *state_.schedule().store("add").world();
}

Phase& Phase::insert(std::string_view name, detail::System* system, const SystemOptions& options) {
    state_.insert(name, std::unique_ptr<detail::System>(system), options);
    return *this;
}

Phase& Phase::sync() {
    state_.schedule().require_idle("sync");
    state_.add_sync_point();
    return *this;
}

void Phase::remove(std::string_view name) {
    state_.schedule().require_idle("remove");
    state_.remove(name);
}

bool Phase::enabled(std::string_view name) const { return state_.get(name, "enabled").enabled(); }

bool Phase::enabled() const { return state_.enabled(); }

Phase& Phase::set_enabled(std::string_view name, bool enabled) {
    const char* verb = enabled ? "enable" : "disable";
    state_.schedule().require_idle(verb);
    state_.get(name, verb).set_enabled(enabled);
    state_.call_hooks();
    return *this;
}

Phase& Phase::set_enabled(bool enabled) {
    state_.schedule().require_idle(enabled ? "enable" : "disable");
    state_.set_enabled(enabled);
    state_.call_hooks();
    return *this;
}

void* Phase::find_object(const detail::TypeIdentity& type) const {
    for (const auto& entry : state_.systems()) {
        if (void* object = entry->system().object(type)) return object;
    }
    return nullptr;
}

void* Phase::object_of(const detail::TypeIdentity& type, const char* verb) const {
    void* object = find_object(type);
    if (object == nullptr) detail::fail_unknown(verb, "system of class", type.type_name);
    return object;
}

std::string_view Phase::name_with(const detail::TypeIdentity& type, const char* verb) const {
    for (const auto& entry : state_.systems()) {
        if (entry->system().object(type) != nullptr) return entry->name();
    }
    detail::fail_unknown(verb, "system of class", type.type_name);
}

std::uint64_t Phase::dropped() const { return state_.clock().dropped(); }

void Phase::update(double delta) { state_.schedule().update(state_, delta); }

Schedule::Schedule(World& world) : state_(new ScheduleState(world, nullptr)) {}
Schedule::Schedule(World& world, Executor& executor) : state_(new ScheduleState(world, &executor)) {}
Schedule::~Schedule() { delete state_; }

Phase& Schedule::add_phase(std::string_view name, const PhaseOptions& options) {
    state_->require_idle("add_phase");
    return state_->add_phase(name, options).handle();
}

void Schedule::remove_phase(std::string_view name) {
    state_->require_idle("remove_phase");
    state_->remove_phase(name);
}

std::string Schedule::failed_system() const { return state_->failed_system(); }

Phase* Schedule::find_phase(std::string_view name) {
    PhaseState* found = state_->find_phase(name);
    return found != nullptr ? &found->handle() : nullptr;
}

Phase& Schedule::phase(std::string_view name) {
    Phase* found = find_phase(name);
    if (found == nullptr) detail::fail_unknown("phase", "phase", name, state_->phase_names());
    return *found;
}

World& Schedule::world() const {
    state_->require_idle("add");
    return *state_->store("add").world();
}

void Schedule::insert_state(detail::StateMachine* machine) {
    std::unique_ptr<detail::StateMachine> owner(machine);
    state_->require_idle("add_state");
    state_->add_state(std::move(owner));
}

detail::StateMachine& Schedule::machine(const detail::ResourceType& type, bool enters) const {
    return state_->state(type, enters ? "on_enter" : "on_exit").machine();
}

Schedule& Schedule::insert_transition(const detail::StateMachine& machine, std::size_t number, bool enters,
                                      std::string_view name, detail::System* system) {
    std::unique_ptr<detail::System> owner(system);
    const detail::Direction direction = enters ? detail::Direction::enter : detail::Direction::exit;
    state_->transition(state_->state(machine.type(), "on_enter"), number, direction).insert(name, std::move(owner), {});
    return *this;
}

void Schedule::update(double delta) { state_->update(delta); }

void Schedule::set_paused(bool paused) { state_->set_paused(paused); }
bool Schedule::paused() const { return state_->paused(); }
const Time& Schedule::time() const { return state_->time(); }

}  // namespace stoa
