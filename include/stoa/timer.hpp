// Timers as plain values: cooldowns, delays, beats. A timer is advanced by its owner and knows no clock.
#pragma once

#include <cstdint>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/base/periods.hpp"

namespace stoa {
namespace detail {

[[noreturn]] STOA_API void fail_timer_duration(double seconds, bool repeats);
[[noreturn]] STOA_API void fail_timer_delta(double delta);

// Also false for NaN. The limit is the largest finite number.
constexpr bool is_time(double seconds) noexcept { return seconds >= 0 && seconds <= 0x1.fffffffffffffp+1023; }

}  // namespace detail

/// Ends after some seconds, once or repeatedly. Trivially copyable, so it fits into components, resources and files.
///
/// It ends when less than a millionth of its duration is missing. A repeating timer carries the rest over, even when it
/// is below zero: a beat of 0.5 s ends 20 times in 10 s, for every frame rate.
/// Threads: as an integer.
class Timer {
  public:
    enum Mode : std::uint8_t {
        once,      ///< ends, and stays done until it is restarted
        repeating  ///< begins again whenever it ends
    };

    /// A timer of 0 seconds, which ends at its first advance.
    constexpr Timer() noexcept = default;

    /// A timer that ends after `seconds`. One of 0 seconds ends at its first advance.
    /// Throws: Errc::conflict when `seconds` is negative, infinite or NaN, or 0 for a repeating timer.
    constexpr Timer(double seconds, Mode mode = once) : duration_(seconds), mode_(mode) {
        if (!detail::is_time(seconds) || (seconds == 0 && mode == repeating)) {
            detail::fail_timer_duration(seconds, mode == repeating);
        }
    }

    /// Effects: lets `delta` seconds pass. A timer that is done, and does not repeat, stays as it is.
    /// Returns: how often it ended in this time: 0 or 1, and for a repeating timer any number, at most the largest int.
    /// Throws: Errc::conflict when `delta` is negative, infinite or NaN; then the timer is as before.
    /// Complexity: constant.
    int advance(double delta) {
        if (!detail::is_time(delta)) [[unlikely]]
            detail::fail_timer_delta(delta);
        if (mode_ == once && done_) return 0;
        passed_ += delta;
        done_ = detail::is_over(passed_, duration_);
        if (!done_) return 0;
        return mode_ == once ? 1 : begin_next();
    }

    /// Returns: whether it has ended; for a repeating timer, whether it ended in the last advance.
    constexpr bool done() const noexcept { return done_; }

    /// Returns: the seconds to the next end; 0 for a timer that is done and does not repeat.
    constexpr double left() const noexcept { return mode_ == once && done_ ? 0 : duration_ - passed_; }

    /// Returns: the seconds from start to end, and from one end to the next.
    constexpr double duration() const noexcept { return duration_; }

    /// Effects: starts from the beginning, as if it had just been made. Nothing is carried over.
    constexpr void restart() noexcept {
        passed_ = 0;
        done_ = false;
    }

  private:
    STOA_API int begin_next() noexcept;

    double duration_ = 0;
    double passed_ = 0;  // since the start or the last end; below zero when that came a little early
    Mode mode_ = once;
    bool done_ = false;
};

}  // namespace stoa
