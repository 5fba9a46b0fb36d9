// Chunks of tables: when they are made, how large they are, and when they are freed.
#include "storage/table_growth.hpp"

#include <algorithm>
#include <bit>

#include "stoa/detail/base/scope_guard.hpp"

namespace stoa::detail {
namespace {

constexpr std::uint32_t first_rows = 8;  // of a table's first chunk

}  // namespace

// A removal may need the next block of any table, and a new table.
std::size_t TableGrowth::removal_reserve(const Table& table, std::uint32_t tracked_count, std::uint32_t rows) noexcept {
    return table.chunk_bytes_for(rows) + ChangeTracking::row_tick_bytes(table, tracked_count, rows) +
           2 * table.block_bytes() + 4096;
}

void TableGrowth::reserve_for_tracking(const Table& table) {
    if (table.chunk_rows() == 0) return pool_.keep_reserve(0);
    const std::uint32_t next_rows = std::min(2 * table.chunk_rows(), table.full_rows());
    pool_.keep_reserve(removal_reserve(table, table.tracked_count() + 1, next_rows));
}

void TableGrowth::grow_first(Table& table, std::uint32_t rows) {
    Chunk& chunk = chunks_[table.chunks()[0]];
    // Ticks first: too many of them are harmless if there is no memory for the rest.
    if (RowTicks** larger = tracking_.make_row_ticks(table, rows)) {
        ChangeTracking::copy_row_ticks(table, larger, chunk.row_ticks, table.tail_rows());
        tracking_.free_row_ticks(table, chunk.row_ticks);
        chunk.row_ticks = larger;
    }
    // Growing moves values, and their move constructors are user code.
    const StructureLock::Lock lock(lock_);
    is_growing_ = true;
    const ScopeGuard end([&]() noexcept { is_growing_ = false; });
    table.grow_first_chunk(pool_, chunk, rows, clock_.tick());
    set_tail(table, 0, table.tail_rows());
}

void TableGrowth::add_chunk(Table& table, std::uint32_t rows) {
    chunks_.prepare(pool_);
    // Outside a removal one entry more than needed, for the next removal.
    table.reserve_chunk_numbers(pool_, table.chunk_count() + (pool_.in_no_fail() ? 1 : 2));
    Chunk chunk{nullptr, &table.map(), nullptr, tracking_.make_row_ticks(table, rows)};
    ScopeGuard undo([&]() noexcept { tracking_.free_row_ticks(table, chunk.row_ticks); });
    if (table.chunk_count() == 0) {
        table.grow_first_chunk(pool_, chunk, rows, clock_.tick());
    } else {
        chunk.base = table.take_block(pool_, rows);
        table.start_ticks(chunk, clock_.tick());
    }
    undo.dismiss();
    table.push_chunk(chunks_.take(chunk));
    set_tail(table, table.chunk_count() - 1, 0);
    reactivate(table);
}

void TableGrowth::make_room(Table& table) {
    if (table.tail_position() + 1 < table.chunk_count()) return advance_tail(table);
    const bool grows = table.chunk_count() == 1 && !table.has_full_chunks();
    std::uint32_t rows = table.full_rows();
    if (grows) rows = 2 * table.chunk_rows();
    if (table.chunk_count() == 0) rows = std::min(first_rows, table.full_rows());
    if (!pool_.in_no_fail()) {
        const std::uint32_t next_rows = std::min(rows * 2, table.full_rows());
        pool_.keep_reserve(removal_reserve(table, table.tracked_count(), next_rows));
    }
    if (grows) return grow_first(table, rows);
    add_chunk(table, rows);
}

bool TableGrowth::make_dormant(Table& table) noexcept {
    const bool is_empty_table = table.id_count() == 0 && !table.is_ghost();
    if (table.row_count() != 0 || table.reserved_chunks() != 0 || lock_.holds_tables() || is_empty_table) return false;
    if (table.chunk_count() != 0 && !table.stayed_empty(clock_.tick())) return false;
    release_all_chunks(table);
    table.set_dormant(true);
    return true;
}

void TableGrowth::reactivate(Table& table) noexcept {
    if (!table.is_dormant()) return;
    table.set_dormant(false);
    notifier_.table_added(table);
}

void TableGrowth::reserve_rows(Table& table, std::uint64_t rows) {
    const ScopeGuard restore([&, position = table.tail_position(), in_tail = table.tail_rows()]() noexcept {
        if (table.chunk_count() != 0) set_tail(table, position, in_tail);
    });
    while (std::uint64_t{table.chunk_count()} * table.chunk_rows() < rows) {
        if (table.chunk_count() == 1 && !table.has_full_chunks() && rows > table.chunk_rows()) {
            // Grows directly to the size that is needed: one move instead of one per doubling.
            const auto wanted =
                static_cast<std::uint32_t>(std::bit_ceil(std::min<std::uint64_t>(rows, table.full_rows())));
            const std::uint32_t next_rows = std::min(wanted * 2, table.full_rows());
            pool_.keep_reserve(removal_reserve(table, table.tracked_count(), next_rows));
            grow_first(table, wanted);
            continue;
        }
        // make_room appends a chunk only if the last chunk is the tail.
        if (table.chunk_count() != 0) set_tail(table, table.chunk_count() - 1, 0);
        make_room(table);
    }
}

void TableGrowth::release_spare_chunks(Table& table, std::uint32_t keep) noexcept {
    while (table.chunk_count() > keep) {
        const ChunkNumber number = table.pop_chunk();
        const Chunk& chunk = chunks_[number];
        table.give_block(pool_, chunk.base);
        tracking_.free_row_ticks(table, chunk.row_ticks);
        chunks_.give(number);
    }
}

void TableGrowth::release_all_chunks(Table& table) noexcept {
    release_spare_chunks(table, 0);
    table.forget_chunks();
}

void TableGrowth::release_emptied_chunks(Table& table) noexcept {
    release_spare_chunks(table, std::max<std::uint32_t>(1, table.reserved_chunks()));
}

void TableGrowth::retreat_tail(Table& table) noexcept {
    set_tail(table, table.tail_position() - 1, table.chunk_rows());
    // One spare chunk stays, so that rows that are added and removed at the border of a chunk do not allocate.
    release_spare_chunks(table, std::max(table.tail_position() + 2, table.reserved_chunks()));
}

}  // namespace stoa::detail
