// The steps of moving and removing rows, of which despawn, remove and add consist. Inline, because these verbs do
// little else and run a few instructions per column. Included by the sources of this room that move rows.
#pragma once

#include "storage/cells.hpp"
#include "storage/row_mover.hpp"
#include "storage/store_state.hpp"

namespace stoa::detail {

// Drops the last row of the table, whose values have been moved or destroyed.
inline void RowMover::close_last_row(Table& table) noexcept {
    table.set_tail_rows(table.tail_rows() - 1);
    if (table.tail_rows() == 0 && table.tail_position() != 0) [[unlikely]]
        growth_.retreat_tail(table);
}

// The last row has moved to `at`: updates the location of its entity, and drops the last row.
inline void RowMover::close_hole(Table& table, Location at, const Chunk& chunk) noexcept {
    const std::uint32_t last = table.tail_rows() - 1;
    if (at.row() != last || at.chunk() != table.tail_chunk_number()) {
        const Entity moved = entities(table.tail_base())[last];
        entities(chunk.base)[at.row()] = moved;
        directory_.move(moved, {at.bits | table.dead_bit()});
        chunk.ticks[0] = clock_.tick();
        if (table.is_tracked()) [[unlikely]]
            tracking_.move_last(table, at);
    }
    close_last_row(table);
}

[[gnu::always_inline]] inline void RowMover::drop_plain(Table& table, Location at) noexcept {
    const Chunk& chunk = chunks_[at.chunk()];
    const std::size_t row = at.row();
    growth_.leave_empty_tail(table);
    const std::size_t last = table.tail_rows() - 1;
    for (const Column *column = table.columns().data(), *end = column + table.column_count(); column != end; ++column) {
        fill_hole(*column, cell_of(chunk.base, *column, row), cell_of(table.tail_base(), *column, last));
    }
    close_hole(table, at, chunk);
}

inline void RowMover::drop(Table& table, Location at) noexcept {
    if (table.is_tracked()) [[unlikely]]
        tracking_.note_departure(chunks_[at.chunk()], at.row(), nullptr);
    if (table.has_objects()) return drop_with_values(table, at);
    drop_plain(table, at);
}

[[gnu::always_inline]] inline void RowMover::move(Entity entity, Table& source, Location from,
                                                  Migration& migration) noexcept {
    Table& target = *migration.target;
    const Chunk& chunk = chunks_[from.chunk()];
    const std::size_t to_row = target.tail_rows();
    growth_.leave_empty_tail(source);
    if (migration.source_layout != source.layout_version() || migration.target_layout != target.layout_version())
        [[unlikely]]
        migration.refresh(source);
    if (!source.has_objects()) [[likely]] {
        std::byte* const hole = chunk.base;
        std::byte* const last = source.tail_base();
        std::byte* const to = target.tail_base();
        const std::size_t hole_row = from.row();
        const std::size_t last_row = source.tail_rows() - 1;
        const ColumnMove* step = migration.steps();
        // One pass: each column moves its value to the target, and the value of the last row into the hole.
        for (const ColumnMove* end = step + migration.kept; step != end; ++step) {
            send_value(*step, cell_at(to, step->to, to_row, step->size),
                       cell_at(hole, step->from, hole_row, step->size),
                       cell_at(last, step->from, last_row, step->size));
        }
        for (const ColumnMove* end = migration.steps() + migration.steps_count; step != end; ++step) {
            fill_hole(*step, cell_at(hole, step->from, hole_row, step->size),
                      cell_at(last, step->from, last_row, step->size));
        }
    } else {
        move_values(source, from, migration);
    }
    entities(target.tail_base())[to_row] = entity;
    target.tail_ticks()[0] = clock_.tick();
    if ((source.tracked_count() | target.tracked_count()) != 0) [[unlikely]]
        tracking_.carry(chunk, from.row(), target);
    target.set_tail_rows(static_cast<std::uint32_t>(to_row + 1));
    const Location to = Location::of(target.tail_chunk_number(), static_cast<std::uint32_t>(to_row));
    directory_.move(entity, {to.bits | target.dead_bit()});
    close_hole(source, from, chunk);
}

inline void RowMover::end_departed(Entity entity, Table& source, Location from, Migration& migration) noexcept {
    if (source.has_objects()) [[unlikely]]
        end_departed_values(entity, source, from, migration);
}

// The fast paths for most rows: from one table of plain bytes to another, or out of the world. All other rows use the
// functions above. The fast paths take what they need of a store as arguments, so that nothing is loaded through a
// RowMover.

// What they need of a store.
struct PlainRows {
    Directory& directory;
    ChunkDirectory& chunks;
    Tick now;
};

[[gnu::always_inline]] inline bool moves_bytes(const StructureLock& lock, const Table& source,
                                               const Migration& migration) noexcept {
    const Table& target = *migration.target;
    return migration.common_sizes && (source.extra_work() | target.extra_work()) == 0 && !lock.locked() &&
           target.has_room() && source.keeps_tail() && migration.source_layout == source.layout_version() &&
           migration.target_layout == target.layout_version();
}

// The last row fills the hole; if it is the row that leaves, the caller writes its directory entry again.
[[gnu::always_inline]] inline void fill_gap(const PlainRows& in, Table& table, const Chunk& chunk, Location at,
                                            std::uint32_t last) noexcept {
    const Entity moved = entities(table.tail_base())[last];
    entities(chunk.base)[at.row()] = moved;
    chunk.ticks[0] = in.now;
    in.directory.move(moved, at);
    table.set_tail_rows(last);
}

// Makes the compiler compute addresses that depend on a row inside the loop. Otherwise it computes them before the loop
// for all common sizes, and runs out of registers: adding a component takes 227 instructions instead of 274.
[[gnu::always_inline]] inline void forget(std::size_t& row) { asm("" : "+r"(row)); }

// Removes a row. Requires: a table without extra work that keeps its tail and has common sizes.
[[gnu::always_inline]] inline void drop_bytes(const PlainRows& in, Table& table, Location at) noexcept {
    std::size_t last = table.tail_rows() - 1;
    std::size_t row = at.row();
    if (row != last || at.chunk() != table.tail_chunk_number()) {
        const Chunk& chunk = in.chunks[at.chunk()];
        std::byte* const hole = chunk.base;
        std::byte* const tail = table.tail_base();
        for (const Column *column = table.columns().data(), *end = column + table.column_count(); column != end;
             ++column) {
            forget(row), forget(last);
            with_common_size(column->size, [&](auto size) {
                std::memcpy(cell_at(hole, column->offset, row, size()), cell_at(tail, column->offset, last, size()),
                            size());
            });
        }
        fill_gap(in, table, chunk, at, static_cast<std::uint32_t>(last));
    } else {
        table.set_tail_rows(static_cast<std::uint32_t>(last));
    }
}

// Requires: moves_bytes.
[[gnu::always_inline]] inline void migrate_bytes(const PlainRows& in, Entity entity, Table& source, Location from,
                                                 Migration& migration) noexcept {
    Table& target = *migration.target;
    const Chunk& chunk = in.chunks[from.chunk()];
    std::byte* const hole = chunk.base;
    std::byte* const tail = source.tail_base();
    std::byte* const to = target.tail_base();
    std::size_t row = from.row();
    std::size_t last = source.tail_rows() - 1;
    std::size_t to_row = target.tail_rows();
    const ColumnMove* step = migration.steps();
    for (const ColumnMove* const end = step + migration.kept; step != end; ++step) {
        forget(row), forget(last), forget(to_row);
        with_common_size(step->size, [&](auto size) {
            send_bytes<size()>(cell_at(to, step->to, to_row, size()), cell_at(hole, step->from, row, size()),
                               cell_at(tail, step->from, last, size()));
        });
    }
    for (const ColumnMove* const end = migration.steps() + migration.steps_count; step != end; ++step) {
        forget(row), forget(last);
        with_common_size(step->size, [&](auto size) {
            std::memmove(cell_at(hole, step->from, row, size()), cell_at(tail, step->from, last, size()), size());
        });
    }
    fill_gap(in, source, chunk, from, static_cast<std::uint32_t>(last));
    entities(to)[to_row] = entity;
    target.tail_ticks()[0] = in.now;
    target.set_tail_rows(static_cast<std::uint32_t>(to_row + 1));
    in.directory.move(entity, Location::of(target.tail_chunk_number(), static_cast<std::uint32_t>(to_row)));
}

}  // namespace stoa::detail
