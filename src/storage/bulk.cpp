// Spawning many entities at once: rows are built column by column behind the last row, then get their ids together.
#include <algorithm>

#include "storage/state.hpp"

namespace stoa::detail {

Bulk Store::begin_bulk(TypeList& list, std::uint64_t count) {
    require_unlocked("spawn_many");
    Table& table = table_of(list);
    directory_.prepare(count);
    state_->reserve_rows(table, table.rows() + count);
    if (table.is_watched(Table::observed)) listener_->expect(table, count);
    std::uint32_t chunk = table.tail_index;
    std::uint32_t row = table.tail_rows;
    if (row == table.chunk_rows && count != 0) {
        ++chunk;
        row = 0;
    }
    return {&table, chunk, row, count};
}

Run Store::run_of(const Bulk& bulk, std::uint64_t done) const {
    const std::uint64_t at = bulk.row + done;
    const auto chunk = static_cast<std::uint32_t>(bulk.chunk + at / bulk.table->chunk_rows);
    const auto row = static_cast<std::uint32_t>(at % bulk.table->chunk_rows);
    const std::uint64_t count = std::min<std::uint64_t>(bulk.count - done, bulk.table->chunk_rows - row);
    return {chunks_[bulk.table->chunks[chunk]].base, row, static_cast<std::uint32_t>(count)};
}

void Store::commit_bulk(const Bulk& bulk, Entity* out) noexcept {
    if (bulk.count == 0) return;
    Table& table = *bulk.table;
    for (std::uint64_t done = 0; done < bulk.count;) {
        const Run run = run_of(bulk, done);
        const auto chunk = static_cast<std::uint32_t>(bulk.chunk + (bulk.row + done) / table.chunk_rows);
        Entity* ids = entities(run.base) + run.row;
        directory_.take_many(Location::of(table.chunks[chunk], run.row), run.count, ids);
        if (out != nullptr) std::copy_n(ids, run.count, out + done);
        chunks_[table.chunks[chunk]].ticks[0] = tick();
        if (table.tracked_count != 0) stamp_arrivals(table, table.chunks[chunk], run.row, run.count);
        done += run.count;
        state_->set_tail(table, chunk, run.row + run.count);
    }
}

[[gnu::noinline]] Entity Store::tell_spawn(Entity entity, const Table& table) {
    if (table.is_watched(Table::observed)) listener_->spawned({&entity, 1}, table, StoreListener::Round::all);
    return entity;
}

void Store::tell_spawns(const Bulk& bulk) {
    if (!bulk.table->is_watched(Table::observed)) return;
    using Round = StoreListener::Round;
    for (const bool lists : {true, false}) {
        for (std::uint64_t done = 0; done < bulk.count;) {
            const Run run = run_of(bulk, done);
            done += run.count;
            const Round calls = done == bulk.count ? Round::last_callbacks : Round::callbacks;
            listener_->spawned({entities(run.base) + run.row, run.count}, *bulk.table, lists ? Round::lists : calls);
        }
    }
}

bool Store::may_move(const Table& table, const void* bytes) const {
    if (table.chunk_count != 1 || table.chunk_rows == table.full_rows) return false;
    const std::byte* base = chunks_[table.chunks[0]].base;
    return bytes >= base && bytes < base + table.chunk_bytes;
}

}  // namespace stoa::detail
