// Where a container of the library takes its memory from: the heap, or the block pool of a world. Both have the same
// three functions, and containers take one of them as a template argument.
#pragma once

#include <cstddef>
#include <new>

#include "stoa/detail/base/config.hpp"

namespace stoa::detail {

class BlockPool;

// Alignments are at most that of std::max_align_t.
struct HeapMemory {
    // Throws std::bad_alloc.
    void* take(std::size_t bytes) { return ::operator new(bytes); }
    // Returns: null when there is no memory.
    void* try_take(std::size_t bytes) noexcept { return ::operator new(bytes, std::nothrow); }
    void give(void* block, std::size_t) noexcept { ::operator delete(block); }
};

// Inside a BlockPool::NoFail scope take() falls back to the reserve of the pool; try_take() never does.
struct PoolMemory {
    BlockPool* pool;

    void* take(std::size_t bytes);
    void* try_take(std::size_t bytes) noexcept;
    void give(void* block, std::size_t bytes) noexcept;
};

}  // namespace stoa::detail
