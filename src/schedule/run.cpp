// Runs a phase: its stages one after the other, then the commands of its systems.
#include "schedule/run_clock.hpp"
#include "schedule/schedule_errors.hpp"
#include "schedule/schedule_state.hpp"
#include "stoa/detail/base/scope_guard.hpp"

namespace stoa::detail {

void PhaseState::update(double delta, double alpha) {
    if (condition_.is_set() && !ask_condition()) return hold();
    clock_.give(delta);
    waits_for_time_ = !clock_.is_due();
    if (waits_for_time_) return;
    while (clock_.begin_run(schedule_.time().frame, alpha)) run();
    if (!condition_.is_set()) return;
    condition_.after();
    // What is written from now on is later than what the condition has seen.
    schedule_.store("update").clock().advance();
}

bool PhaseState::ask_condition() {
    Store& store = schedule_.store("update");
    World& world = *store.world();
    const Store::SharedLock lock(store);
    condition_is_false_ = !condition_.holds({world, clock_.time(), world.commands()});
    return !condition_is_false_;
}

void PhaseState::run() {
    calibrate_clock();
    for_each_planned([](SystemEntry& entry) { entry.begin_phase(); });
    FirstError error;
    error.attempt([&] { run_stages(); });
    error.attempt([&] { flush(); });
    error.rethrow();
}

void PhaseState::run_stages() {
    for (Stage& stage : stages_) {
        run_stage(stage, schedule_.store("update"), is_transition_ ? schedule_.time() : clock_.time(),
                  is_transition_ ? nullptr : schedule_.executor());
        FirstError error;
        for (SystemEntry* entry : stage.systems()) error.append(entry->error());
        error.rethrow();
        if (stage.flush_after()) flush();
    }
}

// Applies the commands of systems that completed, in order. Those of others are discarded.
void PhaseState::flush() {
    const ScopeGuard discard(
        [this]() noexcept { for_each_planned([](SystemEntry& entry) { entry.discard_commands(); }); });
    World& world = *schedule_.store("update").world();
    world.flush();
    for_each_planned([](SystemEntry& entry) { entry.flush_commands(); });
    // Callbacks may have recorded into the buffer of the world.
    world.flush();
    for (Stage& stage : stages_) {
        if (!stage.leases().empty()) schedule_.store("update").directory().leases().trim(stage.leases());
    }
}

// False if the update does nothing.
bool ScheduleState::begin_update(double delta) const {
    require_idle("update");
    Store& store = this->store("update");
    require_time(delta);
    if (paused_) return false;
    store.require_unlocked("update");
    return true;
}

// The alpha of the stepped phase nearest before a phase.
double ScheduleState::alpha_before(const PhaseState& phase) const noexcept {
    double alpha = 0;
    for (const auto& other : phases_) {
        if (other.get() == &phase) break;
        if (other->clock().is_stepped()) alpha = other->clock().alpha();
    }
    return alpha;
}

void ScheduleState::update(PhaseState& phase, double delta) {
    if (!begin_update(delta) || !phase.enabled()) return;
    phase.plan();
    phase.call_hooks();
    const Running running(*this);
    phase.update(delta, alpha_before(phase));
}

void ScheduleState::update(double delta) {
    if (!begin_update(delta)) return;
    plan();
    for (const auto& phase : phases_) phase->call_hooks();
    const Running running(*this);
    elapsed_.add(delta);
    time_ = {delta, elapsed_.value(), time_.frame + 1, 0, time_.step + 1};
    if (!states_.empty()) make_transitions();
    double alpha = 0;
    for (const auto& phase : phases_) {
        phase->enabled() ? phase->update(delta, alpha) : phase->hold();
        if (phase->clock().is_stepped()) alpha = phase->clock().alpha();
    }
    // A phase that waits for its time has had no chance to read messages: this end of a frame does not count for the
    // readers in it. That is said here, by phase->waits_for_time().
    store("update").world()->end_frame();
}

}  // namespace stoa::detail
