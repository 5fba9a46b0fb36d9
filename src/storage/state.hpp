// The compiled half of the store: what the inline fast paths never touch, and the steps that the verbs are made of.
// Included by the sources of this room, and by those of later rooms that read a world's options.
#pragma once

#include <cstring>
#include <unordered_set>
#include <vector>

#include "base/block_pool.hpp"
#include "base/pod_array.hpp"
#include "component/registry.hpp"
#include "stoa/detail/followed.hpp"
#include "stoa/detail/store.hpp"
#include "storage/object_pool.hpp"
#include "storage/removed.hpp"

namespace stoa::detail {

// A set of components under construction, ascending by id.
struct ComponentSet {
    PodArray<ComponentId> ids;
    PodArray<const ComponentType*> types;

    void clear() { ids.size = types.size = 0; }
    void push(ComponentId id, const ComponentType* type) {
        ids.push(id);
        types.push(type);
    }
    void reserve(BlockPool& pool, std::uint32_t count) {
        ids.reserve(pool, count);
        types.reserve(pool, count);
    }
};

struct Store::State {
    State(Store& owner, const WorldOptions& world_options);
    ~State();

    Store& store;
    WorldOptions options;
    BlockPool pool;
    PodArray<Table*> tables;         // in order of creation
    PodArray<std::uint64_t> digests; // theirs
    PodArray<Table*> index;          // open addressing by hash of the set
    PodArray<std::uint32_t> free_chunks;
    std::uint32_t chunk_count = 0;   // numbers ever used
    std::uint32_t chunk_capacity = 0;
    std::uint32_t list_capacity = 0;
    std::uint32_t sparse_capacity = 0;
    std::uint32_t next_serial = 0;
    std::uint64_t chunks_in_use = 0;
    PodArray<SparseSet*> sparse_sets;    // by ordinal
    PodArray<ObjectPool*> object_pools;  // by component id; null where a type is not pooled
    ComponentSet scratch;                // for the set that is looked up; always large enough for a removal
    PodArray<std::byte> aside;           // room for one value while two change places
    PodArray<bool> tracked;              // by component id
    PodArray<Followed*> followed;        // by component id; null where no one follows it
    PodArray<RemovedLog*> removed_logs;  // by component id; null where no one wants removed values
    bool is_growing = false;             // values are on their way to a larger chunk
    bool is_ending = false;              // the world is: nothing is kept any more
    bool is_gone = false;

    // table.cpp: rows and chunks of one table.
    Table& create_table(const ComponentSet& set, bool ghost, std::uint64_t hash);
    void destroy_table(Table& table) noexcept;
    void make_room(Table& table);
    void grow_first(Table& table, std::uint32_t rows);
    static std::size_t reserve_for(const Table& table, std::uint32_t rows);  // what a removal may need at once
    void reserve_rows(Table& table, std::uint64_t rows);
    void set_tail(Table& table, std::uint32_t index, std::uint32_t rows) noexcept;
    void advance_tail(Table& table) noexcept { set_tail(table, table.tail_index + 1, 0); }
    void drop_all_rows(Table& table) noexcept;
    void release_spare_chunks(Table& table, std::uint32_t keep) noexcept;
    void release_all_chunks(Table& table) noexcept;
    void wake(Table& table) noexcept;
    void retreat_tail(Table& table) noexcept;
    void drop_row_with_values(Table& table, Location at) noexcept;
    void migrate_values(Table& source, Location from, Plan& along) noexcept;
    static void refresh(Plan& along, const Table& source) noexcept;
    void end_departed(Entity entity, Table& source, Location from, Plan& along) noexcept;

    // track.cpp: ticks of single rows.
    bool is_tracked(ComponentId id, const ComponentType& type) const;
    void note_tracked(ComponentId id);
    RowTicks** new_row_ticks(const Table& table, std::uint32_t rows);
    RowTicks* new_stamps(std::uint32_t rows, Tick now, ComponentId id);
    void free_row_ticks(const Table& table, RowTicks** ticks) noexcept;
    static std::size_t row_tick_bytes(const Table& table, std::uint32_t rows);
    static void copy_row_ticks(const Table& table, RowTicks** to, RowTicks** from, std::uint32_t count) noexcept;
    void track_in(Table& table, ComponentId id, Tick now);
    void carry_stamps(const Chunk& from, std::uint32_t row, const Table& target) noexcept;
    void move_last_stamps(const Table& table, Location to) noexcept;

