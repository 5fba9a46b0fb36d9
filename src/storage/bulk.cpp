// Spawning many entities at once: rows are built column by column behind the last row, then get their ids together.
#include "stoa/detail/storage/bulk.hpp"

#include <algorithm>

#include "storage/store_state.hpp"

namespace stoa::detail {

BulkPiece Bulk::piece(const ChunkDirectory& chunks, std::uint64_t done) const {
    const std::uint64_t first = row + done;
    const auto in_list = static_cast<std::uint32_t>(position + first / table->chunk_rows());
    const auto first_row = static_cast<std::uint32_t>(first % table->chunk_rows());
    const std::uint64_t rows = std::min<std::uint64_t>(count - done, table->chunk_rows() - first_row);
    return {chunks[table->chunks()[in_list]].base, first_row, static_cast<std::uint32_t>(rows)};
}

BulkDraft::BulkDraft(Store& store, TypeList& list, std::uint64_t count, std::span<BulkColumn> columns)
    : store_(store), columns_(columns), bulk_{} {
    store.require_unlocked("spawn_many");
    Table& table = store.table_of(list);
    store.directory().prepare(count);
    store.state().growth.reserve_rows(table, table.row_count() + count);
    store.notifier().expect_spawns(table, count);
    bulk_ = {&table, table.tail_position(), table.tail_rows(), count};
    if (bulk_.row == table.chunk_rows() && count != 0) {
        ++bulk_.position;
        bulk_.row = 0;
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
        TypeHandle& handle = *list.types[i];
        columns[i].type = handle.type;
        if (handle.type->is_sparse()) {
            columns[i].set = &store.sparse_set(handle);
            store.sparse_sets().prepare_many(*columns[i].set, store.directory(), count);
        } else {
            columns[i].offset = table.find(store.id_of(handle)).offset;
        }
    }
}

void BulkDraft::prepare_ids() {
    store_.directory().prepare(bulk_.count);
    for (const BulkColumn& column : columns_) {
        if (column.set != nullptr) store_.sparse_sets().prepare_many(*column.set, store_.directory(), bulk_.count);
    }
}

void BulkDraft::commit_rows(Entity* out) noexcept {
    Table& table = *bulk_.table;
    for (std::uint64_t done = 0; done < bulk_.count;) {
        const BulkPiece piece = bulk_.piece(store_.chunks(), done);
        const auto position = static_cast<std::uint32_t>(bulk_.position + (bulk_.row + done) / table.chunk_rows());
        Entity* ids = entities(piece.base) + piece.row;
        store_.directory().take_many(Location::of(table.chunks()[position], piece.row), piece.count, ids);
        if (out != nullptr) std::copy_n(ids, piece.count, out + done);
        store_.chunks()[table.chunks()[position]].ticks[0] = store_.tick();
        if (table.is_tracked())
            store_.state().tracking.stamp_arrivals(table, table.chunks()[position], piece.row, piece.count);
        done += piece.count;
        store_.state().growth.set_tail(table, position, piece.row + piece.count);
    }
}

void BulkDraft::commit(Entity* out) {
    committed_ = true;
    commit_rows(out);
    for (const BulkColumn& column : columns_) {
        if (column.set == nullptr) continue;
        each_piece(bulk_.count, [&](const BulkPiece& piece, std::size_t) {
            for (std::uint32_t i = 0; i < piece.count; ++i)
                store_.sparse_sets().insert(*column.set, entities(piece.base)[piece.row + i], store_.tick());
        });
    }
    if (bulk_.table->reports() != 0) store_.notifier().spawned(bulk_);
}

void BulkDraft::undo() noexcept {
    const Store::Lock lock(store_);
    for (const BulkColumn& column : columns_) {
        if (column.built == 0) continue;
        each_cell(column, column.type->size, column.built,
                  [&](void* cell, std::size_t) { column.type->destroy_values(cell); });
    }
}

}  // namespace stoa::detail
