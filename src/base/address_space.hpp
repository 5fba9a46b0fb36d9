// What the system offers beyond operator new: huge pages, and address space that gets its memory piece by piece, so
// that an array can grow without moving.
#pragma once

#include <cstddef>

namespace stoa::detail {

inline constexpr std::size_t huge_page = std::size_t{1} << 21;

// Returns: whether memory that asks for huge pages may get them. The system is asked once.
bool offers_huge_pages() noexcept;

// Returns: the bytes of the whole huge pages inside a block; 0 where the system offers no huge pages.
std::size_t huge_bytes(const void* block, std::size_t bytes) noexcept;

// Asks for huge pages, for those bytes. Requires: the block has not been written to; the system gives a huge page only
// where none of it has memory yet. Advice only: a refusal changes nothing.
void ask_for_huge_pages(void* block, std::size_t bytes) noexcept;

// Address space is given memory in units of this many bytes.
inline constexpr std::size_t address_unit = huge_page;
inline constexpr std::size_t address_range = std::size_t{1} << 34;

// Returns: a range of addresses that is aligned to a unit, whose first unit may be used; null where the system has no
// such ranges, or none left. Huge pages are used where the system has them.
void* reserve_range() noexcept;

// Effects: the `bytes` from `at` on may be used too. Returns: false when there is no memory.
bool back_addresses(void* at, std::size_t bytes) noexcept;

// Requires: at most the first `backed` bytes have been used. One released range is kept, with its first unit: a world
// that ends is often followed by another, which then finds its memory ready.
void release_range(void* range, std::size_t backed) noexcept;

}  // namespace stoa::detail
