// Huge pages by advice. Ranges are mapped without access, which takes no memory anywhere, and made accessible where
// they are needed.
#include "base/address_space.hpp"

#include <cstdint>

#if defined(__linux__)
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <string_view>
#endif

namespace stoa::detail {

#if defined(__linux__)

namespace {

constinit std::atomic<void*> spare_range{nullptr};

void* map_range() noexcept {
    void* const mapped =
        mmap(nullptr, address_range + address_unit, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    auto* const first = static_cast<std::byte*>(mapped);
    const std::size_t beyond = reinterpret_cast<std::uintptr_t>(mapped) % address_unit;
    const std::size_t before = beyond == 0 ? 0 : address_unit - beyond;
    if (before != 0) munmap(first, before);
    munmap(first + before + address_range, address_unit - before);
    ask_for_huge_pages(first + before, address_range);
    return first + before;
}

#if defined(MADV_HUGEPAGE)

// A kernel without huge pages refuses the advice even for no memory at all; one that has them may be configured to
// give none.
bool ask_system() noexcept {
    if (madvise(nullptr, 0, MADV_HUGEPAGE) != 0) return false;
    const int file = open("/sys/kernel/mm/transparent_hugepage/enabled", O_RDONLY | O_CLOEXEC);
    if (file < 0) return true;  // the setting cannot be read here
    char text[64];
    const ssize_t length = read(file, text, sizeof text);
    close(file);
    if (length < 0) return true;
    return std::string_view(text, static_cast<std::size_t>(length)).find("[never]") == std::string_view::npos;
}

#endif

}  // namespace

bool offers_huge_pages() noexcept {
#if defined(MADV_HUGEPAGE)
    static const bool offered = ask_system();
    return offered;
#else
    return false;
#endif
}

void ask_for_huge_pages([[maybe_unused]] void* block, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(MADV_HUGEPAGE)
    const std::size_t whole = huge_bytes(block, bytes);
    if (whole == 0) return;
    auto* const first = static_cast<std::byte*>(block) + (-reinterpret_cast<std::uintptr_t>(block)) % huge_page;
    static_cast<void>(madvise(first, whole, MADV_HUGEPAGE));
#endif
}

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
    // Dropped pages take no memory, and read as zero when they are backed again.
    if (rest != 0 && (madvise(second, rest, MADV_DONTNEED) != 0 || mprotect(second, rest, PROT_NONE) != 0)) {
        munmap(range, address_range);
        return;
    }
    if (void* other = spare_range.exchange(range, std::memory_order_acq_rel)) munmap(other, address_range);
}

#else

bool offers_huge_pages() noexcept { return false; }
void ask_for_huge_pages(void*, std::size_t) noexcept {}
void* reserve_range() noexcept { return nullptr; }
bool back_addresses(void*, std::size_t) noexcept { return false; }
void release_range(void*, std::size_t) noexcept {}

#endif

std::size_t huge_bytes(const void* block, std::size_t bytes) noexcept {
    if (bytes < huge_page || !offers_huge_pages()) return 0;
    const std::size_t before = (-reinterpret_cast<std::uintptr_t>(block)) % huge_page;
    return bytes < before ? 0 : (bytes - before) / huge_page * huge_page;
}

}  // namespace stoa::detail
