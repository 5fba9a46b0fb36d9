// The command line of the epidemic. Read by main.cpp.
#pragma once

#include "../support/arguments.hpp"

#include <cstdint>
#include <string>

namespace epidemic {

inline constexpr const char* usage = R"(usage: epidemic [options]

Agents in households and workplaces infect each other. Writes the numbers of each day to a CSV file, and a chart of them
beside the solution of the SIR equations to an SVG file.

  --agents N      how many agents (1000000)
  --days N        how many days (180)
  --seed N        another course of the epidemic; the same seed gives the same files (1)
  --threads N     how many threads; the files are the same (0: all cores)
  --csv FILE      where the numbers go (epidemic.csv)
  --svg FILE      where the chart goes (epidemic.svg)
  --help          this text
)";

struct Options {
    std::uint64_t agents = 1'000'000;
    std::uint64_t days = 180;
    std::uint64_t seed = 1;
    std::uint64_t threads = 0;
    std::string csv = "epidemic.csv";
    std::string svg = "epidemic.svg";
};

/// Effects: writes what the arguments say to the options.
support::Arguments read_options(int count, char** arguments, Options& options);

}  // namespace epidemic
