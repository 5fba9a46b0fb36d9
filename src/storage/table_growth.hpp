// How tables get chunks and lose them: room for further rows, a larger first chunk, chunks that are not needed any
// more. All memory is taken before a table changes.
//
// Invariant: the pool has a reserve that is large enough for one removal, whichever table it concerns.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/block_pool.hpp"
#include "stoa/detail/storage/change_clock.hpp"
#include "stoa/detail/storage/chunk_directory.hpp"
#include "stoa/detail/storage/lock.hpp"
#include "stoa/detail/storage/notifier.hpp"
#include "stoa/detail/storage/table.hpp"
#include "storage/change_tracking.hpp"

namespace stoa::detail {

class TableGrowth {
  public:
    TableGrowth(BlockPool& pool, ChunkDirectory& chunks, ChangeTracking& tracking, const ChangeClock& clock,
                StructureLock& lock, Notifier& notifier) noexcept
        : pool_(pool), chunks_(chunks), tracking_(tracking), clock_(clock), lock_(lock), notifier_(notifier) {}
    TableGrowth(const TableGrowth&) = delete;
    TableGrowth& operator=(const TableGrowth&) = delete;

    // The tail gets room for a row at least. Requires: it has none. Throws std::bad_alloc, Errc::capacity; outside a
    // removal.
    void make_room(Table& table);
    // Makes place for so many rows in all. The tail stays. Throws as make_room.
    void reserve_rows(Table& table, std::uint64_t rows);
    // Before a table tracks one component more.
    void reserve_for_tracking(const Table& table);
    // True while values are on their way to a larger chunk.
    bool is_growing() const { return is_growing_; }

    void set_tail(Table& table, std::uint32_t position, std::uint32_t rows) noexcept {
        table.set_tail(position, rows, chunks_[table.chunks()[position]]);
    }
    void advance_tail(Table& table) noexcept { set_tail(table, table.tail_position() + 1, 0); }
    // The chunk before the tail becomes the tail, which has no rows.
    void retreat_tail(Table& table) noexcept;
    // A spawn that failed may have opened a chunk for nothing. Before its last row is looked for, the table goes back.
    [[gnu::always_inline]] void leave_empty_tail(Table& table) noexcept {
        if (table.tail_rows() == 0) [[unlikely]]
            retreat_tail(table);
    }

    // Frees the chunks behind the first `keep`. Requires: they have no rows.
    void release_spare_chunks(Table& table, std::uint32_t keep) noexcept;
    void release_all_chunks(Table& table) noexcept;
    // The rows are gone: one chunk stays, or as many as were reserved.
    void release_emptied_chunks(Table& table) noexcept;
    // Frees the chunks of an empty table, if it had no row since the last call; the listener is notified when it gets
    // rows again. Returns: whether it is dormant now.
    bool make_dormant(Table& table) noexcept;
    // A table has rows again: a dormant one comes back to the lists of queries.
    void reactivate(Table& table) noexcept;

  private:
    static std::size_t removal_reserve(const Table& table, std::uint32_t tracked_count, std::uint32_t rows) noexcept;
    void grow_first(Table& table, std::uint32_t rows);
    void add_chunk(Table& table, std::uint32_t rows);

    BlockPool& pool_;
    ChunkDirectory& chunks_;
    ChangeTracking& tracking_;
    const ChangeClock& clock_;
    StructureLock& lock_;
    Notifier& notifier_;
    bool is_growing_ = false;
};

}  // namespace stoa::detail
