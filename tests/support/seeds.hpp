// Random tests run their body once for each of a few seeds, and a failure names its seed: STOA_SEED=<number> repeats
// that one alone.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>

#include "support/environment.hpp"
#include "support/random.hpp"

namespace stoa_test {

/// Calls body(Random&) for the seeds 1 to `count`, or for the one that STOA_SEED names.
template <class Body>
void for_each_seed(std::uint64_t count, Body&& body) {
    const auto run = [&](std::uint64_t seed) {
        CAPTURE(seed);
        Random random(seed);
        body(random);
    };
    if (const auto chosen = number_from_environment("STOA_SEED")) return run(*chosen);
    for (std::uint64_t seed = 1; seed <= count; ++seed) run(seed);
}

}  // namespace stoa_test
