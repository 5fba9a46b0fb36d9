// Rows on the move: the steps that despawn, remove and add consist of. Inline, because each of those verbs is little else
// and runs a few instructions per column. Included by the sources of this room that move rows.
#pragma once

#include "storage/state.hpp"

namespace stoa::detail {

inline constexpr std::size_t column_alignment = 64;

inline std::size_t round_up(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }

// Tags have ticks too, and spare ones let a chunk change to a table with another tag.
inline std::size_t tick_bytes(const Table& table) { return round_up((1 + table.id_count) * sizeof(Tick), column_alignment); }

// The bytes of row `row` of a column.
inline std::byte* cell_of(std::byte* base, const Column& column, std::size_t row) {
    return base + column.offset + row * column.size;
}

// The sizes of most components: values of these are copied without a call.
inline bool is_common_size(std::uint32_t size) { return size == 4 || size == 8 || size == 12 || size == 16; }

// Calls f with a common size as a constant.
template <class F>
[[gnu::always_inline]] inline void with_common_size(std::uint32_t size, F&& f) {
    if (size == 8) {
        f(std::integral_constant<std::size_t, 8>{});
    } else if (size == 4) {
        f(std::integral_constant<std::size_t, 4>{});
    } else if (size == 12) {
        f(std::integral_constant<std::size_t, 12>{});
    } else {
        f(std::integral_constant<std::size_t, 16>{});
    }
}

// The one relocation primitive, in the shapes that tables need. `What` is a Column or a Step of trivial values. The sizes
// that most components have are copied without a call, and tested in order of how common they are: a jump table costs more.
// Copying a value onto itself is harmless, so there is no branch for "is it the last row".

template <std::size_t Size>
[[gnu::always_inline]] inline void send_bytes(std::byte* to, std::byte* hole, const std::byte* last) noexcept {
    std::byte leaving[Size];
    std::byte coming[Size];
    std::memcpy(leaving, hole, Size);
    std::memcpy(coming, last, Size);
    std::memcpy(to, leaving, Size);
    std::memcpy(hole, coming, Size);
}

// The value in `last` moves to the raw cell `hole`, which may be the same cell.
template <class What>
[[gnu::always_inline]] inline void fill_hole(const What& what, std::byte* hole, const std::byte* last) noexcept {
    if (!is_common_size(what.size)) return static_cast<void>(std::memmove(hole, last, what.size));
    with_common_size(what.size, [&](auto size) { std::memmove(hole, last, size()); });
}

// The value in `hole` moves to the raw cell `to`, then the one in `last` to `hole`. Cells may coincide.
[[gnu::always_inline]] inline void send_value(const Step& step, std::byte* to, std::byte* hole, std::byte* last) noexcept {
    if (is_common_size(step.size)) return with_common_size(step.size, [&](auto size) { send_bytes<size()>(to, hole, last); });
    std::memmove(to, hole, step.size);
    std::memmove(hole, last, step.size);
}

// The same for any type. The cells differ.
inline void relocate_value(const Column& column, std::byte* to, std::byte* from) noexcept {
    if (column.type->relocate != nullptr) {
        column.type->relocate(to, from, 1);
    } else {
        std::memcpy(to, from, column.size);
    }
}

// Whole columns, to another block.
inline void relocate_values(const Column& column, std::byte* to, std::byte* from, std::size_t count) noexcept {
    if (column.type->relocate != nullptr) {
        column.type->relocate(to, from, count);
    } else {
        std::memcpy(to, from, count * column.size);
    }
}

// A spawn that failed may have opened a chunk for nothing. Before its last row is looked for, the table goes back.
[[gnu::always_inline]] inline void Store::State::leave_empty_tail(Table& table) noexcept {
    if (table.tail_rows == 0) [[unlikely]] retreat_tail(table);
}

// One row less in the table; the last row has been emptied.
inline void Store::State::close_last_row(Table& table) noexcept {
    if (--table.tail_rows == 0 && table.tail_index != 0) [[unlikely]] retreat_tail(table);
}

// The last row has moved to `at`: its entity follows, and the table is one row shorter.
inline void Store::State::close_hole(Table& table, Location at, const Chunk& chunk) noexcept {
    const std::uint32_t last = table.tail_rows - 1;
    if (at.row() != last || at.chunk() != table.tail_number) {
        const Entity moved = entities(table.tail_base)[last];
        entities(chunk.base)[at.row()] = moved;
        store.directory_.move(moved, {at.bits | table.dead_bit});
        chunk.ticks[0] = store.tick();
        if (table.tracked_count != 0) [[unlikely]] move_last_stamps(table, at);
    }
    close_last_row(table);
}

// Takes out a row of a plain table.
[[gnu::always_inline]] inline void Store::State::remove_plain_row(Table& table, Location at) noexcept {
    const Chunk& chunk = store.chunks_[at.chunk()];
    const std::size_t row = at.row();
    leave_empty_tail(table);
    const std::size_t last = table.tail_rows - 1;
    for (const Column *column = table.columns, *end = column + table.column_count; column != end; ++column) {
        fill_hole(*column, cell_of(chunk.base, *column, row), cell_of(table.tail_base, *column, last));
    }
    close_hole(table, at, chunk);
}

// Takes out a row and ends its values.
inline void Store::State::drop_row(Table& table, Location at) noexcept {
    if (table.tracked_count != 0) [[unlikely]] note_departure(store.chunks_[at.chunk()], at.row(), nullptr);
    if (table.has_objects) return drop_row_with_values(table, at);
    remove_plain_row(table, at);
}

// Moves one row along a plan, to the row that make_room opened at the tail of the target. Values without a place in the
// target are left in the departing row of their chunk; drop_departed ends them.
[[gnu::always_inline]] inline void Store::State::migrate(Entity entity, Table& source, Location from, Plan& along) noexcept {
    Table& target = *along.target;
    const Chunk& chunk = store.chunks_[from.chunk()];
    const std::size_t to_row = target.tail_rows;
    leave_empty_tail(source);
    if (along.source_layout != source.layout || along.target_layout != target.layout) [[unlikely]] refresh(along, source);
    if (!source.has_objects) [[likely]] {
        std::byte* const hole = chunk.base;
        std::byte* const last = source.tail_base;
        std::byte* const to = target.tail_base;
        const std::size_t hole_row = from.row();
        const std::size_t last_row = source.tail_rows - 1;
        const Step* step = along.steps();
        // One pass: each column sends its value on and takes in the one that fills the hole.
        for (const Step* end = step + along.kept; step != end; ++step) {
            send_value(*step, to + step->to + to_row * step->size, hole + step->from + hole_row * step->size,
                       last + step->from + last_row * step->size);
        }
        for (const Step* end = along.steps() + along.steps_count; step != end; ++step) {
            fill_hole(*step, hole + step->from + hole_row * step->size, last + step->from + last_row * step->size);
        }
    } else {
        migrate_values(source, from, along);
    }
    entities(target.tail_base)[to_row] = entity;
    target.tail_ticks[0] = store.tick();
    if ((source.tracked_count | target.tracked_count) != 0) [[unlikely]] carry_stamps(chunk, from.row(), target);
    target.tail_rows = static_cast<std::uint32_t>(to_row + 1);
    const Location to = Location::of(target.tail_number, static_cast<std::uint32_t>(to_row));
    store.directory_.move(entity, {to.bits | target.dead_bit});
    close_hole(source, from, chunk);
}

inline void Store::State::drop_departed(Entity entity, Table& source, Location from, Plan& along) noexcept {
    if (source.has_objects) [[unlikely]] end_departed(entity, source, from, along);
}

// The ways that most rows go: from one table of bytes to another, or out of the world. Whatever is unusual goes the ways above.

// Where a value of a row is.
template <std::size_t Size>
[[gnu::always_inline]] inline std::byte* cell_at(std::byte* base, std::uint32_t offset, std::size_t row) {
    return base + offset + row * Size;
}

[[gnu::always_inline]] inline bool Store::State::moves_bytes(const Store& store, const Table& source, const Plan& along) noexcept {
    const Table& target = *along.target;
    return along.common_sizes && (source.peculiar() | target.peculiar()) == 0 && !store.locked() && target.has_room() && source.keeps_tail() &&
           along.source_layout == source.layout && along.target_layout == target.layout;
}

// The last row fills the hole; if it is the one that leaves, its record is written once more by whoever takes it.
[[gnu::always_inline]] inline void Store::State::fill_gap(Store& store, Table& table, const Chunk& chunk, Location at, std::uint32_t last) noexcept {
    const Entity moved = entities(table.tail_base)[last];
    entities(chunk.base)[at.row()] = moved;
    chunk.ticks[0] = store.tick();
    store.directory_.move(moved, at);
    table.tail_rows = last;
}

// Makes the compiler work out in each turn of a loop what depends on a row. Before the loop it would do so for all common sizes, and
// has no registers for that: adding a component takes 227 instructions instead of 274.
[[gnu::always_inline]] inline void forget(std::size_t& row) { asm("" : "+r"(row)); }

// Takes out a row of a table without peculiarities that keeps its tail and has common sizes.
[[gnu::always_inline]] inline void Store::State::drop_bytes(Store& store, Table& table, Location at) noexcept {
    std::size_t last = table.tail_rows - 1;
    std::size_t row = at.row();
    if (row != last || at.chunk() != table.tail_number) {
        const Chunk& chunk = store.chunks_[at.chunk()];
        std::byte* const hole = chunk.base;
        std::byte* const tail = table.tail_base;
        for (const Column *column = table.columns, *end = column + table.column_count; column != end; ++column) {
            forget(row), forget(last);
            with_common_size(column->size, [&](auto size) {
                std::memcpy(cell_at<size()>(hole, column->offset, row), cell_at<size()>(tail, column->offset, last), size());
            });
        }
        fill_gap(store, table, chunk, at, static_cast<std::uint32_t>(last));
    } else {
        table.tail_rows = static_cast<std::uint32_t>(last);
    }
}

// Requires: moves_bytes.
[[gnu::always_inline]] inline void Store::State::migrate_bytes(Store& store, Entity entity, Table& source, Location from, Plan& along) noexcept {
    Table& target = *along.target;
    const Chunk& chunk = store.chunks_[from.chunk()];
    std::byte* const hole = chunk.base;
    std::byte* const tail = source.tail_base;
    std::byte* const to = target.tail_base;
    std::size_t row = from.row();
    std::size_t last = source.tail_rows - 1;
    std::size_t to_row = target.tail_rows;
    const Step* step = along.steps();
    for (const Step* const end = step + along.kept; step != end; ++step) {
        forget(row), forget(last), forget(to_row);
        with_common_size(step->size, [&](auto size) {
            send_bytes<size()>(cell_at<size()>(to, step->to, to_row), cell_at<size()>(hole, step->from, row), cell_at<size()>(tail, step->from, last));
        });
    }
    for (const Step* const end = along.steps() + along.steps_count; step != end; ++step) {
        forget(row), forget(last);
        with_common_size(step->size, [&](auto size) {
            std::memmove(cell_at<size()>(hole, step->from, row), cell_at<size()>(tail, step->from, last), size());
        });
    }
    fill_gap(store, source, chunk, from, static_cast<std::uint32_t>(last));
    entities(to)[to_row] = entity;
    target.tail_ticks[0] = store.tick();
    target.tail_rows = static_cast<std::uint32_t>(to_row + 1);
    store.directory_.move(entity, Location::of(target.tail_number, static_cast<std::uint32_t>(to_row)));
}

}  // namespace stoa::detail
