// Random operations on a world and on the naive model, with no divergence. The environment can choose the number of
// operations (STOA_MODEL_OPS, over all seeds) and one seed (STOA_SEED), which replays exactly what the long run did
// with it.
#include "driver.hpp"
#include "regression_seeds.hpp"

#include "../support/build_kind.hpp"
#include "../support/environment.hpp"

#include <doctest/doctest.h>

#include <exception>

using namespace stoa_test;

namespace {

constexpr std::uint64_t seed_count = 10;  // over both halves, which can run side by side

void run_seed(std::uint64_t seed, std::uint64_t operations) {
    Driver driver{seed};
    try {
        driver.run(operations);
    } catch (const Divergence& divergence) {
        FAIL(driver.report(divergence));
    } catch (const std::exception& error) {
        FAIL(driver.report(Divergence{std::string{"an unexpected exception: "} + error.what()}));
    }
}

std::uint64_t operations_in_all() {
    return number_from_environment("STOA_MODEL_OPS").value_or(by_build(10'000'000, 1'000'000, 300'000));
}

void run_seeds(std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t seed = first; seed <= last; ++seed) {
        CAPTURE(seed);
        run_seed(seed, operations_in_all() / seed_count);
    }
}

}  // namespace

TEST_SUITE("model") {
    TEST_CASE("random operations give the same world as a map of maps, seeds 1 to 5 or the one asked for") {
        if (const auto seed = number_from_environment("STOA_SEED")) {
            run_seed(*seed, operations_in_all() / seed_count);
        } else {
            run_seeds(1, 5);
        }
    }

    TEST_CASE("random operations give the same world as a map of maps, seeds 6 to 10") {
        if (!number_from_environment("STOA_SEED")) {
            run_seeds(6, seed_count);
        }
    }

    TEST_CASE("seeds that once failed pass now") {
        for (const RegressionSeed& known : regression_seeds()) {
            CAPTURE(known.name);
            run_seed(known.seed, known.operations);
        }
    }

    TEST_CASE("the same seed gives the same operations") {
        Random first{7};
        Random second{7};
        for (int i = 0; i < 1000; ++i) {
            REQUIRE(first.next() == second.next());
        }
    }
}
