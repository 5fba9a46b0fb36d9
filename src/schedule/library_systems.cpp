// Which systems, conditions and states of a schedule have types of a library, or code of it.
#include "component/library_types.hpp"
#include "schedule/schedule_errors.hpp"
#include "schedule/schedule_state.hpp"

namespace stoa::detail {
namespace {

// Adds a part of the schedule if it touches one of the types, or if its code is in the library.
void add_part(const std::string& part, const AccessSet& access, bool has_code, const LibraryTypes& types,
              UsesLeft& uses) {
    for (const AccessSet::Use& use : access.uses()) {
        if (use.resource ? types.has_resource(use.id) : types.has(ComponentId{use.id}))
            return uses.add(part + " with " + std::string(use.name));
    }
    if (has_code) uses.add(part + " with code of the library");
}

bool has_code_of(const LibraryTypes& types, const ConditionState& condition) {
    if (types.contains(functions_of(condition))) return true;
    for (std::size_t i = 0; const ConditionState* part = condition.part(i); ++i) {
        if (has_code_of(types, *part)) return true;
    }
    return false;
}

void add_condition(const OwnCondition& condition, std::string_view owner, Store& store, const LibraryTypes& types,
                   UsesLeft& uses) {
    if (!condition.is_set()) return;
    AccessSet access(store);
    condition.add_access(access, store);
    const std::string part = "the condition " + in_quotes(condition.name()) + " of " + in_quotes(owner);
    add_part(part, access, has_code_of(types, condition.state()), types, uses);
}

}  // namespace

void ScheduleState::name_uses(const LibraryTypes& types, UsesLeft& uses) const {
    Store* store = find_store();
    if (store == nullptr) return;
    for (const auto& list : {phases(), transitions()}) {
        for (const auto& phase : list) {
            add_condition(phase->condition(), phase->name(), *store, types, uses);
            for (const auto& entry : phase->systems()) {
                const bool has_code = types.contains(functions_of(entry->system()));
                add_part("system " + in_quotes(entry->name()), entry->access(), has_code, types, uses);
                add_condition(entry->condition(), entry->name(), *store, types, uses);
            }
        }
    }
    for (const auto& state : states_) {
        if (types.contains(functions_of(state->machine())))
            uses.add("the state " + std::string(state->machine().type().name));
    }
}

}  // namespace stoa::detail
