// Clocks: how much time a schedule or a phase was given, and which steps of a phase are due. A phase has one; it is
// given time by ScheduleState, and asked for runs until none is due.
//
// Invariant of a stepped phase: what it was given is the steps that it made, dropped and still has to make, and the
// rest, which is at least -step / 10^6 and below the step.
#pragma once

#include <cstdint>

#include "stoa/params.hpp"

namespace stoa::detail {

// A sum whose rounding errors are added up apart, after Neumaier. It is within 2 units in the last place of the exact
// sum of numbers that are not negative. A sum that is too large is infinite.
class CompensatedSum {
  public:
    void add(double value) noexcept {
        const double next = sum_ + value;
        error_ += (sum_ < 0 ? -sum_ : sum_) >= value ? (sum_ - next) + value : (value - next) + sum_;
        sum_ = next;
    }
    double value() const noexcept {
        const double both = sum_ + error_;
        return both == both ? both : sum_;  // the error of an infinite sum is no number
    }
    // Effects: replaces the value, and keeps what the value does not show.
    void replace_value(double value) noexcept {
        const double hidden = (sum_ - this->value()) + error_;
        sum_ = value;
        error_ = hidden - hidden == 0 ? hidden : 0;
    }

  private:
    double sum_ = 0;
    double error_ = 0;
};

class PhaseClock {
  public:
    // A step of 0 is none. Requires: step is a time, most is above 0.
    PhaseClock(double step, int most) noexcept : step_(step), most_(static_cast<std::uint64_t>(most)) {}

    bool is_stepped() const noexcept { return step_ > 0; }
    const Time& time() const noexcept { return time_; }  // of the current run, or of the last one
    std::uint64_t dropped() const noexcept { return dropped_; }
    // What it was given and has not done yet, as a share of its step, in [0, 1). Requires: stepped.
    double alpha() const noexcept;

    // Effects: lets time pass. Then one run is due; if it is stepped, those whose time has come, at most `most`.
    void give(double delta) noexcept {
        passed_.add(delta);
        if (is_stepped()) return count_steps();
        time_.delta = delta;
        due_ = 1;
    }
    bool is_due() const noexcept { return due_ != 0; }
    // Effects: begins the next run, if one is due; it counts also when it throws. `alpha` is for a phase without steps.
    // Returns: whether one was due.
    bool begin_run(std::uint64_t frame, double alpha) noexcept {
        if (due_ == 0) return false;
        --due_;
        ++time_.step;
        time_.frame = frame;
        if (is_stepped()) {
            time_.delta = step_;
            time_.elapsed = static_cast<double>(time_.step) * step_;
        } else {
            time_.alpha = alpha;
            time_.elapsed = passed_.value();
        }
        return true;
    }

  private:
    void count_steps() noexcept;  // after time has passed

    double step_;
    std::uint64_t most_;
    Time time_;
    CompensatedSum passed_;  // all that it was given; if stepped, the rest
    std::uint64_t due_ = 0;
    std::uint64_t dropped_ = 0;
};

}  // namespace stoa::detail
