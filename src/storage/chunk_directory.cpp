// The memory of the chunk directory, and its free list.
#include "stoa/detail/storage/chunk_directory.hpp"

#include "base/pod_array.hpp"
#include "base/raise.hpp"

namespace stoa::detail {

void ChunkDirectory::prepare(BlockPool& pool) {
    const std::uint32_t spare = pool.in_no_fail() ? 1 : 2;
    if (free_count_ == 0 && count_ == Location::max_chunks) {
        raise(Errc::capacity, "spawn: the world is out of chunks; despawn entities or call shrink_to_fit()");
    }
    grow_array(pool, chunks_, count_, capacity_, count_ + spare);
    grow_array(pool, free_, free_count_, free_capacity_, count_ + spare);
}

ChunkNumber ChunkDirectory::take(const Chunk& chunk) noexcept {
    const ChunkNumber number = free_count_ != 0 ? free_[--free_count_] : ChunkNumber{count_++};
    chunks_[index_of(number)] = chunk;
    return number;
}

void ChunkDirectory::give(ChunkNumber number) noexcept {
    chunks_[index_of(number)] = {};
    free_[free_count_++] = number;
}

void ChunkDirectory::free(BlockPool& pool) noexcept {
    free_array(pool, chunks_, capacity_);
    free_array(pool, free_, free_capacity_);
}

}  // namespace stoa::detail
