// The chunks of a world by number. A location contains the number of a chunk, so a chunk can be passed to another table
// without a write to directory entries.
//
// Invariant: every number below the highest one ever used belongs to one table, or is in the free list.
#pragma once

#include <cstdint>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/storage/table.hpp"

namespace stoa::detail {

class ChunkDirectory {
  public:
    ChunkDirectory() = default;
    ChunkDirectory(const ChunkDirectory&) = delete;
    ChunkDirectory& operator=(const ChunkDirectory&) = delete;

    [[gnu::always_inline]] Chunk& operator[](ChunkNumber number) { return chunks_[index_of(number)]; }
    [[gnu::always_inline]] const Chunk& operator[](ChunkNumber number) const { return chunks_[index_of(number)]; }
    // Whether a chunk ever had this number. A free one has a null base.
    bool contains(ChunkNumber number) const { return index_of(number) < count_; }
    std::uint64_t in_use() const { return count_ - free_count_; }

    // Makes room to take one number, and to give it back without memory; outside a NoFail scope also one more, for the
    // next removal. Throws std::bad_alloc, Errc::capacity.
    void prepare(BlockPool& pool);
    // Requires: prepare().
    ChunkNumber take(const Chunk& chunk) noexcept;
    void give(ChunkNumber number) noexcept;

    // Frees all memory. Requires: no chunk in use.
    void free(BlockPool& pool) noexcept;

  private:
    Chunk* chunks_ = nullptr;
    ChunkNumber* free_ = nullptr;  // numbers that can be used again
    std::uint32_t count_ = 0;      // numbers ever used
    std::uint32_t capacity_ = 0;
    std::uint32_t free_count_ = 0;
    std::uint32_t free_capacity_ = 0;
};

}  // namespace stoa::detail
