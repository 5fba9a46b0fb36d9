// Slabs, single blocks and the reserve. See the header for the invariant.
#include "base/block_pool.hpp"

#include <algorithm>
#include <utility>

#include "base/address_space.hpp"
#include "stoa/detail/base/memory.hpp"
#include "stoa/detail/base/round_up.hpp"

namespace stoa::detail {
namespace {

constexpr std::size_t most_pages = 16;  // huge pages of a slab
constexpr std::size_t reserve_alignment = 64;
constexpr std::size_t least_reserve = 1 << 15;  // takes addresses, not memory: most reserves are never written to

}  // namespace

void* new_block(std::size_t bytes, std::size_t alignment) {
    void* block = ::operator new(bytes, std::align_val_t{alignment});
    ask_for_huge_pages(block, bytes);
    return block;
}

void delete_block(void* block, std::size_t alignment) noexcept {
    ::operator delete(block, std::align_val_t{alignment});
}

BlockPool::~BlockPool() {
    while (classes_ != nullptr) {
        SizeClass* shared = classes_;
        classes_ = shared->next;
        while (shared->slabs != nullptr) {
            Slab* slab = shared->slabs;
            shared->slabs = slab->next;
            free_slab(slab);
        }
        give(shared, sizeof(SizeClass), alignof(SizeClass));
    }
    for (const Reserve& reserve : reserves_) delete_block(reserve.base, reserve_alignment);
}

void* BlockPool::counted(void* block, std::size_t bytes) noexcept {
    bytes_reserved_ += bytes;
    bytes_huge_ += huge_bytes(block, bytes);
    return block;
}

void* BlockPool::take(std::size_t bytes, std::size_t alignment) {
    if (in_no_fail()) {
        if (void* block = try_take(bytes, alignment)) return block;
        if (void* block = from_reserve(bytes, alignment)) return block;
    }
    return counted(new_block(bytes, alignment), bytes);
}

void* BlockPool::try_take(std::size_t bytes, std::size_t alignment) noexcept {
    void* block = ::operator new(bytes, std::align_val_t{alignment}, std::nothrow);
    if (block == nullptr) return nullptr;
    ask_for_huge_pages(block, bytes);
    return counted(block, bytes);
}

void BlockPool::give(void* block, std::size_t bytes, std::size_t alignment) noexcept {
    if (block == nullptr) return;
    bytes_reserved_ -= bytes;
    if (give_to_reserve(block)) return;
    bytes_huge_ -= huge_bytes(block, bytes);
    delete_block(block, alignment);
}

// Safe: the memory of a slab begins with its header.
const std::byte* BlockPool::SizeClass::first_block(const Slab* slab) const {
    return reinterpret_cast<const std::byte*>(slab) + header_bytes();
}

std::size_t BlockPool::SizeClass::header_bytes() const { return round_up(sizeof(Slab), alignment); }

BlockPool::SizeClass* BlockPool::find_class(std::size_t bytes, std::size_t alignment) const noexcept {
    SizeClass* shared = classes_;
    while (shared != nullptr && (shared->bytes != bytes || shared->alignment != alignment)) shared = shared->next;
    return shared;
}

BlockPool::SizeClass& BlockPool::make_class(std::size_t bytes, std::size_t alignment) {
    void* block = take(sizeof(SizeClass), alignof(SizeClass));
    // Safe: a new block of this size and alignment.
    classes_ = ::new (block) SizeClass{classes_, bytes, alignment};
    return *classes_;
}

// A slab has twice as many blocks as the one before, until it nearly fills a huge page, so that a small table does not
// allocate the slab of a large one. From then on a slab consists of whole huge pages, an eighth of the memory of its
// size class: to align a slab, an allocator may need addresses for one more huge page.
void BlockPool::add_slab(SizeClass& shared) {
    const std::size_t header = shared.header_bytes();
    const std::size_t page_blocks = header < huge_page ? (huge_page - header) / shared.bytes : 0;
    const bool is_last_step = shared.blocks >= page_blocks / 2;
    std::size_t blocks = std::max<std::size_t>(1, is_last_step ? page_blocks : shared.blocks);
    std::size_t bytes = header + blocks * shared.bytes;
    std::size_t alignment = shared.alignment;
    if (in_no_fail()) {
        blocks = 1;  // which the reserve may have to hold
        bytes = header + shared.bytes;
    } else if (blocks > 1 && bytes > huge_page / 8 * 7 && offers_huge_pages()) {
        bytes = std::clamp<std::size_t>(shared.blocks * shared.bytes / 8 / huge_page, 1, most_pages) * huge_page;
        blocks = (bytes - header) / shared.bytes;
        alignment = std::max(alignment, huge_page);
    }
    void* memory = take(bytes, alignment);
    // Safe: the slab is aligned at least as its header, which comes first.
    shared.slabs = ::new (memory) Slab{shared.slabs, blocks, bytes, alignment};
    shared.blocks += blocks;
    shared.fresh = static_cast<std::byte*>(memory) + header;
    shared.fresh_end = shared.fresh + blocks * shared.bytes;
}

void BlockPool::free_slab(Slab* slab) noexcept { give(slab, slab->bytes, slab->alignment); }

void* BlockPool::take_shared(std::size_t bytes, std::size_t alignment) {
    bytes = round_up(bytes, alignment);
    SizeClass* known = find_class(bytes, alignment);
    SizeClass& shared = known != nullptr ? *known : make_class(bytes, alignment);
    if (void* block = shared.free) {
        shared.free = *static_cast<void**>(block);  // Safe: written by give_shared
        return block;
    }
    if (shared.fresh == shared.fresh_end) add_slab(shared);
    return std::exchange(shared.fresh, shared.fresh + shared.bytes);  // so from low to high addresses
}

void BlockPool::give_shared(void* block, std::size_t bytes, std::size_t alignment) noexcept {
    SizeClass& shared = *find_class(round_up(bytes, alignment), alignment);
    shared.free = ::new (block) void*(shared.free);  // Safe: a block that was given back is not in use
}

void BlockPool::keep_reserve(std::size_t bytes) {
    if (in_no_fail()) return;
    reserve_bytes_ = std::max(reserve_bytes_, bytes);
    if (!reserves_.empty() && reserves_.back().used == 0 && reserves_.back().bytes >= reserve_bytes_) return;
    reserves_.reserve(reserves_.size() + 1);
    const std::size_t size = std::max(least_reserve, round_up(reserve_bytes_ + reserve_bytes_ / 2, 4096));
    auto* base = static_cast<std::byte*>(new_block(size, reserve_alignment));
    std::erase_if(reserves_, [this](const Reserve& old) {
        if (old.live != 0) return false;
        bytes_reserved_ -= old.bytes;
        delete_block(old.base, reserve_alignment);
        return true;
    });
    reserves_.push_back({base, size, 0, 0});
    bytes_reserved_ += size;
}

void* BlockPool::from_reserve(std::size_t bytes, std::size_t alignment) noexcept {
    if (reserves_.empty()) return nullptr;
    Reserve& reserve = reserves_.back();
    const auto start = reinterpret_cast<std::uintptr_t>(reserve.base);
    const std::size_t at = round_up(start + reserve.used, alignment) - start;
    if (at + bytes > reserve.bytes) return nullptr;
    reserve.used = at + bytes;
    ++reserve.live;
    bytes_reserved_ += bytes;
    return reserve.base + at;
}

bool BlockPool::give_to_reserve(void* block) noexcept {
    for (Reserve& reserve : reserves_) {
        if (block >= reserve.base && block < reserve.base + reserve.bytes) {
            if (--reserve.live == 0) reserve.used = 0;
            return true;
        }
    }
    return false;
}

bool BlockPool::SizeClass::is_in(const Slab* slab, const void* block) const {
    const std::byte* const first = first_block(slab);
    return block >= first && block < first + slab->blocks * bytes;
}

std::size_t BlockPool::SizeClass::free_blocks_in(const Slab* slab) const {
    const bool has_fresh = fresh != fresh_end && is_in(slab, fresh);
    std::size_t count = has_fresh ? static_cast<std::size_t>(fresh_end - fresh) / bytes : 0;
    for (void* block = free; block != nullptr; block = *static_cast<void**>(block)) count += is_in(slab, block);
    return count;
}

void BlockPool::SizeClass::forget_blocks_of(const Slab* slab) noexcept {
    for (void** link = &free; *link != nullptr;) {
        if (is_in(slab, *link)) {
            *link = *static_cast<void**>(*link);
        } else {
            link = static_cast<void**>(*link);
        }
    }
    if (fresh != fresh_end && is_in(slab, fresh)) fresh = fresh_end;
    blocks -= slab->blocks;
}

void BlockPool::trim() noexcept {
    for (SizeClass* shared = classes_; shared != nullptr; shared = shared->next) {
        for (Slab** link = &shared->slabs; *link != nullptr;) {
            Slab* const slab = *link;
            if (shared->free_blocks_in(slab) != slab->blocks) {
                link = &slab->next;
                continue;
            }
            shared->forget_blocks_of(slab);
            *link = slab->next;
            free_slab(slab);
        }
    }
}

void* PoolMemory::take(std::size_t bytes) { return pool->take(bytes, alignof(std::max_align_t)); }

void* PoolMemory::try_take(std::size_t bytes) noexcept { return pool->try_take(bytes, alignof(std::max_align_t)); }

void PoolMemory::give(void* block, std::size_t bytes) noexcept { pool->give(block, bytes, alignof(std::max_align_t)); }

}  // namespace stoa::detail
