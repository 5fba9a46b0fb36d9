// What a schedule reports about itself. Used by schedule.hpp.
#pragma once

#include <cstdint>
#include <stdexcept>  // for std::string; <string> costs users more
#include <vector>

#include "stoa/detail/base/config.hpp"

namespace stoa {

/// A description of one system. It owns its strings, so it stays valid when the schedule changes or is destroyed.
struct SystemReport {
    std::string name;
    std::string phase;
    /// Whether it ran when its phase last ran; otherwise why_not says why it did not.
    bool ran = false;
    std::string why_not;
    std::uint64_t runs = 0;
    /// Seconds of the last run, and the mean of all runs.
    double last = 0;
    double mean = 0;
    /// Components and resources. What it reads and writes is in `writes` only.
    std::vector<std::string> reads;
    std::vector<std::string> writes;
    /// It takes a World&, and runs alone.
    bool exclusive = false;
};

}  // namespace stoa
