// Slabs, single blocks and the reserve. See the header for the invariant.
#include "base/block_pool.hpp"

#include <algorithm>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace stoa::detail {
namespace {

constexpr std::size_t huge_page = 1 << 21;
// Short of a huge page, so that the allocator has room for what it keeps between two of them.
constexpr std::size_t largest_slab = huge_page - 4096;
constexpr std::size_t reserve_alignment = 64;
constexpr std::size_t least_reserve = 1 << 15;  // costs addresses rather than memory: most reserves are never touched
constexpr std::size_t huge_page_threshold = 1 << 18;

std::size_t round_up(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }

// A huge page is given only when all of it is mapped and advised at its first touch. A slab that lies across two of them
// rarely brings that about; so one that can nearly fill a huge page lies in one.
bool crosses_huge_page(void* block, std::size_t bytes) {
    return reinterpret_cast<std::uintptr_t>(block) % huge_page + bytes > huge_page;
}

// The advice is rounded out to whole huge pages: what lies beside a block is the next one or other memory of the heap, which
// the advice does not harm.
void advise_huge_pages([[maybe_unused]] void* block, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(block) / huge_page * huge_page;
    const std::uintptr_t last = round_up(reinterpret_cast<std::uintptr_t>(block) + bytes, huge_page);
    // Advice only: a refusal changes nothing.
    static_cast<void>(madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE));
#endif
}

}  // namespace

void* new_block(std::size_t bytes, std::size_t alignment) {
    void* block = ::operator new(bytes, std::align_val_t{alignment});
    if (bytes >= huge_page_threshold) advise_huge_pages(block, bytes);
    return block;
}

void delete_block(void* block, std::size_t alignment) noexcept { ::operator delete(block, std::align_val_t{alignment}); }

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

void* BlockPool::take(std::size_t bytes, std::size_t alignment) {
    void* block = nullptr;
    if (no_fail_depth_ == 0) {
        block = new_block(bytes, alignment);
    } else {
        block = ::operator new(bytes, std::align_val_t{alignment}, std::nothrow);
        if (block == nullptr) block = from_reserve(bytes, alignment);
        if (block == nullptr) block = new_block(bytes, alignment);
    }
    bytes_reserved_ += bytes;
    return block;
}

void* BlockPool::try_take(std::size_t bytes, std::size_t alignment) noexcept {
    void* block = ::operator new(bytes, std::align_val_t{alignment}, std::nothrow);
    if (block != nullptr) bytes_reserved_ += bytes;
    return block;
}

void BlockPool::give(void* block, std::size_t bytes, std::size_t alignment) noexcept {
    if (block == nullptr) return;
    bytes_reserved_ -= bytes;
    if (!give_to_reserve(block)) delete_block(block, alignment);
}

std::byte* BlockPool::SizeClass::first_block(Slab* slab) const {
    return reinterpret_cast<std::byte*>(slab) + round_up(sizeof(Slab), alignment);
}

std::size_t BlockPool::SizeClass::slab_bytes(std::size_t block_count) const {
    return round_up(sizeof(Slab), alignment) + block_count * bytes;
}

BlockPool::SizeClass* BlockPool::find_class(std::size_t bytes, std::size_t alignment) const noexcept {
    SizeClass* shared = classes_;
    while (shared != nullptr && (shared->bytes != bytes || shared->alignment != alignment)) shared = shared->next;
    return shared;
}

BlockPool::SizeClass& BlockPool::make_class(std::size_t bytes, std::size_t alignment) {
    void* block = take(sizeof(SizeClass), alignof(SizeClass));
    classes_ = ::new (block) SizeClass{classes_, bytes, alignment, nullptr, 0, nullptr};
    return *classes_;
}

void BlockPool::add_slab(SizeClass& shared) {
    // Twice as many blocks each time, from half of a slab on a whole one: a small table does not pay for a large one's slab.
    const std::size_t most = std::max<std::size_t>(1, (largest_slab - shared.slab_bytes(0)) / shared.bytes);
    const std::size_t wanted = shared.blocks < most / 2 ? std::max<std::size_t>(shared.blocks, 1) : most;
    const std::size_t blocks = in_no_fail() ? 1 : wanted;
    std::size_t bytes = shared.slab_bytes(blocks);
    std::size_t alignment = shared.alignment;
    // Not for a single block, which the reserve may have to hold.
    const bool fills_huge_page = blocks > 1 && bytes > huge_page / 8 * 7;
    if (fills_huge_page) {
        bytes = largest_slab;
        if (shared.slabs->alignment == huge_page) alignment = huge_page;
    }
    void* memory = take(bytes, alignment);
    // A slab that large is often mapped to a huge page of its own, by itself. To ask for that may map twice the memory.
    if (fills_huge_page && crosses_huge_page(memory, bytes)) {
        give(memory, bytes, alignment);
        alignment = huge_page;
        memory = take(bytes, alignment);
    }
    shared.slabs = ::new (memory) Slab{shared.slabs, blocks, bytes, alignment};
    shared.blocks += blocks;
    // Linked so that blocks are handed out from low to high addresses.
    for (std::size_t i = blocks; i-- > 0;) {
        void* block = shared.first_block(shared.slabs) + i * shared.bytes;
        shared.free = ::new (block) void*(shared.free);
    }
}

void BlockPool::free_slab(Slab* slab) noexcept {
    give(slab, slab->bytes, slab->alignment);
}

void* BlockPool::take_shared(std::size_t bytes, std::size_t alignment) {
    bytes = round_up(bytes, alignment);
    SizeClass* known = find_class(bytes, alignment);
    SizeClass& shared = known != nullptr ? *known : make_class(bytes, alignment);
    if (shared.free == nullptr) add_slab(shared);
    void* block = shared.free;
    shared.free = *static_cast<void**>(block);
    return block;
}

void BlockPool::give_shared(void* block, std::size_t bytes, std::size_t alignment) noexcept {
    SizeClass& shared = *find_class(round_up(bytes, alignment), alignment);
    shared.free = ::new (block) void*(shared.free);
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

void BlockPool::trim() noexcept {
    for (SizeClass* shared = classes_; shared != nullptr; shared = shared->next) {
        for (Slab** link = &shared->slabs; *link != nullptr;) {
            Slab* slab = *link;
            const std::byte* first = shared->first_block(slab);
            const std::byte* last = first + slab->blocks * shared->bytes;
            const auto inside = [&](void* block) { return block >= first && block < last; };
            std::size_t free_here = 0;
            for (void* block = shared->free; block != nullptr; block = *static_cast<void**>(block)) free_here += inside(block);
            if (free_here != slab->blocks) {
                link = &slab->next;
                continue;
            }
            for (void** free = &shared->free; *free != nullptr;) {
                if (inside(*free)) {
                    *free = *static_cast<void**>(*free);
                } else {
                    free = static_cast<void**>(*free);
                }
            }
            shared->blocks -= slab->blocks;
            *link = slab->next;
            free_slab(slab);
        }
    }
}

}  // namespace stoa::detail
