// What is rare in a timer: the ends of a repeating one, and errors.
#include "stoa/timer.hpp"

#include <limits>
#include <string>

#include "base/raise.hpp"

namespace stoa {

int Timer::begin_next() noexcept {
    const detail::Periods periods = detail::whole_periods(passed_, duration_);
    passed_ = periods.rest;
    constexpr int most = std::numeric_limits<int>::max();
    return periods.count < most ? static_cast<int>(periods.count) : most;
}

namespace detail {

void fail_timer_duration(double seconds, bool repeats) {
    raise(Errc::conflict, std::string("Timer: the duration must be a finite number of seconds, ") +
                              (repeats ? "above 0 for a repeating timer" : "not below 0") + ", and it is " +
                              std::to_string(seconds));
}

void fail_timer_delta(double delta) {
    raise(Errc::conflict,
          "advance: the time that has passed must be a finite number of seconds, not below 0, and it is " +
              std::to_string(delta));
}

}  // namespace detail
}  // namespace stoa