    // followed.cpp: components that someone keeps an index of.
    Followed* find_followed(ComponentId id) const noexcept {
        const auto number = static_cast<std::uint32_t>(id);
        return number < followed.size ? followed[number] : nullptr;
    }
    // The entity in this row goes to `target`, or out of the world when that is null.
    void note_departure(const Chunk& from, std::uint32_t row, const Table* target) noexcept {
        if (followed.size != 0) note_followed_departure(from, row, target);
    }
    void note_followed_departure(const Chunk& from, std::uint32_t row, const Table* target) noexcept;
    void note_all_depart(const Table& table) noexcept;

    // rows.hpp: rows on the move.
    void leave_empty_tail(Table& table) noexcept;
    void close_last_row(Table& table) noexcept;
    void close_hole(Table& table, Location at, const Chunk& chunk) noexcept;
    void remove_plain_row(Table& table, Location at) noexcept;
    void drop_row(Table& table, Location at) noexcept;
    void migrate(Entity entity, Table& source, Location from, Plan& along) noexcept;
    void drop_departed(Entity entity, Table& source, Location from, Plan& along) noexcept;
    static bool moves_bytes(const Store& store, const Table& source, const Plan& along) noexcept;
    static void fill_gap(Store& store, Table& table, const Chunk& chunk, Location at, std::uint32_t last) noexcept;
    static void drop_bytes(Store& store, Table& table, Location at) noexcept;
    static void migrate_bytes(Store& store, Entity entity, Table& source, Location from, Plan& along) noexcept;

    // Calls visit(entity) for all rows of a table, which stay as they are.
    template <class Visit>
    void each_entity(const Table& table, Visit&& visit) const {
        for (std::uint32_t c = 0; table.chunk_count != 0 && c <= table.tail_index; ++c) {
            const Entity* ids = entities(store.chunks_[table.chunks[c]].base);
            const std::uint32_t rows = c == table.tail_index ? table.tail_rows : table.chunk_rows;
            for (std::uint32_t row = 0; row < rows; ++row) visit(ids[row]);
        }
    }

    // rows_at_once.cpp: all rows of a table.
    class Exodus;
    bool put_row(Entity entity, TypeList& list, const void* const* values, bool replace, const char* verb);
    void fill_table(const Table& table, TypeList& list, const void* const* values) noexcept;
    static void fill(std::byte* base, ColumnAt at, std::size_t row, std::size_t count, std::size_t size, const void* value) noexcept;
    // Calls visit(entity) for those that are in the table now, and counts how often it said yes. Rows may come and go.
    template <class Visit>
    std::uint64_t each_row_of(const Table& table, Visit&& visit) {
        std::vector<Entity> ids;
        ids.reserve(table.rows());
        each_entity(table, [&](Entity entity) { ids.push_back(entity); });
        std::uint64_t yes = 0;
        for (const Entity entity : ids) yes += visit(entity) ? 1u : 0u;
        return yes;
    }

    // graph.cpp: sets of components and the migrations between them.
    Table& find_table(const ComponentSet& set, bool ghost);
    Table* known_table(const ComponentSet& set, bool ghost, std::uint64_t hash) const;
    Table* known_table(TypeList& list) const;  // of table components
    Plan& plan(Table& source, std::uint64_t key, bool ghost);  // from source to the set in scratch
    void scratch_add(const Table& source, TypeList& list);
    void scratch_remove(const Table& source, TypeList& list);
    void scratch_keep(const Table& source, bool keep_cleanup);
    void scratch_union(const Table& source, const Table& other);
    void free_edges(Table& table) noexcept;
    void reindex() noexcept;
    void release_plan(Plan& used, Table& source) noexcept;     // frees a plan that could not be cached

    // Values leaving the world.
    void drop_value(const ComponentType& type, ComponentId id, void* value) noexcept;
    ObjectPool* object_pool(ComponentId id) const noexcept {
        const auto number = static_cast<std::uint32_t>(id);
        return number < object_pools.size ? object_pools[number] : nullptr;
    }
    void make_object_pool(ComponentId id, const ComponentType& type);

