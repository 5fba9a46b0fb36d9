// The unit in which walks hand out rows. Made by walks, read by the terms of a query.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stoa/detail/storage/store.hpp"

namespace stoa::detail {

// Consecutive rows of one chunk. The fields of the chunk that walks need are copied here: most tables have one chunk,
// whose fields the table has, so the chunk directory is not read. Functions that run for each row are `always_inline`,
// because in debug builds the call would cost more than the work.
struct RowSpan {
    const Table* table = nullptr;
    std::byte* base = nullptr;
    Tick* ticks = nullptr;
    ChunkNumber chunk{};
    std::uint32_t first = 0;
    std::uint32_t count = 0;

    [[gnu::always_inline]] const Entity* ids() const { return entities(base) + first; }
    [[gnu::always_inline]] RowSpan row(std::uint32_t i) const {
        RowSpan one = *this;
        one.first += i;
        one.count = 1;
        return one;
    }
    RowTicks* stamps(const Store& store, ColumnAt at) const {
        return !table->is_tracked() ? nullptr : store.chunks()[chunk].row_ticks[index_of(at.tick_index)];
    }
};

// The row span that starts at a location.
inline RowSpan rows_at(const Store& store, Location at, std::uint32_t count) {
    const Chunk& chunk = store.chunks()[at.chunk()];
    return {&chunk.table(), chunk.base, chunk.ticks, at.chunk(), at.row(), count};
}
// The row of an entity, or of a ghost, as a row span.
inline RowSpan rows_at(const EntityRow& place) {
    const Location at{place.at.bits & ~Location::dead};
    return {&place.chunk->table(), place.chunk->base, place.chunk->ticks, at.chunk(), at.row(), 1};
}

}  // namespace stoa::detail
