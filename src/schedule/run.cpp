// Runs a phase: its stages one after the other, then the commands of its systems.
#include "schedule/run_clock.hpp"
#include "schedule/schedule_errors.hpp"
#include "schedule/schedule_state.hpp"
#include "stoa/detail/base/scope_guard.hpp"

namespace stoa::detail {

void PhaseState::run() {
    calibrate_clock();
    schedule_.store("update").require_unlocked("update");
    for_each_planned([](SystemEntry& entry) { entry.begin_phase(); });
    FirstError error;
    error.attempt([&] { run_stages(); });
    error.attempt([&] { flush(); });
    error.rethrow();
}

void PhaseState::run_stages() {
    for (Stage& stage : stages_) {
        run_stage(stage, schedule_.store("update"), schedule_.time(), schedule_.executor());
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
    static_cast<void>(store("update"));
    require_time(delta);
    return !paused_;
}

void ScheduleState::pass_time(double delta) noexcept {
    time_.delta = delta;
    time_.elapsed += delta;
}

void ScheduleState::update(PhaseState& phase, double delta) {
    if (!begin_update(delta) || !phase.enabled()) return;
    phase.plan();
    phase.call_hooks();
    const Running running(*this);
    pass_time(delta);
    phase.run();
}

void ScheduleState::update(double delta) {
    if (!begin_update(delta)) return;
    plan();
    for (const auto& phase : phases_) phase->call_hooks();
    const Running running(*this);
    pass_time(delta);
    ++time_.frame;
    for (const auto& phase : phases_) {
        if (phase->enabled()) phase->run();
    }
    store("update").world()->end_frame();
}

}  // namespace stoa::detail
