// Reads the command lines of the examples: `--name value` or `--name=value`, and --help. Used by the options of each
// example.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace support {

/// An option that is a whole number from `least` to `most`.
struct Number {
    std::string_view name;
    std::uint64_t& value;
    std::uint64_t least;
    std::uint64_t most;
};

/// An option that is the name of a file.
struct File {
    std::string_view name;
    std::string& value;
};

struct Arguments {
    bool help = false;
    std::string error;  // what is wrong with the first bad argument; empty when all are good
};

/// Effects: writes what the arguments say to the values of the options. Those that are not named keep their values.
Arguments read_arguments(int count, char** arguments, std::initializer_list<Number> numbers,
                         std::initializer_list<File> files);

/// Returns: whether the file can be written. Asked before a long run rather than after it.
bool can_write(const std::string& file);

}  // namespace support
