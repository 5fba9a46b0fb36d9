// Address space that gets its memory piece by piece, so that an array can grow for long without moving. Called by the directory.
#pragma once

#include <cstddef>

namespace stoa::detail {

// Memory is asked for and given in units of this many bytes: one huge page.
inline constexpr std::size_t address_unit = std::size_t{1} << 21;

// A range of `bytes`, aligned to a unit, that must not be touched yet; null where the system does not lend address space, or has
// none left. Huge pages are used where the system has them.
void* reserve_addresses(std::size_t bytes) noexcept;

// From now on the `bytes` from `at` on may be used. False when there is no memory.
bool back_addresses(void* at, std::size_t bytes) noexcept;

void release_addresses(void* at, std::size_t bytes) noexcept;

}  // namespace stoa::detail
