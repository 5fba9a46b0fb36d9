// What a schedule reports about itself. Used by schedule.hpp.
#pragma once

#include <cstddef>
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

/// A description of one flush point: the end of a phase, or a sync() between two systems. It owns its strings.
struct FlushPoint {
    std::string phase;
    /// The system before it in order; empty in a phase without systems.
    std::string after;
    std::uint64_t runs = 0;
    /// Seconds of the last flush, and the mean of all. One that finds no commands takes 0.
    double last = 0;
    double mean = 0;
    /// Commands of the last flush, those whose entity was dead included.
    std::size_t commands = 0;
};

}  // namespace stoa
