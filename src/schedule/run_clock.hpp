// The clock that times systems. It counts ticks of the fastest counter of the machine: reading a system clock costs
// more than an empty system.
#pragma once

#include <chrono>
#include <cstdint>

namespace stoa::detail {

inline std::uint64_t read_clock() {
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_ia32_rdtsc();
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

// Effects: takes the reading that later ones are compared with. Only the first call does something.
void calibrate_clock();

// The first call may wait some milliseconds after the calibration.
double seconds_per_tick();

}  // namespace stoa::detail
