// Guards that the numbers of stoa::Random are distributed as they should be. Seeds are fixed, so a test passes always
// or never; limits are such that a right generator fails one seed in a million.
#include <doctest/doctest.h>

#include <stoa/random.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

using stoa::Random;

namespace {

// The sum over all cells of (found - expected)^2 / expected.
double chi_square(const std::vector<double>& found, const std::vector<double>& expected) {
    double sum = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        sum += (found[i] - expected[i]) * (found[i] - expected[i]) / expected[i];
    }
    return sum;
}

// What chi-square exceeds once in a million, by Wilson and Hilferty.
double limit(std::size_t cells) {
    const double freedom = static_cast<double>(cells - 1);
    const double spread = 2 / (9 * freedom);
    return freedom * std::pow(1 - spread + 4.76 * std::sqrt(spread), 3);
}

template <class Draw>
void check_even(std::size_t cells, int draws, Draw&& draw) {
    std::vector<double> found(cells);
    for (int i = 0; i < draws; ++i) found[static_cast<std::size_t>(draw())] += 1;
    CHECK(chi_square(found, std::vector<double>(cells, draws / static_cast<double>(cells))) < limit(cells));
}

double below(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

}  // namespace

TEST_CASE("every byte of a number is even") {
    for (int byte = 0; byte < 4; ++byte) {
        Random random{31, byte};
        check_even(256, 100000, [&] { return random() >> (8 * byte) & 255; });
    }
}

TEST_CASE("the first numbers of neighbouring streams are even and independent") {
    std::uint64_t entity = 0;
    check_even(256, 100000, [&] { return Random{32, entity++}() >> 24; });
    std::uint64_t step = 0;
    check_even(256, 100000, [&] { return Random{32, 7, step++}() >> 24; });
    std::uint64_t seed = 0;
    check_even(256, 100000, [&] { return Random{seed++}() >> 24; });
    std::uint64_t pair = 0;
    check_even(256, 100000, [&] {
        const std::uint32_t first = Random{32, pair}() >> 28;
        return first << 4 | Random{32, ++pair}() >> 28;
    });
}

TEST_CASE("unit, between and index are even") {
    Random random{33};
    check_even(100, 100000, [&] { return random.unit() * 100; });
    check_even(100, 100000, [&] { return random.unit<float>() * 100; });
    check_even(100, 100000, [&] { return random.between(0.0, 100.0); });
    check_even(100, 100000, [&] { return random.between(-50.f, 50.f) + 50.f; });
    check_even(6, 100000, [&] { return random.index(6); });
    check_even(97, 100000, [&] { return random.index(97); });
}

TEST_CASE("index has no bias where a remainder has") {
    // With n = 3 * 2^30 a plain product or remainder would give every third number twice as often.
    constexpr std::uint64_t n = std::uint64_t{3} << 30;
    Random random{34};
    check_even(3, 100000, [&] { return random.index(n) % 3; });
    check_even(3, 100000, [&] { return random.index(n) / (n / 3); });
    check_even(3, 100000, [&] { return random.index(n << 32) % 3; });
}

TEST_CASE("shuffle gives each order equally often") {
    Random random{35};
    std::map<std::array<int, 4>, std::size_t> numbers;
    check_even(24, 100000, [&] {
        std::array<int, 4> order{0, 1, 2, 3};
        random.shuffle(order);
        return numbers.emplace(order, numbers.size()).first->second;
    });
    CHECK(numbers.size() == 24);
}

TEST_CASE("chance is true as often as it says") {
    Random random{36};
    int found = 0;
    for (int i = 0; i < 100000; ++i) found += random.chance(0.1);
    CHECK(std::abs(found - 10000) < 475);  // 5 standard deviations
}

TEST_CASE("normal has its mean, variance, skew and kurtosis") {
    constexpr int count = 400000;
    Random random{37};
    double sums[5] = {};
    for (int i = 0; i < count; ++i) {
        const double value = random.normal();
        double power = 1;
        for (double& sum : sums) {
            sum += power;
            power *= value;
        }
    }
    const double scale = 5 / std::sqrt(static_cast<double>(count));  // 5 standard deviations of a mean of variance 1
    CHECK(std::abs(sums[1] / count) < scale);
    CHECK(std::abs(sums[2] / count - 1) < scale * std::sqrt(2.0));
    CHECK(std::abs(sums[3] / count) < scale * std::sqrt(15.0));
    CHECK(std::abs(sums[4] / count - 3) < scale * std::sqrt(96.0));
}

TEST_CASE("normal is distributed as the error function says, tails included") {
    constexpr int count = 400000;
    std::vector<double> edges;
    for (double edge = -4; edge <= 4.01; edge += 0.25) edges.push_back(edge);
    std::vector<double> found(edges.size() + 1), expected(edges.size() + 1);
    for (std::size_t i = 0; i <= edges.size(); ++i) {
        const double low = i == 0 ? 0 : below(edges[i - 1]);
        expected[i] = count * ((i == edges.size() ? 1 : below(edges[i])) - low);
    }
    Random random{38};
    for (int i = 0; i < count; ++i) {
        const double value = random.normal();
        found[static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), value) - edges.begin())] += 1;
    }
    CHECK(chi_square(found, expected) < limit(found.size()));
}

TEST_CASE("normal inverts the distribution, far outside as well") {
    for (int exponent = 1; exponent < 63; ++exponent) {
        const std::uint64_t bits = (std::uint64_t{1} << exponent) + 1;
        const double share = static_cast<double>(bits) * 0x1p-64;
        CHECK(below(-stoa::detail::normal_of(bits)) == doctest::Approx(share).epsilon(1e-12));
    }
}
