// Runs: the same removal or spawn for one entity after the other, as recorded commands bring them. Rows of plain
// tables are bytes, so a run is done in two passes. The first goes through the entities and settles who stands where;
// the second goes through the columns, one after the other, and moves the values in the same order, with the size of a
// value known to the loop.
//
// Invariant: a run ends where the tail of the source or of the target would change its chunk, so that the second pass
// finds every row where the first has seen it. No user code runs in between.
#include <algorithm>

#include "storage/move_rows.hpp"

namespace stoa::detail {
namespace {

constexpr std::uint32_t longest_run = 128;
constexpr std::uint32_t ahead =
    12;  // records are fetched before their turn: ids that were used before come in no order

// A row that is left, and the last row of the table, which fills it. They may be the same.
struct Hole {
    std::byte* base;
    std::uint32_t row;
    std::uint32_t last;
};

// Calls a loop with the size of its values as a constant. Size 0 stands for one that is not known to the compiler.
template <class Loop>
void with_size(std::uint32_t size, Loop&& loop) {
    if (is_common_size(size)) return with_common_size(size, loop);
    loop(std::integral_constant<std::size_t, 0>{});
}

// One column of a run.
struct ColumnRun {
    const Hole* holes;
    std::uint32_t count;
    std::size_t size;
    std::size_t from;  // offset of the column
    std::byte* last;   // the chunk of the last rows
    std::byte* to;     // where the first value goes

