// Moves and removes rows whose values are more than bytes: relocates and destroys user values, under the lock.
#include "storage/move_rows.hpp"

#include <algorithm>

namespace stoa::detail {

// Moves the values of a row to the departing row of its chunk, and the last row into the hole.
void RowMover::drop_with_values(Table& table, Location at) noexcept {
    const StructureLock::Lock lock(lock_);
    growth_.leave_empty_tail(table);
    const Chunk chunk = chunks_[at.chunk()];
    const Entity entity = entities(chunk.base)[at.row()];
    const std::uint32_t departing = table.chunk_rows();
    const std::uint32_t last = table.tail_rows() - 1;
    for (const Column& column : table.columns()) {
        std::byte* hole = cell_of(chunk.base, column, at.row());
        std::byte* filling = cell_of(table.tail_base(), column, last);
        relocate_value(column, cell_of(chunk.base, column, departing), hole);
        if (filling != hole) relocate_value(column, hole, filling);
    }
    close_hole(table, at, chunk);
    for (const Column& column : table.columns()) {
        removed_.keep_or_destroy(entity, *column.type, column.id, cell_of(chunk.base, column, departing));
    }
}

void RowMover::move_values(Table& source, Location from, Migration& migration) noexcept {
    const StructureLock::Lock lock(lock_);
    const Table& target = *migration.target;
    std::byte* base = chunks_[from.chunk()].base;
    for (ColumnMove *step = migration.steps(), *end = step + migration.steps_count; step != end; ++step) {
        const Column& column = source.columns()[step->column];
        std::byte* hole = cell_of(base, column, from.row());
        std::byte* filling = cell_of(source.tail_base(), column, source.tail_rows() - 1);
        std::byte* to = step->to != ColumnAt::absent
                            ? cell_at(target.tail_base(), step->to, target.tail_rows(), column.size)
                            : cell_of(base, column, source.chunk_rows());
        relocate_value(column, to, hole);
        if (filling != hole) relocate_value(column, hole, filling);
    }
}

void RowMover::end_departed_values(Entity entity, Table& source, Location from, Migration& migration) noexcept {
    const StructureLock::Lock lock(lock_);
    std::byte* base = chunks_[from.chunk()].base;
    for (std::uint32_t i = migration.kept; i < migration.steps_count; ++i) {
        const Column& column = source.columns()[migration.steps()[i].column];
        removed_.keep_or_destroy(entity, *column.type, column.id, cell_of(base, column, source.chunk_rows()));
    }
}

void RowMover::drop_all(Table& table) noexcept {
    if (table.chunk_count() == 0) return;
    const std::uint32_t last_chunk = table.tail_position();
    const std::uint32_t last_rows = table.tail_rows();
    growth_.set_tail(table, 0, 0);
    for (std::uint32_t c = 0; table.has_objects() && c <= last_chunk; ++c) {
        std::byte* base = chunks_[table.chunks()[c]].base;
        const std::uint32_t rows = c == last_chunk ? last_rows : table.chunk_rows();
        for (const Column& column : table.columns()) {
            for (std::uint32_t row = 0; row < rows; ++row) {
                removed_.keep_or_destroy(entities(base)[row], *column.type, column.id, cell_of(base, column, row));
            }
        }
    }
    growth_.release_emptied_chunks(table);
}

}  // namespace stoa::detail
