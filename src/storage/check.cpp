// The invariants of a store, verified one by one: Errc::corrupt with the first broken one. Tests call this after every
// step; nothing in the library does.
#include <algorithm>
#include <bit>

#include "base/raise.hpp"
#include "storage/sentences.hpp"
#include "storage/state.hpp"

namespace stoa::detail {
namespace {

[[noreturn]] void broken(const std::string& invariant) { raise(Errc::corrupt, "check: " + invariant); }

void require(bool holds, const char* invariant) {
    if (!holds) broken(invariant);
}

}  // namespace

void Store::State::check_table(const Table& table, const TableSet& known) const {
    require(std::is_sorted(table.ids, table.ids + table.id_count), "the components of a table are not in order");
    require(std::adjacent_find(table.ids, table.ids + table.id_count) == table.ids + table.id_count,
            "a table names a component twice");
    require(table.chunk_count == 0 || table.tail_index < table.chunk_count, "the tail of a table is not one of its chunks");
    require(table.tail_rows <= table.chunk_rows, "a table has more rows than its chunks can hold");
    require(table.chunk_count <= 1 || table.chunk_rows == table.full_rows, "a table has several chunks that are not full-size");
    require(std::has_single_bit(table.full_rows), "rows per chunk are not a power of two");

    std::uint32_t columns = 0;
    for (std::uint32_t i = 0; i < table.id_count; ++i) {
        const ComponentType& type = *table.types[i];
        const ColumnAt at = table.find(table.ids[i]);
        require(!type.is_sparse(), "a sparse component has a column");
        require(!table.ghost || type.traits.cleanup, "a ghost has a component that is not a cleanup component");
        require(at.offset != ColumnAt::absent && at.tick == i + 1, "a table does not find one of its components");
        if (type.size == 0) continue;
        const Column& column = table.columns[columns++];
        require(column.id == table.ids[i] && column.offset == at.offset, "a column stands for another component");
        require(table.chunk_count == 0 || column.offset % std::max<std::uint32_t>(64, type.alignment) == 0, "a column is misaligned");
    }
    require(columns == table.column_count, "a table has a column without a component");
    const bool keeps = std::any_of(table.ids, table.ids + table.id_count, [&](ComponentId id) { return removed_log(id) != nullptr; });
    require(keeps == table.is_watched(Table::keeps), "a table does not know whether its removed values are kept");

    for (std::uint32_t c = 0; c < table.chunk_count; ++c) {
        const std::uint32_t number = table.chunks[c];
        require(number < chunk_count, "a table names a chunk that was never made");
        const Chunk& chunk = store.chunks_[number];
        require(chunk.columns == &table.map() && chunk.base != nullptr, "a chunk belongs to another table");
        require(reinterpret_cast<std::uintptr_t>(chunk.base) % table.alignment == 0, "a chunk is misaligned");
        require(reinterpret_cast<std::byte*>(chunk.ticks) == chunk.base + table.ticks_offset, "a chunk has lost its ticks");
        const std::uint32_t rows = c < table.tail_index ? table.chunk_rows : c == table.tail_index ? table.tail_rows : 0;
        for (std::uint32_t row = 0; row < rows; ++row) {
            const Entity entity = entities(chunk.base)[row];
            const bool there = table.ghost ? store.directory_.maybe_ghost(entity) : store.directory_.alive(entity);
            if (!there) broken("a row holds " + describe(entity) + ", which is not alive");
            const Location at = store.directory_.location(entity.index());
            if (at.chunk() != number || at.row() != row) broken(describe(entity) + " is recorded at another row than its own");
        }
    }
    if (table.chunk_count != 0) {
        require(table.tail_number == table.chunks[table.tail_index] && table.tail_base == store.chunks_[table.tail_number].base &&
                    table.tail_ticks == store.chunks_[table.tail_number].ticks,
                "the tail of a table is not where it says");
    } else {
        require(table.chunk_rows == 0 && table.tail_rows == 0, "a table without chunks has rows");
    }
    for (std::uint32_t i = 0; i <= table.edges.mask; ++i) {
        const Plan* plan = table.edges.slots[i].plan;
        if (plan == nullptr) continue;
        require(known.contains(plan->target), "an edge leads to a table that is gone");
        require(table.edges.search(plan->key) == plan, "an edge cannot be found by its key");
    }
}

void Store::State::check_index(const TableSet& known) const {
    const auto indexed = std::count_if(index.begin(), index.end(), [](Table* table) { return table != nullptr; });
    require(static_cast<std::uint32_t>(indexed) == tables.size, "the index of tables has another number of tables");
    std::uint64_t chunks = 0;
    std::uint64_t living = 0;
    std::uint64_t ghosts = 0;
    require(std::equal(tables.begin(), tables.end(), digests.begin(), digests.end(),
                       [](const Table* table, std::uint64_t digest) { return table->digest == digest; }),
            "the digests of the tables are not theirs");
    for (const Table* table : tables) {
        ComponentSet set;
        set.ids = {const_cast<ComponentId*>(table->ids), table->id_count, table->id_count};
        require(known_table(set, table->ghost, table->hash) == table, "a table cannot be found by its components");
        chunks += table->chunk_count;
        (table->ghost ? ghosts : living) += table->rows();
    }
    require(chunks == chunks_in_use && chunks + free_chunks.size == chunk_count, "chunk numbers are lost");
    require(living == store.directory_.living(), "the tables hold another number of living entities than the directory");
    require(ghosts == store.directory_.ghosts(), "the tables hold another number of ghosts than the directory");
    for (std::uint32_t list = 0; list < store.list_count_; ++list) {
        const Table* table = store.list_tables_[list];
        require(table == nullptr || known.contains(table), "a type list leads to a table that is gone");
    }
}

void Store::State::check_sparse() const {
    for (const SparseSet* set : sparse_sets) {
        if (const char* fault = set->check()) broken(fault);
        require(set->kept() == (removed_log(set->id()) != nullptr), "a sparse set does not know whether its removed values are kept");
        for (std::uint32_t slot = 0; slot < set->bound(); ++slot) {
            const Entity owner = set->owner(slot);
            if (!owner) continue;
            const bool there = store.alive(owner) || (set->type().traits.cleanup && store.locate_ghost(owner));
            if (!there) broken("a sparse component belongs to " + describe(owner) + ", which is not alive");
            require(store.mask_ready(owner.index()) && (store.mask(owner.index()) & set->mask_bit()) != 0,
                    "an entity does not know of its sparse component");
        }
    }
}

// Every owner of a sparse component has its bit, see above; so equal numbers say that nobody else has one. The shared
// bit is a hint, and may stay when its components are gone, but not when the entity is.
void Store::State::check_masks() const {
    std::uint64_t components = 0;
    for (const SparseSet* set : sparse_sets) components += set->mask_bit() != SparseSet::shared_bit ? set->size() : 0;
    std::uint64_t bits = 0;
    std::uint64_t hints = 0;
    for (std::uint32_t i = 0; i < store.directory_.size(); ++i) {
        const std::uint64_t mask = store.mask_ready(i) ? store.mask(i) : 0;
        bits += static_cast<std::uint64_t>(std::popcount(mask & ~SparseSet::shared_bit));
        hints += mask >> 63;
    }
    require(bits == components, "an entity believes that it has a sparse component");
    for (const Table* table : tables) {
        each_entity(*table, [&](Entity entity) {
            hints -= store.mask_ready(entity.index()) ? store.mask(entity.index()) >> 63 : 0;
        });
    }
    require(hints == 0, "a free index has the mask of its last entity");
}

void Store::check() const {
    if (const char* fault = directory_.check()) broken(fault);
    if (const char* fault = resources_.check()) broken(fault);
    const State::TableSet known(state_->tables.begin(), state_->tables.end());
    for (const Table* table : state_->tables) state_->check_table(*table, known);
    state_->check_index(known);
    state_->check_sparse();
    state_->check_masks();
    for (const RemovedLog* log : state_->removed_logs) {
        if (const char* fault = log != nullptr ? log->check() : nullptr) broken(fault);
    }
}

}  // namespace stoa::detail
