// Measures how long a tick of the clock is, by comparing it with a system clock.
#include "schedule/run_clock.hpp"

namespace stoa::detail {
namespace {

using Clock = std::chrono::steady_clock;

struct Calibration {
    std::uint64_t ticks = read_clock();
    Clock::time_point time = Clock::now();
};

const Calibration& calibration() {
    static const Calibration first;
    return first;
}

}  // namespace

void calibrate_clock() { calibration(); }

double seconds_per_tick() {
    const Calibration& first = calibration();
    // Two readings that are too close together are too imprecise.
    while (Clock::now() - first.time < std::chrono::milliseconds(2)) {
    }
    const std::chrono::duration<double> passed = Clock::now() - first.time;
    return passed.count() / static_cast<double>(read_clock() - first.ticks);
}

}  // namespace stoa::detail
