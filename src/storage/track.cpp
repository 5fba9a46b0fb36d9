// Starting to track components, in existing tables and sparse sets.
#include "stoa/detail/storage/track.hpp"

#include "storage/store_state.hpp"

namespace stoa::detail {

void track(Store& store, TypeHandle& slot) {
    const ComponentId id = resolve(store.types().registry(), slot);
    Store::State& state = store.state();
    if (state.growth.is_growing()) fail_locked(store, "query", slot.type->name());
    state.tracking.note_tracked(id);
    // A walk that is under way wrote what it wrote without these ticks: as if everything changed right after this
    // moment.
    const Tick now = store.tick() + (store.locked() ? 1 : 0);
    if (slot.type->is_sparse()) return store.sparse_set(slot).track(now);
    for (Table* table : store.tables()) {
        if (!table->has(id)) continue;
        state.growth.reserve_for_tracking(*table);
        state.tracking.start(*table, id, now);
    }
}

IndexedComponent& index_component(Store& store, TypeHandle& slot) {
    track(store, slot);
    ChangeTracking& tracking = store.state().tracking;
    const ComponentId id = resolve(store.types().registry(), slot);
    if (IndexedComponent* known = tracking.find_indexed(id)) return *known;
    IndexedComponent& component = tracking.make_indexed(id);
    if (slot.type->is_sparse()) {
        store.sparse_set(slot).set_indexed(component);
        return component;
    }
    for (const Table* table : store.tables()) {
        if (table->has(id)) tracking.record_writes(*table, id, component);
    }
    return component;
}

}  // namespace stoa::detail
