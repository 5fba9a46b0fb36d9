// Change tracking below the chunk: which components are tracked, which are indexed, and the row ticks of all chunks.
// Row ticks are in separate blocks, so that tracking can begin during a walk: no value moves.
//
// Invariant: every chunk of a table has RowTicks for exactly the components in `Table::tracked()`, with room for all
// rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/block_pool.hpp"
#include "base/pod_array.hpp"
#include "stoa/detail/storage/change_clock.hpp"
#include "stoa/detail/storage/chunk_directory.hpp"
#include "stoa/detail/storage/indexed_component.hpp"
#include "stoa/detail/storage/table.hpp"

namespace stoa::detail {

class ChangeTracking {
  public:
    ChangeTracking(BlockPool& pool, ChunkDirectory& chunks, const ChangeClock& clock) noexcept
        : pool_(pool), chunks_(chunks), clock_(clock) {}
    ~ChangeTracking();
    ChangeTracking(const ChangeTracking&) = delete;
    ChangeTracking& operator=(const ChangeTracking&) = delete;

    // Whether new tables and sparse sets track the component.
    bool is_tracked(ComponentId id, const ComponentType& type) const noexcept;
    // Makes new tables and sparse sets track the component. Throws std::bad_alloc.
    void note_tracked(ComponentId id);
    // Tracks the component in a table that has it: rows that exist count as changed at `now`. All or nothing. Throws
    // std::bad_alloc.
    void start(Table& table, ComponentId id, Tick now);

    IndexedComponent* find_indexed(ComponentId id) const noexcept {
        const auto number = static_cast<std::uint32_t>(id);
        return number < indexed_.size ? indexed_[number] : nullptr;
    }
    // Requires: it is not indexed yet. Throws std::bad_alloc.
    IndexedComponent& make_indexed(ComponentId id);
    // Forgets the components that `which(id)` selects. Requires: no table has them, and no index reads them.
    template <class Which>
    void forget_if(Which&& which) noexcept {
        for (std::uint32_t number = 0; number < tracked_.size; ++number) {
            if (which(ComponentId{number})) tracked_[number] = false;
        }
        for (std::uint32_t number = 0; number < indexed_.size; ++number) {
            if (which(ComponentId{number})) delete std::exchange(indexed_[number], nullptr);
        }
    }
    // Records the writes to the rows of a table, which tracks the component.
    void record_writes(const Table& table, ComponentId id, IndexedComponent& indexed) noexcept;

    // The row ticks of one chunk of a table. Null when the table tracks nothing. Throws std::bad_alloc.
    RowTicks** make_row_ticks(const Table& table, std::uint32_t rows);
    void free_row_ticks(const Table& table, RowTicks** ticks) noexcept;
    static std::size_t row_tick_bytes(const Table& table, std::uint32_t tracked_count, std::uint32_t rows) noexcept;
    static void copy_row_ticks(const Table& table, RowTicks** to, RowTicks** from, std::uint32_t count) noexcept;

    // Stamps the new rows of a chunk.
    void stamp_arrivals(const Table& table, ChunkNumber number, std::uint32_t row, std::uint32_t count) noexcept;
    // The row moves to the row after the last one of `target`. Its ticks move with it; components that only the target
    // has are stamped as added.
    void carry(const Chunk& from, std::uint32_t row, const Table& target) noexcept;
    // The ticks of the last row of a table replace those of the row at `to`.
    void move_last(const Table& table, Location to) noexcept;
    // Records that the entity in this row moves to `target`, or leaves the world when that is null.
    void note_departure(const Chunk& from, std::uint32_t row, const Table* target) noexcept {
        if (indexed_.size != 0) note_indexed_departure(from, row, target);
    }
    void note_all_depart(const Table& table) noexcept;

    // See TickSweeper.
    void sweep(const Table& table, Tick now) noexcept;
    static void sweep(Tick& tick, Tick now) noexcept;
    static void sweep(RowTicks& ticks, Tick now) noexcept;

  private:
    RowTicks* make_ticks(std::uint32_t rows, Tick now, ComponentId id);
    RowTicks** make_pointers(const Table& table);
    void note_indexed_departure(const Chunk& from, std::uint32_t row, const Table* target) noexcept;

    BlockPool& pool_;
    ChunkDirectory& chunks_;
    const ChangeClock& clock_;
    PodArray<bool> tracked_;               // by component id
    PodArray<IndexedComponent*> indexed_;  // by component id; null unless the component is indexed
};

}  // namespace stoa::detail
