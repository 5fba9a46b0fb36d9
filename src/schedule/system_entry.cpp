// One system of a phase: its construction, hooks and runs.
#include "schedule/system_entry.hpp"

#include <algorithm>
#include <utility>

#include "base/raise.hpp"
#include "component/library_types.hpp"
#include "schedule/run_clock.hpp"
#include "schedule/schedule_errors.hpp"
#include "storage/store_state.hpp"

namespace stoa::detail {

System::~System() = default;

namespace {

std::vector<std::string> copies(const Names& names) { return {names.all().begin(), names.all().end()}; }

// The access set of all parameters together, and of the condition. Throws if two parameters give access to the same
// data and one of them writes. The condition is over when the system begins, so it conflicts with none of them.
AccessSet joined_access(std::string_view name, System& system, const OwnCondition& condition, Store& store) {
    const std::vector<System::ParamAccess> parts = system.accesses(store);
    AccessSet all(store);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (!parts[i].aliases || !parts[j].aliases) continue;
            if (const AccessSet::Use* use = parts[i].access.find_clash(parts[j].access)) {
                raise(Errc::conflict, "add: parameters " + std::to_string(j + 1) + " and " + std::to_string(i + 1) +
                                          " of system " + in_quotes(name) + " both touch " + std::string(use->name) +
                                          ", and one of them writes it; use one parameter" +
                                          (use->resource ? " for it" : ", or keep them apart with With and Without"));
            }
        }
        all.add(parts[i].access);
    }
    condition.add_access(all, store);
    return all;
}

}  // namespace

SystemEntry::SystemEntry(std::string_view name, std::unique_ptr<System> system, const SystemOptions& options,
                         const Position& position, Store& store)
    : system_(std::move(system)),
      condition_(options.when, *store.world(), "add", name),
      takes_commands_(system_->takes_commands()),
      enabled_(options.enabled),
      commands_(CommandsAccess::make(store)),
      name_(name),
      access_(joined_access(name, *system_, condition_, store)),
      position_(position),
      priority_(options.priority),
      before_(copies(options.before)),
      after_(copies(options.after)) {
    store.state().libraries.use_code(functions_of(*system_));
}

void SystemEntry::call_hooks_of_added(bool enabled, World& world) {
    system_->on_added(world);
    FirstError error;
    if (error.attempt([&] { call_hooks_of_enabled(enabled, world); })) return;
    error.attempt([&] { system_->on_removed(world); });
    error.rethrow();
}

void SystemEntry::call_hooks_of_enabled(bool enabled, World& world) {
    if (enabled == hooks_enabled_) return;
    hooks_enabled_ = enabled;
    enabled ? system_->on_enabled(world) : system_->on_disabled(world);
}

void SystemEntry::call_hooks_of_removed(World& world) {
    FirstError error;
    error.attempt([&] { call_hooks_of_enabled(false, world); });
    error.attempt([&] { system_->on_removed(world); });
    error.rethrow();
}

void SystemEntry::begin_phase() noexcept {
    ran_ = completed_ = false;
    not_ready_ = {"it was not reached", {}};
}

void SystemEntry::run_on_condition(const SystemContext& at) {
    held_ = !condition_.holds(at);
    if (held_) {
        not_ready_ = {"its condition is false: ", condition_.name()};
        return;
    }
    not_ready_ = system_->run(at);
    if (not_ready_.what.empty()) condition_.after();
}

std::uint64_t SystemEntry::run(World& world, const Time& time, bool exclusive, std::uint64_t began) noexcept {
    ran_ = held_ = false;
    if (!enabled_) return began;
    ++tries_;
    const ThreadClockScope at(exclusive ? thread_clock : moments_);
    completed_ = error_.attempt([&] {
        if (condition_.is_set()) return run_on_condition({world, time, commands_});
        not_ready_ = system_->run({world, time, commands_});
    });
    if (!completed_) not_ready_ = {"it threw an exception", {}};
    if (!exclusive) most_looks_ = std::max(most_looks_, std::uint64_t{thread_clock.looks});
    if (held_) return began;  // reading the clock takes longer than most conditions
    const std::uint64_t now = read_clock();
    ran_ = not_ready_.what.empty();
    if (ran_) times_.add(now - began);
    return now;
}

std::size_t SystemEntry::flush_commands() {
    if (!completed_ || commands_.empty()) return 0;
    const FlushReport report = commands_.flush();
    return report.applied + report.skipped;
}

void SystemEntry::discard_commands() {
    completed_ = false;
    if (!commands_.empty()) commands_.clear();
}

}  // namespace stoa::detail
