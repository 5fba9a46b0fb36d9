// Gives chunks to tables and frees them: room for more rows, a larger first chunk, chunks that are no longer needed.
// All memory is allocated before a table changes.
//
// Invariant: the pool has a reserve that is large enough for one removal from any table.
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

    // Gives the tail room for at least one row. Requires: it has none. Outside a removal, throws std::bad_alloc and
    // Errc::capacity.
    void make_room(Table& table);
    // Makes room for `rows` rows in all. The tail stays. Throws as make_room.
    void reserve_rows(Table& table, std::uint64_t rows);
    // Called before a table tracks one more component.
    void reserve_for_tracking(const Table& table);
    // True while values are being moved to a larger chunk.
    bool is_growing() const { return is_growing_; }

    void set_tail(Table& table, std::uint32_t position, std::uint32_t rows) noexcept {
        table.set_tail(position, rows, chunks_[table.chunks()[position]]);
    }
    void advance_tail(Table& table) noexcept { set_tail(table, table.tail_position() + 1, 0); }
    // Makes the chunk before the tail the new tail. Requires: the tail has no rows.
    void retreat_tail(Table& table) noexcept;
    // A failed spawn may have left an empty tail. Makes the chunk before it the tail again, before the last row is
    // looked up.
    [[gnu::always_inline]] void leave_empty_tail(Table& table) noexcept {
        if (table.tail_rows() == 0) [[unlikely]]
            retreat_tail(table);
    }

    // Frees the chunks after the first `keep`. Requires: they have no rows.
    void release_spare_chunks(Table& table, std::uint32_t keep) noexcept;
    void release_all_chunks(Table& table) noexcept;
    // All rows have left: keeps one chunk, or as many as were reserved, and frees the others.
    void release_emptied_chunks(Table& table) noexcept;
    // Frees the chunks of an empty table, if it had no row since the last call; the listener is notified when it gets
    // rows again. Returns: whether it is dormant now.
    bool make_dormant(Table& table) noexcept;
    // A table has rows again: puts a dormant one back into the lists of queries.
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
