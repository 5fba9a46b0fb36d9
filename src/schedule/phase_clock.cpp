// Clocks of phases: giving time and taking steps.
#include "schedule/phase_clock.hpp"

#include <algorithm>

#include "stoa/detail/base/periods.hpp"

namespace stoa::detail {

double PhaseClock::alpha() const noexcept {
    constexpr double below_one = 1 - 0x1p-53;
    // A step that a throw left undone is more than the share of one step.
    if (due_ != 0) return below_one;
    return std::clamp(passed_.value() / step_, 0.0, below_one);
}

void PhaseClock::count_steps() noexcept {
    const Periods periods = whole_periods(passed_.value(), step_);
    if (periods.count == 0) return;
    passed_.replace_value(periods.rest);
    due_ += periods.count;  // both are at most 2^63, and due_ far less
    if (due_ <= most_) return;
    const std::uint64_t beyond = due_ - most_;
    dropped_ = beyond > ~dropped_ ? ~std::uint64_t{0} : dropped_ + beyond;
    due_ = most_;
}

}  // namespace stoa::detail