    template <std::size_t Size>
    void fill() const {
        for (const Hole *hole = holes, *end = holes + count; hole != end; ++hole) {
            const std::size_t width = Size != 0 ? Size : size;
            std::memmove(hole->base + from + hole->row * width, last + from + hole->last * width, width);
        }
    }
    template <std::size_t Size>
    void send() const {
        std::byte* target = to;
        for (const Hole *hole = holes, *end = holes + count; hole != end; ++hole) {
            const std::size_t width = Size != 0 ? Size : size;
            std::byte* const cell = hole->base + from + hole->row * width;
            std::memcpy(target, cell, width);
            std::memmove(cell, last + from + hole->last * width, width);
            target += width;
        }
    }
    void fill_any() const {
        with_size(static_cast<std::uint32_t>(size), [this](auto width) { fill<width()>(); });
    }
    void send_any() const {
        with_size(static_cast<std::uint32_t>(size), [this](auto width) { send<width()>(); });
    }
};

void shorten(TableGrowth& growth, Table& table, std::uint32_t rows) noexcept {
    table.set_tail_rows(table.tail_rows() - rows);
    if (table.tail_rows() == 0 && table.tail_position() != 0) growth.retreat_tail(table);
}

// Moves the first entities of the run along a migration, as long as they stand in `source`. Requires: a plain source,
// room in the target, and that the first one does. Returns: how many.
std::uint32_t migrate_batch(const PlainRows& in, TableGrowth& growth, const EntityBatch& run, Table& source,
                            Migration& along) noexcept {
    growth.leave_empty_tail(source);
    Table& target = *along.target;
    along.refresh(source);
    const std::uint32_t most =
        std::min({run.count, longest_run, source.tail_rows(), target.chunk_rows() - target.tail_rows()});
    Hole holes[longest_run];
    Directory& directory = in.directory;
    Entity* const last_ids = entities(source.tail_base());
    Entity* const to_ids = entities(target.tail_base()) + target.tail_rows();
    const Location first = target.next_location();
    std::uint32_t done = 0;
    for (; done < most; ++done) {
        const Entity entity = run[done];
        if (done + ahead < run.count) directory.prefetch(run[done + ahead]);
        Location at;
        if (!directory.find(entity, at)) break;
        const Chunk& chunk = in.chunks[at.chunk()];
        if (&chunk.table() != &source) break;
        const std::uint32_t last = source.tail_rows() - 1 - done;
        holes[done] = {chunk.base, at.row(), last};
        const Entity moved = last_ids[last];
        if (last >= ahead) directory.prefetch(last_ids[last - ahead]);
        if (moved != entity) {
            entities(chunk.base)[at.row()] = moved;
            directory.move(moved, at);
            chunk.ticks[0] = in.now;
        }
        to_ids[done] = entity;
        directory.move(entity, {first.bits + done});
    }
    const ColumnMove* step = along.steps();
    for (const ColumnMove* end = step + along.steps_count; step != end; ++step) {
        ColumnRun column{holes, done, step->size, step->from, source.tail_base(), nullptr};
        if (step->to == ColumnAt::absent) {
            column.fill_any();
        } else {
            column.to = cell_at(target.tail_base(), step->to, target.tail_rows(), step->size);
            column.send_any();
        }
    }
    target.tail_ticks()[0] = in.now;
    target.set_tail_rows(target.tail_rows() + done);
    shorten(growth, source, done);
    return done;
}

// Ends the first entities of the run, as long as they stand in `table`, and drops their rows. Requires: as
// migrate_batch.
std::uint32_t drop_batch(const PlainRows& in, TableGrowth& growth, const SparseSets& sparse_sets,
                         const EntityBatch& run, Table& table) noexcept {
    growth.leave_empty_tail(table);
    const std::uint32_t most = std::min({run.count, longest_run, table.tail_rows()});
    Hole holes[longest_run];
    Directory& directory = in.directory;
    Entity* const last_ids = entities(table.tail_base());
    std::uint32_t done = 0;
    for (; done < most; ++done) {
        const Entity entity = run[done];
        if (done + ahead < run.count) directory.prefetch(run[done + ahead]);
        Location at;
        if (!directory.find(entity, at)) break;
        const Chunk& chunk = in.chunks[at.chunk()];
        if (&chunk.table() != &table || sparse_sets.may_have(entity)) break;
        const std::uint32_t last = table.tail_rows() - 1 - done;
        holes[done] = {chunk.base, at.row(), last};
        directory.release(entity.index());
        const Entity moved = last_ids[last];
        if (last >= ahead) directory.prefetch(last_ids[last - ahead]);
        if (moved != entity) {
            entities(chunk.base)[at.row()] = moved;
            directory.move(moved, at);
            chunk.ticks[0] = in.now;
        }
    }
    for (const Column *column = table.columns().data(), *end = column + table.column_count(); column != end; ++column) {
        ColumnRun{holes, done, column->size, column->offset, table.tail_base(), nullptr}.fill_any();
    }
    shorten(growth, table, done);
    return done;
}

// Makes entities of the first spawns of the run, as many as the tail of `table` has room for. Requires: a plain table
// with room. Returns: how many.
std::uint32_t enter_batch(const PlainRows& in, const RegistryRef& types, const SpawnBatch& run, const TypeList& list,
                          Table& table) noexcept {
    const std::uint32_t count = std::min(run.count, table.chunk_rows() - table.tail_rows());
    Entity* const ids = entities(table.tail_base()) + table.tail_rows();
    const Location first = table.next_location();
    for (std::uint32_t i = 0; i < count; ++i) {
        ids[i] = run[i];
        in.directory.use_reserved(run[i], {first.bits + i});
    }
    for (std::uint32_t i = 0; i < list.count; ++i) {
        const std::uint32_t size = list.types[i]->type->size;
        if (size == 0) continue;
        const std::uint32_t offset = table.find(types.id_of(*list.types[i])).offset;
        std::byte* const to = cell_at(table.tail_base(), offset, table.tail_rows(), size);
        const std::byte* const from = run.records + run.values[i].offset;
        with_size(size, [&](auto width) {
            const std::size_t bytes = width() != 0 ? width() : size;
            for (std::size_t row = 0; row < count; ++row) std::memcpy(to + row * bytes, from + row * run.size, bytes);
        });
    }
    table.tail_ticks()[0] = in.now;
    table.set_tail_rows(table.tail_rows() + count);
    return count;
}

// Rows with ticks of their own, and observed rows go one by one.
bool goes_in_runs(const Table& table) { return !table.has_objects() && !table.is_tracked() && table.watched() == 0; }

}  // namespace

std::uint32_t Store::remove_batch(const EntityBatch& run, TypeList& list) {
    Location at;
    if (list.has_sparse || locked() || !directory_.find(run[0], at)) return 0;
    Table& source = chunks_[at.chunk()].table();
    if (!goes_in_runs(source)) return 0;
    Migration* along = source.migrations().find(migration_key(MigrationKind::remove, number_of(list)));
    if (along == nullptr || !along->target->has_room() || !goes_in_runs(*along->target)) return 0;
    return migrate_batch({directory_, chunks_, tick()}, state_->growth, run, source, *along);
}

std::uint32_t Store::despawn_batch(const EntityBatch& run) {
    Location at;
    if (locked() || !directory_.find(run[0], at)) return 0;
    Table& table = chunks_[at.chunk()].table();
    if (!goes_in_runs(table) || table.has_cleanup() || sparse_sets_.may_have(run[0])) return 0;
    return drop_batch({directory_, chunks_, tick()}, state_->growth, sparse_sets_, run, table);
}

std::uint32_t Store::spawn_batch(const SpawnBatch& run, TypeList& list) {
    if (list.has_sparse || locked()) return 0;
    Table& table = table_of(list);
    if (!goes_in_runs(table)) return 0;
    if (!table.has_room()) state_->growth.make_room(table);
    return enter_batch({directory_, chunks_, tick()}, types_, run, list, table);
}

}  // namespace stoa::detail
