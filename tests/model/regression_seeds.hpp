// Seeds that once made the library and the model disagree, each with the name of what was wrong. A seed enters this
// list on the day it fails and never leaves it. Called by the model tests.
#pragma once

#include <cstdint>
#include <vector>

namespace stoa_test {

struct RegressionSeed {
    const char* name;
    std::uint64_t seed;
    std::uint64_t operations;  // enough to reach the step that failed
};

inline const std::vector<RegressionSeed>& regression_seeds() {
    static const std::vector<RegressionSeed> seeds{};
    return seeds;
}

}  // namespace stoa_test
