// Ranges are mapped without access, which takes no memory anywhere, and made accessible where they are needed.
#include "base/address_space.hpp"

#if defined(__linux__)
#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#endif

namespace stoa::detail {

#if defined(__linux__)

namespace {

constinit std::atomic<void*> spare_range{nullptr};

void* map_range() noexcept {
    void* const mapped = mmap(nullptr, address_range + address_unit, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    auto* const first = static_cast<std::byte*>(mapped);
    const std::size_t beyond = reinterpret_cast<std::uintptr_t>(mapped) % address_unit;
    const std::size_t before = beyond == 0 ? 0 : address_unit - beyond;
    if (before != 0) munmap(first, before);
    munmap(first + before + address_range, address_unit - before);
#if defined(MADV_HUGEPAGE)
    static_cast<void>(madvise(first + before, address_range, MADV_HUGEPAGE));  // Advice only: a refusal changes nothing
#endif
    return first + before;
}

}  // namespace

void* reserve_range() noexcept {
    if (void* spare = spare_range.exchange(nullptr, std::memory_order_acquire)) return spare;
    void* const range = map_range();
    if (range == nullptr || back_addresses(range, address_unit)) return range;
    munmap(range, address_range);
    return nullptr;
}

bool back_addresses(void* at, std::size_t bytes) noexcept { return mprotect(at, bytes, PROT_READ | PROT_WRITE) == 0; }

void release_range(void* range, std::size_t backed) noexcept {
    auto* const second = static_cast<std::byte*>(range) + address_unit;
    const std::size_t rest = backed - address_unit;
    // What is dropped reads as zero when it is backed again, and takes no memory meanwhile.
    if (rest != 0 && (madvise(second, rest, MADV_DONTNEED) != 0 || mprotect(second, rest, PROT_NONE) != 0)) {
        munmap(range, address_range);
        return;
    }
    if (void* other = spare_range.exchange(range, std::memory_order_acq_rel)) munmap(other, address_range);
}

#else

void* reserve_range() noexcept { return nullptr; }
bool back_addresses(void*, std::size_t) noexcept { return false; }
void release_range(void*, std::size_t) noexcept {}

#endif

}  // namespace stoa::detail
