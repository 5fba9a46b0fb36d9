// Spawning many entities at once: rows are built column by column behind the last row, then get their ids together.
#include "stoa/detail/storage/bulk.hpp"

#include <algorithm>

#include "storage/store_state.hpp"

namespace stoa::detail {

BulkPiece Store::piece_of(const Bulk& bulk, std::uint64_t done) const {
    const std::uint64_t at = bulk.row + done;
    const auto chunk = static_cast<std::uint32_t>(bulk.chunk + at / bulk.table->chunk_rows());
    const auto row = static_cast<std::uint32_t>(at % bulk.table->chunk_rows());
    const std::uint64_t count = std::min<std::uint64_t>(bulk.count - done, bulk.table->chunk_rows() - row);
    return {chunks_[bulk.table->chunks()[chunk]].base, row, static_cast<std::uint32_t>(count)};
}

bool Store::may_move(const Table& table, const void* bytes) const {
    if (table.chunk_count() != 1 || table.chunk_rows() == table.full_rows()) return false;
    const std::byte* base = chunks_[table.chunks()[0]].base;
    return bytes >= base && bytes < base + table.chunk_bytes();
}

BulkDraft::BulkDraft(Store& store, TypeList& list, std::uint64_t count, std::span<BulkColumn> columns)
    : store_(store), columns_(columns), bulk_{} {
    store.require_unlocked("spawn_many");
    Table& table = store.table_of(list);
    store.directory_.prepare(count);
    store.state_->growth.reserve_rows(table, table.row_count() + count);
    store.notifier().expect_spawns(table, count);
    bulk_ = {&table, table.tail_position(), table.tail_rows(), count};
    if (bulk_.row == table.chunk_rows() && count != 0) {
        ++bulk_.chunk;
        bulk_.row = 0;
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
        TypeHandle& handle = *list.types[i];
        columns[i].type = handle.type;
        if (handle.type->is_sparse()) {
            columns[i].set = &store.sparse_set(handle);
            store.sparse_sets().prepare_many(*columns[i].set, store.directory_, count);
        } else {
            columns[i].offset = table.find(store.id_of(handle)).offset;
        }
    }
}

void BulkDraft::prepare_ids() {
    store_.ready_ids(bulk_.count);
    for (const BulkColumn& column : columns_) {
        if (column.set != nullptr) store_.sparse_sets().prepare_many(*column.set, store_.directory_, bulk_.count);
    }
}

void BulkDraft::commit_rows(Entity* out) noexcept {
    Table& table = *bulk_.table;
    for (std::uint64_t done = 0; done < bulk_.count;) {
        const BulkPiece piece = store_.piece_of(bulk_, done);
        const auto chunk = static_cast<std::uint32_t>(bulk_.chunk + (bulk_.row + done) / table.chunk_rows());
        Entity* ids = entities(piece.base) + piece.row;
        store_.directory_.take_many(Location::of(table.chunks()[chunk], piece.row), piece.count, ids);
        if (out != nullptr) std::copy_n(ids, piece.count, out + done);
        store_.chunks_[table.chunks()[chunk]].ticks[0] = store_.tick();
        if (table.is_tracked())
            store_.state_->tracking.stamp_arrivals(table, table.chunks()[chunk], piece.row, piece.count);
        done += piece.count;
        store_.state_->growth.set_tail(table, chunk, piece.row + piece.count);
    }
}

void BulkDraft::commit(Entity* out) {
    committed_ = true;
    commit_rows(out);
    for (const BulkColumn& column : columns_) {
        if (column.set == nullptr) continue;
        each_piece(bulk_.count, [&](const BulkPiece& piece, std::size_t) {
            for (std::uint32_t i = 0; i < piece.count; ++i)
                store_.insert_sparse(*column.set, entities(piece.base)[piece.row + i]);
        });
    }
    if (bulk_.table->watched() != 0) store_.notifier().spawned(bulk_);
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
