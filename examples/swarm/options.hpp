// The command line of the showcase. Read by main.cpp.
#pragma once

#include "../support/arguments.hpp"

#include <cstdint>
#include <string>

namespace swarm {

inline constexpr const char* usage = R"(usage: swarm [options]

A swarm of entities rides the wind. Shows frame times and entity counts while it runs, then writes a picture.

  --entities N    how many motes live at a time (1000000)
  --frames N      how many frames to run (300)
  --seed N        another swarm; the same seed gives the same picture (7)
  --threads N     how many threads; the picture is the same (0: all cores)
  --output FILE   where the PNG goes (swarm.png)
  --help          this text
)";

struct Options {
    std::uint64_t entities = 1000000;
    std::uint64_t frames = 300;
    std::uint64_t seed = 7;
    std::uint64_t threads = 0;
    std::string output = "swarm.png";
};

/// Effects: writes what the arguments say to the options.
support::Arguments read_options(int count, char** arguments, Options& options);

}  // namespace swarm
