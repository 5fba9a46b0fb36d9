// Memory for entities ahead of time, and its return.
#include "stoa/detail/storage/capacity.hpp"

#include <algorithm>

#include "storage/store_state.hpp"

namespace stoa::detail {

void reserve(Store& store, std::uint64_t entities) {
    store.require_unlocked("reserve");
    const std::uint64_t living = store.directory().living();
    if (entities > living) store.directory().prepare(entities - living, "reserve");
}

void reserve_rows(Store& store, TypeList& list, std::uint64_t rows) {
    store.require_unlocked("reserve");
    Table& table = store.table_of(list);
    if (rows <= table.row_count()) return;
    store.directory().prepare(rows - table.row_count(), "reserve");
    store.state().growth.reserve_rows(table, rows);
    table.set_reserved_chunks(std::max(table.reserved_chunks(), table.chunk_count()));
}

void shrink_to_fit(Store& store) {
    store.require_unlocked("shrink_to_fit");
    if (store.holds_tables()) fail_locked(store, "shrink_to_fit");
    Store::State& state = store.state();
    state.object_pools.clear();
    state.removed_values.shrink();
    for (Table* table : state.catalog.tables()) {
        table->set_reserved_chunks(0);
        if (table->row_count() == 0) {
            state.growth.release_all_chunks(*table);
        } else {
            state.growth.release_spare_chunks(*table, table->tail_position() + 1);
        }
    }
    state.list_tables.forget([&](const Table& table) { return state.catalog.is_unused(table); });
    state.catalog.remove_unused();
    store.notifier().tables_removed();
    state.pool.trim();
}

}  // namespace stoa::detail
