// Lets go of the types of a library, owner by owner.
#include "storage/forget_components.hpp"

#include <algorithm>

#include "component/library_types.hpp"
#include "stoa/detail/storage/type_user.hpp"
#include "storage/store_state.hpp"

namespace stoa::detail {
namespace {

// The values of one component, those of ghosts too.
std::uint64_t count_values(const Store& store, ComponentId id) {
    const SparseSet* set = store.find_sparse(id);
    std::uint64_t count = set != nullptr ? set->size() : 0;
    for (const Table* table : store.tables()) {
        if (table->has(id)) count += table->row_count();
    }
    return count;
}

}  // namespace

void name_component_uses(const Store& store, const LibraryTypes& types, UsesLeft& uses) {
    const Store::State& state = store.state();
    for (std::uint32_t number = 0; number < types.components.size(); ++number) {
        const ComponentId id{number};
        if (!types.has(id)) continue;
        const std::string_view name = store.types().registry().type(id).name();
        uses.add(count_values(store, id), "values of ", name);
        uses.add(state.removed_values.count(id), "removed values of ", name);
        const IndexedComponent* indexed = state.tracking.find_indexed(id);
        uses.add(indexed != nullptr ? indexed->readers : 0, "indexes of ", name);
    }
    store.resources().name_uses(types, uses);
    TypeUser::name_all(store.link(), types, uses);
}

bool end_recycled(Store& store, const LibraryTypes& types) noexcept {
    const Store::Lock lock(store);
    return store.state().object_pools.remove_if([&](ComponentId id) { return types.has(id); });
}

void forget_components(Store& store, const LibraryTypes& types) noexcept {
    Store::State& state = store.state();
    const auto is_of_library = [&](ComponentId id) { return types.has(id); };
    const auto names = [&](const Table& table) {
        return std::any_of(table.ids().begin(), table.ids().end(), is_of_library);
    };
    for (Table* table : state.catalog.tables()) {
        if (names(*table)) state.growth.release_all_chunks(*table);
    }
    state.list_tables.forget(names);
    state.catalog.remove_if(names);
    state.removed_values.remove_if(is_of_library);
    store.sparse_sets().remove_if(is_of_library);
    state.tracking.forget_if(is_of_library);
    store.resources().forget_types(types);
    store.notifier().tables_removed();
}

}  // namespace stoa::detail
