// The invariants of a store, verified one by one: Errc::corrupt with the first broken one. Tests call this after every
// step; nothing in the library does.
#include <algorithm>
#include <bit>
#include <unordered_set>

#include "base/raise.hpp"
#include "stoa/detail/storage/introspection.hpp"
#include "storage/describe_entity.hpp"
#include "storage/store_state.hpp"

namespace stoa::detail {
namespace {

[[noreturn]] void broken(const std::string& invariant) { raise(Errc::corrupt, "check: " + invariant); }

void require(bool holds, const char* invariant) {
    if (!holds) broken(invariant);
}

using TableSet = std::unordered_set<const Table*>;

void check_components(const Table& table) {
    const ArrayView<const ComponentId> ids = table.ids();
    require(std::is_sorted(ids.begin(), ids.end()), "the components of a table are not in order");
    require(std::adjacent_find(ids.begin(), ids.end()) == ids.end(), "a table names a component twice");
    std::uint32_t columns = 0;
    for (std::uint32_t i = 0; i < table.id_count(); ++i) {
        const ComponentType& type = table.type(i);
        const ColumnAt at = table.find(table.ids()[i]);
        require(!type.is_sparse(), "a sparse component has a column");
        require(!table.is_ghost() || type.traits.cleanup, "a ghost has a component that is not a cleanup component");
        require(at.offset != ColumnAt::absent && at.tick_index == tick_index_of(i),
                "a table does not find one of its components");
        if (type.size == 0) continue;
        const Column& column = table.columns()[columns++];
        require(column.id == table.ids()[i] && column.offset == at.offset, "a column stands for another component");
        require(table.chunk_count() == 0 || column.offset % std::max<std::uint32_t>(64, type.alignment) == 0,
                "a column is misaligned");
    }
    require(columns == table.column_count(), "a table has a column without a component");
}

void check_log(const Store& store, const Table& table) {
    const RemovedValues& removed = store.state().removed_values;
    const ArrayView<const ComponentId> ids = table.ids();
    const bool logs = std::any_of(ids.begin(), ids.end(), [&](ComponentId id) { return removed.is_logged(id); });
    require(logs == table.is_logged(), "a table does not know whether its removed values are kept");
}

void check_rows(const Store& store, const Table& table, ChunkNumber number, std::uint32_t rows) {
    const Chunk& chunk = store.chunks()[number];
    for (std::uint32_t row = 0; row < rows; ++row) {
        const Entity entity = entities(chunk.base)[row];
        const bool there = table.is_ghost() ? store.directory().maybe_ghost(entity) : store.directory().alive(entity);
        if (!there) broken("a row holds " + describe(entity) + ", which is not alive");
        const Location at = store.directory().location(entity.index());
        if (at.chunk() != number || at.row() != row)
            broken(describe(entity) + " is recorded at another row than its own");
    }
}

void check_chunks(const Store& store, const Table& table) {
    require(table.chunk_count() == 0 || table.tail_position() < table.chunk_count(),
            "the tail of a table is not one of its chunks");
    require(table.tail_rows() <= table.chunk_rows(), "a table has more rows than its chunks can hold");
    require(table.chunk_count() <= 1 || table.has_full_chunks(), "a table has several chunks that are not full-size");
    require(std::has_single_bit(table.full_rows()), "rows per chunk are not a power of two");
    for (std::uint32_t c = 0; c < table.chunk_count(); ++c) {
        const ChunkNumber number = table.chunks()[c];
        require(store.chunks().contains(number), "a table names a chunk that was never made");
        const Chunk& chunk = store.chunks()[number];
        require(chunk.columns == &table.map() && chunk.base != nullptr, "a chunk belongs to another table");
        require(reinterpret_cast<std::uintptr_t>(chunk.base) % table.alignment() == 0, "a chunk is misaligned");
        require(reinterpret_cast<std::byte*>(chunk.ticks) == chunk.base + table.ticks_offset(),
                "a chunk has lost its ticks");
        check_rows(store, table, number, table.rows_at(c));
    }
    if (table.chunk_count() != 0) {
        require(table.tail_chunk_number() == table.chunks()[table.tail_position()] &&
                    table.tail_base() == store.chunks()[table.tail_chunk_number()].base &&
                    table.tail_ticks() == store.chunks()[table.tail_chunk_number()].ticks,
                "the tail of a table is not where it says");
    } else {
        require(table.chunk_rows() == 0 && table.tail_rows() == 0, "a table without chunks has rows");
    }
}

// Every world uses the description that its registry has, so that the registry knows when a library can go.
void check_description(const Store& store, ComponentId id, const ComponentType& type) {
    require(&store.types().registry().type(id) == &type, "a component has another description than in the registry");
}

void check_table(const Store& store, const Table& table, const TableSet& known) {
    check_components(table);
    for (std::uint32_t i = 0; i < table.id_count(); ++i) check_description(store, table.ids()[i], table.type(i));
    check_log(store, table);
    check_chunks(store, table);
    table.migrations().each([&](const Migration& migration) {
        require(known.contains(migration.target), "a migration leads to a table that is gone");
        require(table.migrations().search(migration.key) == &migration, "a migration cannot be found by its key");
    });
}

void check_counts(const Store& store, const TableSet& known) {
    if (const char* fault = store.state().catalog.check()) broken(fault);
    std::uint64_t chunks = 0;
    std::uint64_t living = 0;
    std::uint64_t ghosts = 0;
    for (const Table* table : store.tables()) {
        chunks += table->chunk_count();
        (table->is_ghost() ? ghosts : living) += table->row_count();
    }
    require(chunks == store.chunks().in_use(), "chunk numbers are lost");
    require(living == store.directory().living(),
            "the tables hold another number of living entities than the directory");
    require(ghosts == store.directory().ghosts(), "the tables hold another number of ghosts than the directory");
    store.state().list_tables.each(
        [&](const Table& table) { require(known.contains(&table), "a type list leads to a table that is gone"); });
}

void check_sparse(const Store& store) {
    for (const SparseSet* set : store.sparse_sets().all()) {
        if (const char* fault = set->check()) broken(fault);
        check_description(store, set->id(), set->type());
        require(set->is_logged() == store.state().removed_values.is_logged(set->id()),
                "a sparse set does not know whether its removed values are kept");
        set->each_owner([&](Entity owner, SparseSlot) {
            const bool there = store.alive(owner) || (set->type().traits.cleanup && store.locate_ghost(owner));
            if (!there) broken("a sparse component belongs to " + describe(owner) + ", which is not alive");
            require((store.sparse_sets().mask_of(owner.index()) & set->mask_bit()) != 0,
                    "an entity does not know of its sparse component");
        });
    }
}

// Every owner of a sparse component has its bit, see above; so equal numbers say that nobody else has one. The shared
// bit is a hint, and may stay when its components are gone, but not when the entity is.
void check_masks(const Store& store) {
    std::uint64_t components = 0;
    for (const SparseSet* set : store.sparse_sets().all())
        components += set->mask_bit() != shared_mask_bit ? set->size() : 0;
    std::uint64_t bits = 0;
    std::uint64_t hints = 0;
    for (std::uint32_t i = 0; i < store.directory().size(); ++i) {
        const std::uint64_t mask = store.sparse_sets().mask_of(i);
        bits += static_cast<std::uint64_t>(std::popcount(mask & ~shared_mask_bit));
        hints += mask >> 63;
    }
    require(bits == components, "an entity believes that it has a sparse component");
    for (const Table* table : store.tables()) {
        each_entity(store, *table, [&](Entity entity) { hints -= store.sparse_sets().mask_of(entity.index()) >> 63; });
    }
    require(hints == 0, "a free index has the mask of its last entity");
}

}  // namespace

void check(const Store& store) {
    if (const char* fault = store.directory().check()) broken(fault);
    if (const char* fault = store.resources().check()) broken(fault);
    const TableSet known(store.tables().begin(), store.tables().end());
    for (const Table* table : store.tables()) check_table(store, *table, known);
    check_counts(store, known);
    check_sparse(store);
    check_masks(store);
    if (const char* fault = store.state().removed_values.check()) broken(fault);
}

}  // namespace stoa::detail
