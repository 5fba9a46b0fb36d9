// Reserved ranges are mapped without access, which takes no memory anywhere, and made accessible where they are needed.
#include "base/address_space.hpp"

#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace stoa::detail {

#if defined(__linux__)

void* reserve_addresses(std::size_t bytes) noexcept {
    void* const mapped = mmap(nullptr, bytes + address_unit, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    auto* const first = static_cast<std::byte*>(mapped);
    const std::size_t beyond = reinterpret_cast<std::uintptr_t>(mapped) % address_unit;
    const std::size_t before = beyond == 0 ? 0 : address_unit - beyond;
    if (before != 0) munmap(first, before);
    munmap(first + before + bytes, address_unit - before);
#if defined(MADV_HUGEPAGE)
    static_cast<void>(madvise(first + before, bytes, MADV_HUGEPAGE));  // Advice only: a refusal changes nothing
#endif
    return first + before;
}

bool back_addresses(void* at, std::size_t bytes) noexcept { return mprotect(at, bytes, PROT_READ | PROT_WRITE) == 0; }

void release_addresses(void* at, std::size_t bytes) noexcept { munmap(at, bytes); }

#else

void* reserve_addresses(std::size_t) noexcept { return nullptr; }
bool back_addresses(void*, std::size_t) noexcept { return false; }
void release_addresses(void*, std::size_t) noexcept {}

#endif

}  // namespace stoa::detail
