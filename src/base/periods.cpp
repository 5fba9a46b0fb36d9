// How many periods are over; see the header. The remainder comes from fmod, which is exact by its definition: no error
// adds up, however many periods pass at once.
#include "stoa/detail/base/periods.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stoa::detail {

Periods whole_periods(double passed, double period) noexcept {
    if (!is_over(passed, period)) return {0, passed};
    passed = std::min(passed, std::numeric_limits<double>::max());
    double rest = std::fmod(passed, period);
    double count = std::round((passed - rest) / period);
    if (is_over(rest, period)) {
        rest -= period;
        count += 1;
    }
    constexpr double most = 0x1p63;
    return {count < most ? static_cast<std::uint64_t>(count) : std::uint64_t{1} << 63, rest};
}

}  // namespace stoa::detail
