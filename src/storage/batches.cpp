// Batches: the same removal or spawn for one entity after the other. Rows of plain tables are bytes, so a batch takes
// two passes. The first goes through the entities and updates the directory; the second goes through the columns, one
// after the other, and moves the values in the same order, with the size of a value known to the loop.
//
// Invariant: a batch ends where the tail of the source or of the target would change its chunk, so that the second pass
// finds every row where the first has seen it. No user code runs in between.
#include "storage/batches.hpp"

#include <algorithm>

#include "storage/move_rows.hpp"

namespace stoa::detail {
namespace {

constexpr std::uint32_t longest_batch = 128;
// Directory entries are prefetched before their turn: ids that were used before come in no order.
constexpr std::uint32_t ahead = 12;

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

// One column of a batch.
struct ColumnBatch {
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

// The first pass over entities that leave `table`: the last rows take their places in the directory. Calls
// leave(entity, i) for each, and stops where it returns false, or at an entity of another table.
// Returns: how many left; `holes` has a place for each.
template <class Leave>
[[gnu::always_inline]] inline std::uint32_t open_holes(const PlainRows& in, const EntityBatch& batch,
                                                       std::uint32_t most, const Table& table, Hole* holes,
                                                       Leave&& leave) noexcept {
    Directory& directory = in.directory;
    Entity* const last_ids = entities(table.tail_base());
    for (std::uint32_t done = 0; done < most; ++done) {
        const Entity entity = batch[done];
        if (done + ahead < batch.count) directory.prefetch(batch[done + ahead]);
        Location at;
        if (!directory.find(entity, at)) return done;
        const Chunk& chunk = in.chunks[at.chunk()];
        if (&chunk.table() != &table || !leave(entity, done)) return done;
        const std::uint32_t last = table.tail_rows() - 1 - done;
        holes[done] = {chunk.base, at.row(), last};
        const Entity moved = last_ids[last];
        if (last >= ahead) directory.prefetch(last_ids[last - ahead]);
        if (moved == entity) continue;
        entities(chunk.base)[at.row()] = moved;
        directory.move(moved, at);
        chunk.ticks[0] = in.now;
    }
    return most;
}

// Moves the first entities of the batch along a migration, as long as they are in `source`. Requires: a plain source,
// room in the target, and that the first one is there. Returns: how many.
std::uint32_t migrate_batch(const PlainRows& in, TableGrowth& growth, const EntityBatch& batch, Table& source,
                            Migration& migration) noexcept {
    growth.leave_empty_tail(source);
    Table& target = *migration.target;
    migration.refresh(source);
    const std::uint32_t most =
        std::min({batch.count, longest_batch, source.tail_rows(), target.chunk_rows() - target.tail_rows()});
    Hole holes[longest_batch];
    Entity* const to_ids = entities(target.tail_base()) + target.tail_rows();
    const Location first = target.next_location();
    const std::uint32_t done = open_holes(in, batch, most, source, holes, [&](Entity entity, std::uint32_t i) {
        to_ids[i] = entity;
        in.directory.move(entity, {first.bits + i});
        return true;
    });
    const ColumnMove* step = migration.steps();
    for (const ColumnMove* end = step + migration.steps_count; step != end; ++step) {
        ColumnBatch column{holes, done, step->size, step->from, source.tail_base(), nullptr};
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

// Despawns the first entities of the batch, as long as they are in `table`, and drops their rows. Requires: as
// migrate_batch.
std::uint32_t drop_batch(const PlainRows& in, TableGrowth& growth, const SparseSets& sparse_sets,
                         const EntityBatch& batch, Table& table) noexcept {
    growth.leave_empty_tail(table);
    const std::uint32_t most = std::min({batch.count, longest_batch, table.tail_rows()});
    Hole holes[longest_batch];
    const std::uint32_t done = open_holes(in, batch, most, table, holes, [&](Entity entity, std::uint32_t) {
        if (sparse_sets.may_have(entity)) return false;
        in.directory.release(entity.index());
        return true;
    });
    for (const Column *column = table.columns().data(), *end = column + table.column_count(); column != end; ++column) {
        ColumnBatch{holes, done, column->size, column->offset, table.tail_base(), nullptr}.fill_any();
    }
    shorten(growth, table, done);
    return done;
}

// Makes entities of the first spawns of the batch, as many as the tail of `table` has room for. Requires: a plain table
// with room. Returns: how many.
std::uint32_t enter_batch(const PlainRows& in, const RegistryRef& types, const SpawnBatch& batch, const TypeList& list,
                          Table& table) noexcept {
    const std::uint32_t count = std::min(batch.count, table.chunk_rows() - table.tail_rows());
    Entity* const ids = entities(table.tail_base()) + table.tail_rows();
    const Location first = table.next_location();
    for (std::uint32_t i = 0; i < count; ++i) {
        ids[i] = batch[i];
        in.directory.use_reserved(batch[i], {first.bits + i});
    }
    for (std::uint32_t i = 0; i < list.count; ++i) {
        const std::uint32_t size = list.types[i]->type->size;
        if (size == 0) continue;
        const std::uint32_t offset = table.find(types.id_of(*list.types[i])).offset;
        std::byte* const to = cell_at(table.tail_base(), offset, table.tail_rows(), size);
        const std::byte* const from = batch.records + batch.values[i].offset;
        with_size(size, [&](auto width) {
            const std::size_t bytes = width() != 0 ? width() : size;
            for (std::size_t row = 0; row < count; ++row) std::memcpy(to + row * bytes, from + row * batch.size, bytes);
        });
    }
    table.tail_ticks()[0] = in.now;
    table.set_tail_rows(table.tail_rows() + count);
    return count;
}

// Rows with ticks of their own, observed rows and logged values go one by one.
bool goes_in_batches(const Table& table) { return !table.has_objects() && !table.is_tracked() && table.reports() == 0; }

PlainRows plain_rows(Store& store) { return {store.directory(), store.chunks(), store.tick()}; }

}  // namespace

std::uint32_t remove_batch(Store& store, const EntityBatch& batch, TypeList& list) {
    Location at;
    if (list.has_sparse || store.locked() || !store.directory().find(batch[0], at)) return 0;
    Table& source = store.chunks()[at.chunk()].table();
    if (!goes_in_batches(source)) return 0;
    Migration* migration =
        source.migrations().find(migration_key(MigrationKind::remove, store.types().number_of(list)));
    if (migration == nullptr || !migration->target->has_room() || !goes_in_batches(*migration->target)) return 0;
    return migrate_batch(plain_rows(store), store.state().growth, batch, source, *migration);
}

std::uint32_t despawn_batch(Store& store, const EntityBatch& batch) {
    Location at;
    if (store.locked() || !store.directory().find(batch[0], at)) return 0;
    Table& table = store.chunks()[at.chunk()].table();
    if (!goes_in_batches(table) || table.has_cleanup() || store.sparse_sets().may_have(batch[0])) return 0;
    return drop_batch(plain_rows(store), store.state().growth, store.sparse_sets(), batch, table);
}

std::uint32_t spawn_batch(Store& store, const SpawnBatch& batch, TypeList& list) {
    if (list.has_sparse || store.locked()) return 0;
    Table& table = store.table_of(list);
    if (!goes_in_batches(table)) return 0;
    if (!table.has_room()) store.state().growth.make_room(table);
    return enter_batch(plain_rows(store), store.types(), batch, list, table);
}

}  // namespace stoa::detail
