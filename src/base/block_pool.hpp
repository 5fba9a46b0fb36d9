// Memory for everything whose size depends on the number of entities: tables, chunks, migrations. Single blocks come
// directly from operator new. Full-size chunks come from slabs of equal blocks, which are in huge pages and are reused
// without returning to the allocator, so a steady state allocates nothing.
//
// Invariant: the pool holds a reserve large enough for one removal. Removing and despawning must not fail for lack of
// memory, so inside a NoFail scope a failed allocation is served from the reserve.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "stoa/detail/base/scoped_count.hpp"

namespace stoa::detail {

// Blocks from operator new. A block that fills huge pages asks for them before anything is written to it.
void* new_block(std::size_t bytes, std::size_t alignment);
void delete_block(void* block, std::size_t alignment) noexcept;

class BlockPool {
  public:
    BlockPool() = default;
    ~BlockPool();
    BlockPool(const BlockPool&) = delete;
    BlockPool& operator=(const BlockPool&) = delete;

    // A block of its own. Throws std::bad_alloc.
    void* take(std::size_t bytes, std::size_t alignment);
    void give(void* block, std::size_t bytes, std::size_t alignment) noexcept;

    // The same without a throw and without touching the reserve: null when there is no memory.
    void* try_take(std::size_t bytes, std::size_t alignment) noexcept;

    // A block in a slab, which blocks of the same size share. Throws std::bad_alloc.
    void* take_shared(std::size_t bytes, std::size_t alignment);
    void give_shared(void* block, std::size_t bytes, std::size_t alignment) noexcept;
    // The bytes of a slab beside its blocks, for alignments up to that of std::max_align_t.
    static constexpr std::size_t slab_header = 48;

    // Makes the reserve at least `bytes` large, and refills it after use. Throws std::bad_alloc.
    void keep_reserve(std::size_t bytes);

    // While one exists, allocations fall back to the reserve.
    class NoFail {
      public:
        explicit NoFail(BlockPool& pool) : depth_(pool.no_fail_depth_) {}

      private:
        ScopedCount<int> depth_;
    };
    bool in_no_fail() const { return no_fail_depth_ != 0; }

    // Returns slabs without a block in use to the allocator.
    void trim() noexcept;

    std::size_t bytes_reserved() const { return bytes_reserved_; }
    std::size_t bytes_huge() const { return bytes_huge_; }  // of those, in huge pages

  private:
    // At the front of its memory; the blocks follow.
    struct Slab {
        Slab* next;
        std::size_t blocks;
        std::size_t bytes;
        std::size_t alignment;  // as passed to the allocator
    };
    static_assert(sizeof(Slab) + alignof(std::max_align_t) <= slab_header);
    struct SizeClass {
        SizeClass* next;
        std::size_t bytes;
        std::size_t alignment;
        void* free = nullptr;  // linked through the first word of each free block
        // The blocks of the last slab that were never taken: memory is touched only when it is needed.
        std::byte* fresh = nullptr;
        std::byte* fresh_end = nullptr;
        std::size_t blocks = 0;
        Slab* slabs = nullptr;

        const std::byte* first_block(const Slab* slab) const;
        std::size_t header_bytes() const;
        bool is_in(const Slab* slab, const void* block) const;
        std::size_t free_blocks_in(const Slab* slab) const;
        void forget_blocks_of(const Slab* slab) noexcept;
    };
    struct Reserve {
        std::byte* base = nullptr;
        std::size_t bytes = 0;
        std::size_t used = 0;
        std::size_t live = 0;
    };

    void* counted(void* block, std::size_t bytes) noexcept;
    void* from_reserve(std::size_t bytes, std::size_t alignment) noexcept;
    bool give_to_reserve(void* block) noexcept;
    SizeClass* find_class(std::size_t bytes, std::size_t alignment) const noexcept;
    SizeClass& make_class(std::size_t bytes, std::size_t alignment);
    void add_slab(SizeClass& shared);
    void free_slab(Slab* slab) noexcept;

    SizeClass* classes_ = nullptr;   // few: one for each row size of a table that has filled a chunk
    std::vector<Reserve> reserves_;  // the last one is current; earlier ones still have blocks in use
    std::size_t reserve_bytes_ = 0;
    std::size_t bytes_reserved_ = 0;
    std::size_t bytes_huge_ = 0;
    int no_fail_depth_ = 0;
};

}  // namespace stoa::detail
