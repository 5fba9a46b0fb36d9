// Phases and systems: adding, removing, enabling, and their hooks.
#include "stoa/schedule.hpp"

#include <algorithm>
#include <utility>

#include "base/raise.hpp"
#include "schedule/state.hpp"

namespace stoa {

using detail::PhaseState;
using detail::ScheduleState;
using detail::SystemEntry;

namespace detail {

System::~System() = default;

namespace {

std::vector<std::string> copies(const Names& names) { return {names.all().begin(), names.all().end()}; }

// Refuses a system whose parameters would hand out the same data twice, one of them for writing.
Access joined(std::string_view name, System& system, Store& store) {
    const std::vector<System::ParamAccess> parts = system.accesses(store);
    Access all(store);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (!parts[i].aliases || !parts[j].aliases) continue;
            if (const Access::Use* use = parts[i].access.find_clash(parts[j].access)) {
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

SystemEntry::SystemEntry(std::string_view called, std::unique_ptr<System> made, const SystemOptions& options, Store& store)
    : name(called),
      system(std::move(made)),
      access(joined(called, *system, store)),
      commands(store),
      priority(options.priority),
      before(copies(options.before)),
      after(copies(options.after)),
      takes_commands(system->takes_commands()),
      enabled(options.enabled) {}

SystemEntry* PhaseState::find(std::string_view system) const {
    const auto at = std::find_if(systems.begin(), systems.end(), [&](const auto& entry) { return entry->name == system; });
    return at != systems.end() ? at->get() : nullptr;
}

SystemEntry& PhaseState::get(std::string_view system, const char* verb) const {
    if (SystemEntry* entry = find(system)) return *entry;
    std::vector<std::string_view> names;
    for (const auto& entry : systems) names.push_back(entry->name);
    fail_unknown(verb, "system", system, names);
}

void PhaseState::call_hooks() {
    const Running running(schedule);
    for (std::size_t i = 0; i < systems.size(); ++i) {
        SystemEntry& entry = *systems[i];
        const bool effective = enabled && entry.enabled;
        if (effective == entry.told_enabled) continue;
        World& world = *schedule.store("enable").world();
        entry.told_enabled = effective;
        effective ? entry.system->on_enabled(world) : entry.system->on_disabled(world);
    }
}

ScheduleState::ScheduleState(World& world, Executor* on) : executor(on) {
    link = &world.query<>().store().link();
    link->hold();
}

// Calls the hooks of a system that ends, on_removed also when on_disabled throws. Its ids go back to the world first.
void end_system(ScheduleState& schedule, SystemEntry& entry) {
    Store* store = schedule.link->store();
    if (store == nullptr) return;
    store->ids().end_lease(entry.lease.release());
    World& world = *store->world();
    const bool was_enabled = std::exchange(entry.told_enabled, false);
#if defined(__cpp_exceptions)
    std::exception_ptr first;
    try {
        if (was_enabled) entry.system->on_disabled(world);
    } catch (...) {
        first = std::current_exception();
    }
    try {
        entry.system->on_removed(world);
    } catch (...) {
        if (!first) throw;
    }
    if (first) std::rethrow_exception(first);
#else
    if (was_enabled) entry.system->on_disabled(world);
    entry.system->on_removed(world);
#endif
}

namespace {

// The phase whose last system was added after those of all other phases; null when no system is left.
PhaseState* phase_of_youngest(const ScheduleState& schedule) {
    PhaseState* youngest = nullptr;
    for (const auto& phase : schedule.phases) {
        if (phase->systems.empty()) continue;
        if (youngest == nullptr || phase->systems.back()->born > youngest->systems.back()->born) youngest = phase.get();
    }
    return youngest;
}

}  // namespace

// Needs no memory: a schedule may end because there is none. Systems of a phase are in the order in which they were
// added.
ScheduleState::~ScheduleState() {
    running = true;
    while (PhaseState* phase = phase_of_youngest(*this)) {
        const std::unique_ptr<SystemEntry> entry = std::move(phase->systems.back());
        phase->systems.pop_back();
#if defined(__cpp_exceptions)
        try {
            end_system(*this, *entry);
        } catch (...) {  // a destructor has nobody to report to
        }
#else
        end_system(*this, *entry);
#endif
    }
    phases.clear();
    link->drop();
}

Store& ScheduleState::store(const char* verb) const {
    Store* store = link->store();
    if (store == nullptr) raise(Errc::world_gone, std::string(verb) + ": the world of this schedule is gone");
    return *store;
}

void ScheduleState::require_idle(const char* verb) const {
    if (running) {
        raise(Errc::locked, std::string(verb) + ": the schedule is running, and cannot be changed or updated meanwhile; do it after the update");
    }
}

const PhaseState* ScheduleState::phase_of(std::string_view system, SystemEntry** found) const {
    for (const auto& phase : phases) {
        if (SystemEntry* entry = phase->find(system)) {
            if (found != nullptr) *found = entry;
            return phase.get();
        }
    }
    return nullptr;
}

std::vector<std::string_view> ScheduleState::system_names() const {
    std::vector<std::string_view> names;
    for (const auto& phase : phases) {
        for (const auto& entry : phase->systems) names.push_back(entry->name);
    }
    return names;
}

}  // namespace detail

std::string_view Phase::name() const { return state_.name; }

World& Phase::world() const {
    state_.schedule.require_idle("add");
    return *state_.schedule.store("add").world();
}

Phase& Phase::insert(std::string_view name, detail::System* system, const SystemOptions& options) {
    std::unique_ptr<detail::System> owner(system);
    ScheduleState& schedule = state_.schedule;
    detail::Store& store = schedule.store("add");
    if (const PhaseState* phase = schedule.phase_of(name)) {
        detail::raise(Errc::duplicate_name, "add: a system " + detail::in_quotes(name) + " is in phase " +
                                                detail::in_quotes(phase->name) +
                                                " already; give this one a name of its own: add(\"name\", ...)");
    }
    state_.systems.reserve(state_.systems.size() + 1);
    auto entry = std::make_unique<SystemEntry>(name, std::move(owner), options, store);
    entry->section = state_.sections;
    entry->born = schedule.next_born;
    World& world = *store.world();

    // Hooks are code of the user, and must not change the schedule under us.
    const detail::Running running(schedule);
    entry->system->on_added(world);
    struct Undo {
        SystemEntry* entry;
        World& world;
        ~Undo() {
            if (entry == nullptr) return;
#if defined(__cpp_exceptions)
            try {
                entry->system->on_removed(world);
            } catch (...) {  // what on_enabled threw is on its way
            }
#else
            entry->system->on_removed(world);
#endif
        }
    } undo{entry.get(), world};
    if (state_.enabled && entry->enabled) {
        entry->told_enabled = true;
        entry->system->on_enabled(world);
    }
    undo.entry = nullptr;
    state_.systems.push_back(std::move(entry));
    ++schedule.next_born;
    state_.planned = false;
    return *this;
}

Phase& Phase::sync() {
    state_.schedule.require_idle("sync");
    ++state_.sections;
    state_.planned = false;
    return *this;
}

void Phase::remove(std::string_view name) {
    ScheduleState& schedule = state_.schedule;
    schedule.require_idle("remove");
    const SystemEntry* entry = &state_.get(name, "remove");
    const auto at = std::find_if(state_.systems.begin(), state_.systems.end(), [&](const auto& each) { return each.get() == entry; });
    const std::unique_ptr<SystemEntry> removed = std::move(*at);
    state_.systems.erase(at);
    state_.groups.clear();
    state_.planned = false;
    const detail::Running running(schedule);
    detail::end_system(schedule, *removed);
}

bool Phase::enabled(std::string_view name) const { return state_.get(name, "enabled").enabled; }

bool Phase::enabled() const { return state_.enabled; }

Phase& Phase::set_enabled(std::string_view name, bool enabled) {
    const char* verb = enabled ? "enable" : "disable";
    state_.schedule.require_idle(verb);
    state_.get(name, verb).enabled = enabled;
    state_.call_hooks();
    return *this;
}

Phase& Phase::set_enabled(bool enabled) {
    state_.schedule.require_idle(enabled ? "enable" : "disable");
    state_.enabled = enabled;
    state_.call_hooks();
    return *this;
}

void* Phase::find_object(const detail::TypeIdentity& type) const {
    for (const auto& entry : state_.systems) {
        if (void* object = entry->system->object(type)) return object;
    }
    return nullptr;
}

void* Phase::object_of(const detail::TypeIdentity& type, const char* verb) const {
    void* object = find_object(type);
    if (object == nullptr) detail::fail_unknown(verb, "system of class", type.type_name);
    return object;
}

std::string_view Phase::name_with(const detail::TypeIdentity& type, const char* verb) const {
    for (const auto& entry : state_.systems) {
        if (entry->system->object(type) != nullptr) return entry->name;
    }
    detail::fail_unknown(verb, "system of class", type.type_name);
}

Schedule::Schedule(World& world) : state_(new ScheduleState(world, nullptr)) {}
Schedule::Schedule(World& world, Executor& executor) : state_(new ScheduleState(world, &executor)) {}
Schedule::~Schedule() { delete state_; }

Phase& Schedule::add_phase(std::string_view name) {
    state_->require_idle("add_phase");
    if (find_phase(name) != nullptr) {
        detail::raise(Errc::duplicate_name, "add_phase: there is a phase " + detail::in_quotes(name) +
                                                " already; get it with phase(\"" + std::string(name) + "\")");
    }
    state_->phases.push_back(std::make_unique<PhaseState>(*state_, name));
    return state_->phases.back()->handle;
}

Phase* Schedule::find_phase(std::string_view name) {
    for (const auto& phase : state_->phases) {
        if (phase->name == name) return &phase->handle;
    }
    return nullptr;
}

Phase& Schedule::phase(std::string_view name) {
    Phase* found = find_phase(name);
    if (found == nullptr) {
        std::vector<std::string_view> names;
        for (const auto& phase : state_->phases) names.push_back(phase->name);
        detail::fail_unknown("phase", "phase", name, names);
    }
    return *found;
}

void Schedule::set_paused(bool paused) { state_->paused = paused; }
bool Schedule::paused() const { return state_->paused; }
const Time& Schedule::time() const { return state_->time; }

}  // namespace stoa
