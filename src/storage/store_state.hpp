// The owners inside a store that no inline path needs. Included by the sources of this room, and by those of later
// rooms that read a world's options or its catalog of tables.
#pragma once

#include <mutex>

#include "base/block_pool.hpp"
#include "component/registry.hpp"
#include "stoa/detail/storage/store.hpp"
#include "storage/change_tracking.hpp"
#include "storage/object_pool.hpp"
#include "storage/removed_values.hpp"
#include "storage/row_mover.hpp"
#include "storage/table_catalog.hpp"
#include "storage/table_growth.hpp"
#include "storage/value_exchange.hpp"

namespace stoa::detail {

struct Store::State final : TableCatalog::Hooks, TickSweeper {
    State(Store& owner, const WorldOptions& world_options);
    ~State();

    Store& store;
    WorldOptions options;
    BlockPool pool;
    TableCatalog catalog;
    LibraryUses& libraries{store.libraries_};
    TypeListTables& list_tables{store.list_tables_};
    ObjectPools object_pools{pool};
    RemovedValues removed_values{pool, object_pools};
    ValueExchange exchange{pool};
    ChangeTracking tracking{pool, store.chunks_, store.clock_};
    TableGrowth growth{pool, store.chunks_, tracking, store.clock_, store, store.notifier_};
    RowMover mover{store.directory_, store.chunks_, store.clock_, store, tracking, growth, removed_values};
    mutable std::mutex readers;  // held by readers of a const world while they make or count queries
    bool has_requirers = false;  // a component that requires others may be in the world
    bool is_gone = false;        // the store of worlds that were moved from
    bool is_ending = false;      // components and commands are destroyed; what the world had besides comes next

    // What the owners of pools, removed values and row ticks do about a new table.
    void before_table(const ComponentSet& set) override;
    void after_table(Table& table) noexcept override;
    void sweep_ticks(Tick now) noexcept override;
};

// Calls visit(entity) for all rows of a table, which stay as they are.
template <class Visit>
void each_entity(const Store& store, const Table& table, Visit&& visit) {
    for (std::uint32_t c = 0; c < table.used_chunk_count(); ++c) {
        const Entity* ids = entities(store.chunks()[table.chunks()[c]].base);
        const std::uint32_t rows = table.rows_at(c);
        for (std::uint32_t row = 0; row < rows; ++row) visit(ids[row]);
    }
}

// Destroys all values and releases all ids. Nothing is announced.
void drop_everything(Store& store) noexcept;

}  // namespace stoa::detail