    // removed.cpp: values that are kept for a while.
    RemovedLog* removed_log(ComponentId id) const noexcept {
        const auto number = static_cast<std::uint32_t>(id);
        if (number >= removed_logs.size || is_ending) return nullptr;
        return removed_logs[number] != nullptr && removed_logs[number]->in_use() ? removed_logs[number] : nullptr;
    }
    void make_removed_log(ComponentId id, const ComponentType& type);
    void use_removed_log(ComponentId id) noexcept;
    void free_removed_logs() noexcept;
    void keep_copies(const Change& change) noexcept;  // of those that are bytes; the others come when they would end
    void keep_or_drop(Entity owner, const ComponentType& type, ComponentId id, void* value) noexcept;
    void erase_kept(SparseSet& set, Entity entity, std::uint32_t slot) noexcept;
    void end_removed(RemovedLog& log) noexcept;

    // Sparse components of one entity. `visit(SparseSet&, slot)`.
    template <class Visit>
    void each_sparse(Entity entity, Visit&& visit) const {
        if (sparse_sets.size == 0 || !store.mask_ready(entity.index())) return;
        std::uint64_t bits = store.mask(entity.index());
        while (bits != 0) {
            const auto bit = static_cast<std::uint32_t>(__builtin_ctzll(bits));
            bits &= bits - 1;
            const std::uint32_t last = bit == 63 ? sparse_sets.size : bit + 1;
            for (std::uint32_t ordinal = bit; ordinal < last; ++ordinal) {
                SparseSet& set = *sparse_sets[ordinal];
                if (const std::uint32_t slot = set.slot_of(entity); slot != SparseSet::none) visit(set, slot);
            }
        }
    }
    bool has_sparse_cleanup(Entity entity) const;
    // False only when the entity is in no sparse set.
    bool in_sparse_set(Entity entity) const {
        return sparse_sets.size != 0 && store.mask_ready(entity.index()) && store.mask(entity.index()) != 0;
    }
    // Erases the sparse components that `which(type)` selects; returns whether there was one.
    template <class Which>
    bool drop_sparse(Entity entity, Which&& which) noexcept {
        bool any = false;
        each_sparse(entity, [&](SparseSet& set, std::uint32_t slot) {
            if (!which(set.type())) return;
            store.erase_sparse(set, entity, slot);
            any = true;
        });
        return any;
    }
    // Erases all of them. Whoever gets the index next begins with an empty mask.
    void drop_all_sparse(Entity entity) noexcept {
        if (!in_sparse_set(entity)) return;
        drop_sparse(entity, [](const ComponentType&) { return true; });
        store.mask(entity.index()) = 0;
    }

    // store.cpp
    Outcome put_bytes_slowly(Entity entity, Location at, TypeList& list, const void* value, bool replace, const char* verb);
    Outcome finish_told(Entity entity, const Edit& edit);
    void reserve_aside(const ComponentType& type);  // for exchange()
    void exchange(const ComponentType& type, void* a, void* b) noexcept;

    // remove.cpp: the end of entities.
    class Passage;
    void become_ghost(Entity entity, Table& table);
    Plan* removal_plan(Table& table, TypeList& list);  // null when the table has none of them
    bool remove_column(Entity entity, Table& table, Location at, TypeList& list);
    bool remove_slowly(Entity entity, Location at, TypeList& list, bool ghost);
    bool despawn_any(Entity entity, Table& table, Location at);
    bool despawn_told(Entity entity, Table& table, Location at);
    void remove_from_sets(Entity entity, TypeList& list) noexcept;
    void end_ghost_if_bare(Entity entity) noexcept;
    bool tell_all_leave();  // whether there was someone to tell
    void drop_everything() noexcept;

    // apply.cpp
    void replace_part(Entity entity, const Incoming& part) noexcept;
    void settle_parts(Entity entity, std::span<Incoming> parts) noexcept;

    // runs.cpp
    std::uint32_t migrate_run(const RunOfEntities& run, Table& source, Plan& along) noexcept;
    std::uint32_t drop_run(const RunOfEntities& run, Table& table) noexcept;
    std::uint32_t enter_run(const RunOfSpawns& run, const TypeList& list, Table& table) noexcept;
    void shorten(Table& table, std::uint32_t rows) noexcept;

    // check.cpp
    using TableSet = std::unordered_set<const Table*>;
    void check_table(const Table& table, const TableSet& known) const;
    void check_index(const TableSet& known) const;
    void check_sparse() const;
    void check_masks() const;
};

}  // namespace stoa::detail
