// What the user asked for on the command line. Called by main.cpp.
#pragma once

#include <optional>
#include <regex>
#include <string>

namespace bench {

struct Options {
    std::optional<std::regex> filter;
    std::optional<std::string> plot;  // the file
    bool quick = false;
    bool json = false;
    bool latency = false;
    bool list = false;
    bool help = false;
};

extern const char* const usage;

/// Nothing, with a message on stderr, when the options are bad.
std::optional<Options> read_options(int count, char** arguments);

}  // namespace bench
