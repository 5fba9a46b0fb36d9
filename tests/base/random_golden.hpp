// What every drawing function of Random gives, to the bit, for one stream. The values come from a model that was
// written in Python from the contract; they never change. Included by tests that are compiled with different options:
// the functions here are in an unnamed namespace, so that each of them compiles its own.
#pragma once

#include <doctest/doctest.h>

#include <stoa/random.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace {

stoa::Random golden_stream() { return stoa::Random{2024, 0x123456789abcdef0u, 0xfedcba9876543210u}; }

std::uint64_t bits_of(std::uint64_t value) { return value; }
std::uint64_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

std::uint64_t fold(std::uint64_t digest, std::uint64_t value) { return (digest ^ value) * 0x100000001b3u; }

// Compares the first draws of the golden stream with `first`, and a digest of the first 2,000 with `digest`.
template <class T, class Draw>
void check_draws(const std::vector<T>& first, std::uint64_t digest, Draw&& draw) {
    stoa::Random random = golden_stream();
    std::uint64_t found = 0xcbf29ce484222325u;
    for (std::size_t i = 0; i < 2000; ++i) {
        const T value = draw(random);
        if (i < first.size()) CHECK(bits_of(value) == bits_of(first[i]));
        found = fold(found, bits_of(value));
    }
    CHECK(found == digest);
}

using Words = std::vector<std::uint64_t>;
using stoa::Random;

void check_golden_integers() {
    check_draws(Words{0x35ca2ca2, 0x6f7e296a, 0x37d0809f, 0x0601afca, 0xdbcbd49a, 0x2648c702, 0x198f406e, 0x6d57dfb2},
                0x5e727903f9387759u, [](Random& random) -> std::uint64_t { return random(); });
    check_draws(Words{1, 2, 1, 0, 5, 0, 0, 2, 4, 2, 5, 5}, 0xa3213716248d7774u,
                [](Random& random) { return random.index(6); });
    check_draws(Words{1306556477, 654075733, 70389709, 2575736868, 448643983, 299526291}, 0x045c63e0b7079c5au,
                [](Random& random) { return random.index(3000000000); });
    check_draws(Words{7918993136555418497u, 4869185745858038082u, 4977551732152292598u, 1039280155370849565u},
                0x808085bd32dd4929u, [](Random& random) { return random.index((std::uint64_t{1} << 63) + 1); });
    check_draws(Words{1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, 0xda52c3933a306e80u,
                [](Random& random) -> std::uint64_t { return random.chance(0.3); });
}

void check_golden_shuffle() {
    std::array<std::uint64_t, 10> ten{};
    std::iota(ten.begin(), ten.end(), 0);
    golden_stream().shuffle(ten);
    CHECK(ten == std::array<std::uint64_t, 10>{8, 9, 7, 4, 6, 5, 0, 1, 3, 2});
    std::vector<std::uint64_t> thousand(1000);
    std::iota(thousand.begin(), thousand.end(), 0);
    golden_stream().shuffle(std::span{thousand});
    std::uint64_t digest = 0xcbf29ce484222325u;
    for (const std::uint64_t value : thousand) digest = fold(digest, value);
    CHECK(digest == 0x81b9737c633bbf3bu);
}

// The bounds are products that the compiler knows nothing about, so that it could contract them with what follows. One
// in five of the doubles would be another number then.
void check_golden_numbers(double one) {
    check_draws(std::vector<double>{0x1.ae5165137bf14p-3, 0x1.be8404f8300d4p-3, 0x1.b797a9344c918p-1},
                0x0f3eaf93616fe77eu, [](Random& random) { return random.unit(); });
    check_draws(std::vector<float>{0x1.ae516p-3f, 0x1.bdf8a4p-2f, 0x1.be84p-3f, 0x1.806bcp-6f}, 0xd3fd3f19bf9a1b0fu,
                [](Random& random) { return random.unit<float>(); });
    check_draws(std::vector<double>{0x1.cefda30bb0c3fp-3, 0x1.d8b59c94e9a19p-3, 0x1.3af498b8fabdbp-1},
                0x932cfb4751c4b47fu, [one](Random& random) { return random.between(0.1 * one, 0.7 * one); });
    const float float_one = static_cast<float>(one);
    check_draws(std::vector<float>{-0x1.f011fp-2f, 0x1.449a16p+1f, -0x1.838b9p-2f, -0x1.7e27ecp+1f},
                0xb5e537b11331f491u,
                [=](Random& random) { return random.between(-3.3f * float_one, 10.1f * float_one); });
    check_draws(
        std::vector<double>{0x1.9cae69eb826e6p-1, 0x1.8ec9574878fc1p-1, -0x1.72f43a2770273p-2, 0x1.484ec343696efp+0,
                            -0x1.0b621cb65306fp-1, -0x1.5394614dcfabcp-2, 0x1.3c5a54da5ab03p-2},
        0x5c959dca75635cd2u, [](Random& random) { return random.normal(); });
}

void check_golden_values() {
    check_golden_integers();
    check_golden_shuffle();
    volatile double one = 1;
    check_golden_numbers(one);
}

}  // namespace
