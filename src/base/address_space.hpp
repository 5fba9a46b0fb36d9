// Address space that gets its memory piece by piece, so that an array can grow for long without moving. Called by the directory.
#pragma once

#include <cstddef>

namespace stoa::detail {

// Memory is asked for and given in units of this many bytes: one huge page.
inline constexpr std::size_t address_unit = std::size_t{1} << 21;
inline constexpr std::size_t address_range = std::size_t{1} << 34;

// A range of addresses that is aligned to a unit; its first unit may be used. Null where the system does not lend address space,
// or has none left. Huge pages are used where the system has them.
void* reserve_range() noexcept;

// From now on the `bytes` from `at` on may be used too. False when there is no memory.
bool back_addresses(void* at, std::size_t bytes) noexcept;

// `backed` bytes of the range may have been used. One released range is kept, with its first unit: a world that ends is often
// followed by another, which then finds its memory ready.
void release_range(void* range, std::size_t backed) noexcept;

}  // namespace stoa::detail
