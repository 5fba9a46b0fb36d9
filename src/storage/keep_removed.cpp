// The log of removed values, seen from the verbs of a store. RemovedValues has the values.
#include "stoa/detail/storage/keep_removed.hpp"

#include "storage/store_state.hpp"

namespace stoa::detail {
namespace {

// Requires: RemovedValues has prepared the component.
void start_log(Store& store, ComponentId id) noexcept {
    store.state().removed_values.use(id);
    for (Table* table : store.tables()) {
        if (table->has(id)) table->set_logged();
    }
    if (SparseSet* set = store.find_sparse(id)) set->set_logged();
}

}  // namespace

void keep_removed(Store& store, TypeList& list) {
    require_world(store, "keep_removed");
    for (std::uint32_t i = 0; i < list.count; ++i) {
        const ComponentId id = resolve(store.types().registry(), *list.types[i]);
        store.state().removed_values.prepare(id, store.state().libraries.use(id));
    }
    for (std::uint32_t i = 0; i < list.count; ++i) start_log(store, store.id_of(*list.types[i]));
}

const void* find_removed(const Store& store, ComponentId id, Entity entity) noexcept {
    return store.state().removed_values.find(id, entity);
}

void forget_removed(Store& store) noexcept {
    const Store::Lock lock(store);
    store.state().removed_values.forget();
}

}  // namespace stoa::detail
