// Phases and their systems: adding, removing, finding, and when hooks are called.
#include "schedule/schedule_state.hpp"

#include <algorithm>
#include <utility>

#include "base/raise.hpp"
#include "schedule/schedule_errors.hpp"
#include "stoa/detail/storage/store_of.hpp"

namespace stoa::detail {

namespace {

// A phase without a condition needs no world.
OwnCondition condition_of(const ScheduleState& schedule, std::string_view name, const PhaseOptions& options) {
    if (!ConditionAccess::node(options.when)) return {};
    return {options.when, *schedule.store("add_phase").world(), "add_phase", name};
}

}  // namespace

PhaseState::PhaseState(ScheduleState& schedule, std::string_view name, const PhaseOptions& options)
    : schedule_(schedule),
      name_(name),
      handle_(*this),
      condition_(condition_of(schedule, name, options)),
      clock_((require_phase_options(name, options), options.step), options.most),
      enabled_(options.enabled) {}

SystemEntry* PhaseState::find(std::string_view system) const {
    const auto at =
        std::find_if(systems_.begin(), systems_.end(), [&](const auto& entry) { return entry->name() == system; });
    return at != systems_.end() ? at->get() : nullptr;
}

SystemEntry& PhaseState::get(std::string_view system, const char* verb) const {
    if (SystemEntry* entry = find(system)) return *entry;
    std::vector<std::string_view> names;
    names.reserve(systems_.size());
    for (const auto& entry : systems_) names.push_back(entry->name());
    fail_unknown(verb, "system", system, names);
}

void PhaseState::insert(std::string_view name, std::unique_ptr<System> system, const SystemOptions& options) {
    if (const PhaseState* phase = schedule_.phase_of(name)) {
        raise(Errc::duplicate_name, "add: a system " + in_quotes(name) + " is in phase " + in_quotes(phase->name()) +
                                        " already; give this one a name of its own: add(\"name\", ...)");
    }
    schedule_.reserve_name(name.size());
    const SystemEntry::Position position{sync_points_, schedule_.next_number()};
    add(std::make_unique<SystemEntry>(name, std::move(system), options, position, schedule_.store("add")));
}

void PhaseState::add(std::unique_ptr<SystemEntry> entry) {
    systems_.reserve(systems_.size() + 1);
    // Hooks are user code, and must not change the schedule.
    const ScheduleState::Running running(schedule_);
    entry->call_hooks_of_added(enabled_ && entry->enabled(), *schedule_.store("add").world());
    systems_.push_back(std::move(entry));
    planned_ = false;
}

// Removes a system from the phase, and gives its ids back to the world.
std::unique_ptr<SystemEntry> PhaseState::take(std::size_t number) {
    std::unique_ptr<SystemEntry> entry = std::move(systems_[number]);
    systems_.erase(systems_.begin() + static_cast<std::ptrdiff_t>(number));
    stages_.clear();
    planned_ = false;
    if (Store* store = schedule_.find_store()) entry->end_lease(*store);
    return entry;
}

void PhaseState::remove(std::string_view system) {
    const SystemEntry* entry = &get(system, "remove");
    const auto at =
        std::find_if(systems_.begin(), systems_.end(), [&](const auto& each) { return each.get() == entry; });
    const std::unique_ptr<SystemEntry> removed = take(static_cast<std::size_t>(at - systems_.begin()));
    const ScheduleState::Running running(schedule_);
    if (Store* store = schedule_.find_store()) removed->call_hooks_of_removed(*store->world());
}

void PhaseState::remove_last() {
    const std::unique_ptr<SystemEntry> removed = take(systems_.size() - 1);
    if (Store* store = schedule_.find_store()) removed->call_hooks_of_removed(*store->world());
}

void PhaseState::add_sync_point() {
    sync_flushes_.emplace_back();
    ++sync_points_;
    planned_ = false;
}

void PhaseState::call_hooks() {
    const ScheduleState::Running running(schedule_);
    for (const auto& entry : systems_) {
        const bool effective = enabled_ && entry->enabled();
        if (effective == entry->hooks_enabled()) continue;
        entry->call_hooks_of_enabled(effective, *schedule_.store("enable").world());
    }
}

ScheduleState::ScheduleState(World& world, Executor* executor)
    : TypeUser(store_of(world, "schedule").link()), executor_(executor) {}

namespace {

// The phase whose last system was added after those of all other phases; null when no system is left.
PhaseState* phase_of_youngest(const ScheduleState& schedule) {
    PhaseState* youngest = nullptr;
    std::uint64_t number = 0;
    for (const auto& phases : {schedule.phases(), schedule.transitions()}) {
        for (const auto& phase : phases) {
            if (phase->systems().empty()) continue;
            const std::uint64_t last = phase->systems().back()->position().number;
            if (youngest == nullptr || last > number) {
                youngest = phase.get();
                number = last;
            }
        }
    }
    return youngest;
}

}  // namespace

// Needs no memory: a schedule may be destroyed because memory ran out.
ScheduleState::~ScheduleState() {
    running_ = true;
    FirstError ignored;  // a destructor does not throw
    while (PhaseState* phase = phase_of_youngest(*this)) ignored.attempt([&] { phase->remove_last(); });
    Store* store = find_store();
    for (auto state = states_.rbegin(); store != nullptr && state != states_.rend(); ++state)
        ignored.attempt([&] { (*state)->machine().end(*store); });
}

Store& ScheduleState::store(const char* verb) const {
    Store* store = find_store();
    if (store == nullptr) raise(Errc::world_gone, std::string(verb) + ": the world of this schedule is gone");
    return *store;
}

void ScheduleState::require_idle(const char* verb) const {
    if (running_) {
        raise(Errc::locked,
              std::string(verb) +
                  ": the schedule is running and cannot be changed or updated now; do it after the update");
    }
}

PhaseState& ScheduleState::add_phase(std::string_view name, const PhaseOptions& options) {
    if (find_phase(name) != nullptr) {
        raise(Errc::duplicate_name, "add_phase: there is a phase " + in_quotes(name) +
                                        " already; get it with phase(\"" + std::string(name) + "\")");
    }
    return *phases_.emplace_back(std::make_unique<PhaseState>(*this, name, options));
}

void ScheduleState::remove_phase(std::string_view name) {
    const auto at =
        std::find_if(phases_.begin(), phases_.end(), [&](const auto& phase) { return phase->name() == name; });
    if (at == phases_.end()) fail_unknown("remove_phase", "phase", name, phase_names());
    const std::unique_ptr<PhaseState> removed = std::move(*at);
    phases_.erase(at);
    for (const auto& phase : phases_) phase->forget_plan();
    const Running running(*this);
    FirstError error;
    while (!removed->systems().empty()) error.attempt([&] { removed->remove_last(); });
    error.rethrow();
}

std::vector<std::string_view> ScheduleState::phase_names() const {
    std::vector<std::string_view> names;
    names.reserve(phases_.size());
    for (const auto& phase : phases_) names.push_back(phase->name());
    return names;
}

PhaseState* ScheduleState::find_phase(std::string_view name) const {
    for (const auto& phase : phases_) {
        if (phase->name() == name) return phase.get();
    }
    return nullptr;
}

const PhaseState* ScheduleState::phase_of(std::string_view system, SystemEntry** found) const {
    for (const auto& phases : {phases(), transitions()}) {
        for (const auto& phase : phases) {
            if (SystemEntry* entry = phase->find(system)) {
                if (found != nullptr) *found = entry;
                return phase.get();
            }
        }
    }
    return nullptr;
}

std::vector<std::string_view> ScheduleState::system_names() const {
    std::vector<std::string_view> names;
    for (const auto& phases : {phases(), transitions()}) {
        for (const auto& phase : phases) {
            for (const auto& entry : phase->systems()) names.push_back(entry->name());
        }
    }
    return names;
}

}  // namespace stoa::detail
