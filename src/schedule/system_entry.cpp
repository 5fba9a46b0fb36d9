// One system of a phase: its construction, hooks and runs.
#include "schedule/system_entry.hpp"

#include <algorithm>
#include <utility>

#include "base/raise.hpp"
#include "schedule/run_clock.hpp"
#include "schedule/schedule_errors.hpp"

namespace stoa::detail {

System::~System() = default;

namespace {

constexpr std::uint64_t most_moments = 64;  // a system that looks more often sees some rows again
constexpr std::uint64_t tries_to_know = 1024;

std::vector<std::string> copies(const Names& names) { return {names.all().begin(), names.all().end()}; }

// The access set of all parameters together. Throws if two give access to the same data and one of them writes.
AccessSet joined_access(std::string_view name, System& system, Store& store) {
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
    return all;
}

}  // namespace

SystemEntry::SystemEntry(std::string_view name, std::unique_ptr<System> system, const SystemOptions& options,
                         const Position& position, Store& store)
    : name_(name),
      system_(std::move(system)),
      access_(joined_access(name, *system_, store)),
      commands_(CommandsAccess::make(store)),
      position_(position),
      priority_(options.priority),
      before_(copies(options.before)),
      after_(copies(options.after)),
      takes_commands_(system_->takes_commands()),
      enabled_(options.enabled) {}

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

// A new system gets many moments; later it gets as many as it ever used. Moments are limited because ticks have 32
// bits, and a reader that has not looked for 2^30 ticks sees everything as changed. How many were used does not depend
// on threads.
std::uint64_t SystemEntry::moments_needed() const noexcept {
    if (!enabled_) return 0;
    return tries_ < tries_to_know ? most_moments : std::min<std::uint64_t>(most_moments, most_looks_ + 1u);
}

std::uint64_t SystemEntry::run(World& world, const Time& time, bool exclusive, std::uint64_t began) noexcept {
    ran_ = false;
    if (!enabled_) return began;
    ++tries_;
    const ThreadClockScope at(exclusive ? thread_clock : moments_);
    completed_ = error_.attempt([&] { not_ready_ = system_->run({world, time, commands_}); });
    if (!completed_) not_ready_ = {"it threw an exception", {}};
    if (!exclusive) most_looks_ = std::max(most_looks_, thread_clock.looks);
    const std::uint64_t now = read_clock();
    ran_ = not_ready_.what.empty();
    if (ran_) times_.add(now - began);
    return now;
}

void SystemEntry::flush_commands() {
    if (completed_ && !commands_.empty()) commands_.flush();
}

void SystemEntry::discard_commands() {
    completed_ = false;
    commands_.clear();
}

}  // namespace stoa::detail
