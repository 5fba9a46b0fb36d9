// Rounding of sizes and offsets.
#pragma once

#include <cstddef>

#include "stoa/detail/base/config.hpp"

namespace stoa::detail {

// Returns: the smallest multiple of `to` that is not below `value`. Requires: `to` is not 0, and the result fits.
constexpr std::size_t round_up(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }

}  // namespace stoa::detail
