// The compiled half of the store: what the inline fast paths never touch, and the steps that the verbs are made of.
// Included by the sources of this room, and by those of later rooms that read a world's options.
#pragma once

#include <cstring>
#include <unordered_set>
#include <vector>

#include "base/block_pool.hpp"
#include "base/pod_array.hpp"
#include "component/registry.hpp"
#include "stoa/detail/storage/store.hpp"
#include "storage/change_tracking.hpp"
#include "storage/object_pool.hpp"
#include "storage/removed_values.hpp"
#include "storage/row_mover.hpp"
#include "storage/table_catalog.hpp"
#include "storage/table_growth.hpp"

namespace stoa::detail {

struct Store::State final : TableCatalog::Hooks, TickSweeper {
    State(Store& owner, const WorldOptions& world_options);
    ~State();

    Store& store;
    WorldOptions options;
    BlockPool pool;
    TableCatalog catalog;
    ObjectPools object_pools{pool};
    RemovedValues removed_values{pool, object_pools};
    PodArray<std::byte> aside;  // room for one value while two change places
    ChangeTracking tracking{pool, store.chunks_, store.clock_};
    TableGrowth growth{pool, store.chunks_, tracking, store.clock_, store, store.notifier_};
    RowMover mover{store.directory_, store.chunks_, store.clock_, store, tracking, growth, removed_values};
    bool is_gone = false;

    // What the owners of pools, removed values and row ticks do about a new table.
    void before_table(const ComponentSet& set) override;
    void after_table(Table& table) noexcept override;
    void sweep_ticks(Tick now) noexcept override;

    // Calls visit(entity) for all rows of a table, which stay as they are.
    template <class Visit>
    void each_entity(const Table& table, Visit&& visit) const {
        for (std::uint32_t c = 0; c < table.used_chunk_count(); ++c) {
            const Entity* ids = entities(store.chunks_[table.chunks()[c]].base);
            const std::uint32_t rows = table.rows_at(c);
            for (std::uint32_t row = 0; row < rows; ++row) visit(ids[row]);
        }
    }

    // rows_at_once.cpp: all rows of a table.
    class WholeTableMove;
    bool put_row(Entity entity, TypeList& list, const void* const* values, bool replace, const char* verb);
    void fill_table(const Table& table, TypeList& list, const void* const* values) noexcept;
    static void fill(std::byte* base, ColumnAt at, std::size_t row, std::size_t count, std::size_t size,
                     const void* value) noexcept;
    // Calls visit(entity) for those that are in the table now, and counts how often it said yes. Rows may come and go.
    template <class Visit>
    std::uint64_t each_row_of(const Table& table, Visit&& visit) {
        std::vector<Entity> ids;
        ids.reserve(table.row_count());
        each_entity(table, [&](Entity entity) { ids.push_back(entity); });
        std::uint64_t yes = 0;
        for (const Entity entity : ids) yes += visit(entity) ? 1u : 0u;
        return yes;
    }

    // store.cpp
    Outcome overwrite_or_move_bytes(Entity entity, Location at, TypeList& list, const void* value, bool replace,
                                    const char* verb);
    void reserve_aside(const ComponentType& type);  // for exchange()
    void exchange(const ComponentType& type, void* a, void* b) noexcept;

    // remove.cpp: the end of entities.
    class Passage;
    void become_ghost(Entity entity, Table& table);
    bool remove_column(Entity entity, Table& table, Location at, TypeList& list);
    bool remove_slowly(Entity entity, Location at, TypeList& list, bool ghost);
    bool despawn_any(Entity entity, Table& table, Location at);
    void remove_from_sets(Entity entity, TypeList& list) noexcept;
    void end_ghost_if_bare(Entity entity) noexcept;
    void drop_everything() noexcept;

    // check.cpp
    using TableSet = std::unordered_set<const Table*>;
    void check_table(const Table& table, const TableSet& known) const;
    void check_counts(const TableSet& known) const;
    void check_sparse() const;
    void check_masks() const;
};

}  // namespace stoa::detail
