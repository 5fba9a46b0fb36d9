// What the queries of a world have of the types of a library, and how their states are forgotten.
#include "base/raise.hpp"
#include "component/library_types.hpp"
#include "component/registry.hpp"
#include "query/query_index.hpp"

namespace stoa::detail {

std::string_view QueryState::name_of(const LibraryTypes& types, const Store& store) const {
    std::string_view name;
    const auto look_at = [&](ComponentId id) {
        if (types.has(id)) name = store.types().registry().type(id).name();
    };
    for (const Single& condition : required_) look_at(condition.id);
    for (const Single& condition : excluded_) look_at(condition.id);
    for (const std::vector<Choice>& choices : choices_) {
        for (const Choice& choice : choices) look_at(choice.id);
    }
    for (const ResourceId id : needs_) {
        const auto number = static_cast<std::uint32_t>(id);
        if (types.has_resource(number)) name = store.types().registry().resource_type(number).type_name;
    }
    return name;
}

void QueryIndex::name_uses(const LibraryTypes& types, UsesLeft& uses) const {
    for (const QueryState* state : states_) {
        const std::string_view name = state->name_of(types, store_);
        if (!name.empty()) uses.add(state->link().holders() - 1, "queries of ", name);
    }
    signals_.name_uses(types, uses);
}

void QueryIndex::forget_types(const LibraryTypes& types) noexcept {
    const auto is_forgotten = [&](const QueryState* state) { return !state->name_of(types, store_).empty(); };
    const auto waits = [&](const Waiting& waiting) { return is_forgotten(waiting.state); };
    for (std::vector<Waiting>& waiting : waiting_) std::erase_if(waiting, waits);
    std::erase_if(open_, waits);
    for (QueryState*& state : by_number_) {
        if (state != nullptr && is_forgotten(state)) state = nullptr;
    }
    std::erase_if(states_, [&](QueryState* state) {
        const bool forgotten = is_forgotten(state);
        if (forgotten) delete state;
        return forgotten;
    });
}

}  // namespace stoa::detail
