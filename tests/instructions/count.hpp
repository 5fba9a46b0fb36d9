// What the programs in this folder have in common. tools/instructions.py runs them under valgrind's callgrind. Each
// path is a function of its own that does `operations` times the same thing to a world that was prepared for it; only
// what happens inside is counted. A program runs all its paths and fails when one has not done its work. Sizes and the
// order of ids are fixed, so that two runs execute the same instructions.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <valgrind/callgrind.h>

namespace counted {

inline constexpr std::size_t operations = 10000;

// Counts one path, and prints how many operations it did. `done` says whether it has done its work.
template <class Path, class Done>
void count(const char* name, Path&& path, Done&& done) {
    CALLGRIND_ZERO_STATS;
    path();
    CALLGRIND_DUMP_STATS_AT(name);
    if (!done()) {
        std::fprintf(stderr, "%s did not do its work\n", name);
        std::exit(1);
    }
    std::printf("%s %zu\n", name, operations);
}

}  // namespace counted
