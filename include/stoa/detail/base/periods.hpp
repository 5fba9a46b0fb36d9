// When something that repeats is due. Every clock of the library uses these two functions, so that all of them agree:
// a period is over when less than a millionth of it is missing, and what remains, which may be below zero, is carried
// over. Frame times are rounded, and without the millionth the 30th frame of 1/60 s would miss a beat of 0.5 s.
#pragma once

#include <cstdint>

#include "stoa/detail/base/config.hpp"

namespace stoa::detail {

// Returns: whether a time has come that began `passed` seconds ago and lasts for `period` seconds.
constexpr bool is_over(double passed, double period) noexcept {
    const double missing = period - passed;
    return missing <= 0 || missing < period * 1e-6;
}

struct Periods {
    std::uint64_t count = 0;  // how many are over; 2^63 stands for that many and more
    double rest = 0;          // what has passed of the next one, at least -period / 10^6
};

// Returns: how many periods are over after `passed` seconds, and what remains. Nothing is lost: count * period + rest
// is `passed`, exactly as long as count is below 2^51. Requires: period is above 0 and finite. An infinite `passed`,
// the sum of two large times, counts as the largest number. Complexity: constant.
STOA_API Periods whole_periods(double passed, double period) noexcept;

}  // namespace stoa::detail
