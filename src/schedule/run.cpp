// Runs a phase: its stages one after the other, then the commands of its systems.
#include <exception>

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
    error.attempt([&] { flush(end_flush_); });
    error.rethrow();
}

void PhaseState::run_stages() {
    for (Stage& stage : stages_) {
        run_stage(stage, schedule_.store("update"), is_transition_ ? schedule_.time() : clock_.time(),
                  is_transition_ ? nullptr : schedule_.executor());
        SystemEntry* failed = nullptr;
        for (SystemEntry* entry : stage.systems()) {
            if (failed == nullptr && entry->error().happened()) failed = entry;
        }
        if (failed != nullptr) {
            FirstError error;
            for (SystemEntry* entry : stage.systems()) error.append(entry->error());
            fail_in(*failed, error);
        }
        if (stage.flush_after()) flush(sync_flushes_[stage.systems().back()->position().section]);
    }
}

// Throws the error, which the system has made.
void PhaseState::fail_in(const SystemEntry& entry, FirstError& error) {
    schedule_.note_failed(entry);
    error.name_system(entry.name());
    error.rethrow();
    std::terminate();  // there was an error
}

// Applies the commands of systems that completed, in order. Those of others are discarded.
std::size_t PhaseState::apply_commands() {
    const ScopeGuard discard(
        [this]() noexcept { for_each_planned([](SystemEntry& entry) { entry.discard_commands(); }); });
    std::size_t count = flush_world();
    for_each_planned([&](SystemEntry& entry) {
        FirstError error;
        if (!error.attempt([&] { count += entry.flush_commands(); })) fail_in(entry, error);
    });
    // Callbacks may have recorded into the buffer of the world.
    return count + flush_world();
}

std::size_t PhaseState::flush_world() {
    const FlushReport report = schedule_.store("update").world()->flush();
    return report.applied + report.skipped;
}

// Most flushes find nothing: then the systems are not visited again, and the clock is not read.
void PhaseState::flush(FlushTimes& times) {
    bool by_systems = false;
    for_each_planned([&](const SystemEntry& entry) { by_systems |= entry.has_commands(); });
    const bool recorded = by_systems || !schedule_.store("update").world()->commands().empty();
    const std::uint64_t began = recorded ? read_clock() : 0;
    times.commands = by_systems ? apply_commands() : flush_world();
    times.times.add(recorded ? read_clock() - began : 0);
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
    failed_system_.clear();
    phase.plan();
    phase.call_hooks();
    const Running running(*this);
    phase.update(delta, alpha_before(phase));
}

void ScheduleState::update(double delta) {
    if (!begin_update(delta)) return;
    failed_system_.clear();
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
    // readers in it.
    for (const auto& phase : phases_) {
        if (!phase->waits_for_time()) continue;
        for (const auto& entry : phase->systems()) entry->system().exempt_messages();
    }
    store("update").world()->end_frame();
}

}  // namespace stoa::detail
