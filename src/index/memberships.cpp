// Grows the array of memberships.
#include "stoa/detail/index/memberships.hpp"

#include <algorithm>

#include "index/block_array.hpp"

namespace stoa::detail {

Memberships::~Memberships() { delete_array(entries_); }

void Memberships::grow(std::uint32_t index) {
    const std::uint32_t larger = std::max({index + 1, capacity_ + capacity_ / 2, 64u});
    entries_ = grown(entries_, capacity_, larger, Membership{0, no_group, 0});
    capacity_ = larger;
}

}  // namespace stoa::detail
