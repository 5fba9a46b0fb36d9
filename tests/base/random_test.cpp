// Guards stoa::Random and stoa::philox4x32: the published vectors, the order of words, bounds, errors, and what copies,
// streams and the standard library may rely on.
#include "random_golden.hpp"
#include "thrown.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <type_traits>

using stoa::Errc;
using stoa::philox4x32;

namespace {

using Block = std::array<std::uint32_t, 4>;

static_assert(std::uniform_random_bit_generator<Random>);
static_assert(std::is_same_v<Random::result_type, std::uint32_t>);
static_assert(Random::min() == 0 && Random::max() == 0xffffffffu);
static_assert(std::is_trivially_copyable_v<Random>);
static_assert(sizeof(Random) <= 48);
static_assert(noexcept(philox4x32({0, 0, 0, 0}, {0, 0})) && noexcept(Random{1, 2, 3}()));
static_assert(!std::is_convertible_v<int, Random>, "a number is no stream by itself");
static_assert(!std::is_constructible_v<Random, double>, "a seed is a whole number");

template <class T>
constexpr bool can_draw_between = requires(Random random, T bound) { random.between(bound, bound); };
static_assert(can_draw_between<float> && can_draw_between<double>);
static_assert(!can_draw_between<int> && !can_draw_between<long double>);

// All of it, except normal(), is known to the compiler.
static_assert(philox4x32({0, 0, 0, 0}, {0, 0}) == Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
static_assert([] {
    Random random{7};
    random.discard(5);
    std::array<int, 3> values{1, 2, 3};
    random.shuffle(values);
    const float share = random.between(-1.f, 1.f);
    return random.index(6) < 6 && random.unit() < 1 && share < 1 && !random.chance(0) && random() != random();
}());

// Word `i` of the stream by its definition.
std::uint32_t word(std::uint64_t seed, std::uint64_t a, std::uint64_t b, std::uint64_t i) {
    const auto low = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
    const std::uint64_t key = seed + (b >> 32) * 0x9e3779b97f4a7c15u;
    return philox4x32({low(i / 4), low(b), low(a), low(a >> 32)}, {low(key), low(key >> 32)})[i % 4];
}

}  // namespace

TEST_CASE("philox4x32 gives the published answers") {
    constexpr std::uint32_t ones = 0xffffffff;
    CHECK(philox4x32({0, 0, 0, 0}, {0, 0}) == Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    CHECK(philox4x32({ones, ones, ones, ones}, {ones, ones}) == Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    CHECK(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
          Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("a stream is the blocks of its key and counter, word by word") {
    const std::uint64_t numbers[] = {0, 1, 0xffffffff, 0x100000000, 0x123456789abcdef0, ~std::uint64_t{0}};
    for (const std::uint64_t seed : numbers) {
        for (const std::uint64_t a : numbers) {
            for (const std::uint64_t b : numbers) {
                Random random{seed, a, b};
                for (std::uint64_t i = 0; i < 10; ++i) REQUIRE(random() == word(seed, a, b, i));
            }
        }
    }
}

TEST_CASE("numbers that are not given are 0, and signed ones count modulo 2^64") {
    CHECK(Random{}() == Random{0, 0, 0}());
    CHECK(Random{9}() == Random{9, 0, 0}());
    CHECK(Random{9, 8}() == Random{9, 8, 0}());
    const int minus = -1;
    const short small = 3;
    CHECK(Random{minus, small}() == Random{~std::uint64_t{0}, 3u}());
    enum Seed { weather = 12 };
    CHECK(Random{weather}() == Random{12}());
}

TEST_CASE("random numbers are what they were in earlier versions") { check_golden_values(); }

TEST_CASE("normal has the same bits in the centre and at the ends") {
    CHECK(bits_of(stoa::detail::normal_of(0)) == bits_of(0x1.2290a17afe0cp+3));
    CHECK(bits_of(stoa::detail::normal_of(~std::uint64_t{0} >> 1)) == bits_of(0.0));
    CHECK(bits_of(stoa::detail::normal_of(~std::uint64_t{0})) == bits_of(-0.0));
    CHECK(stoa::detail::normal_of(std::uint64_t{1} << 63) == -stoa::detail::normal_of(0));
}

TEST_CASE("normal falls with its bits, across the seams of its formulas") {
    double before = 100;
    for (int exponent = 0; exponent < 63; ++exponent) {
        for (std::uint64_t part = 0; part < 64; ++part) {
            const std::uint64_t bits = (std::uint64_t{1} << exponent) + (std::uint64_t{1} << exponent) / 64 * part;
            const double value = stoa::detail::normal_of(bits);
            CHECK(value <= before);
            CHECK(stoa::detail::normal_of(bits | std::uint64_t{1} << 63) == -value);
            before = value;
        }
    }
    CHECK(before >= 0);
    CHECK(before < 0.02);
}

TEST_CASE("unit takes two words, the first as the upper half, and unit<float> one") {
    Random random{3, 4};
    const std::uint64_t bits = std::uint64_t{word(3, 4, 0, 0)} << 32 | word(3, 4, 0, 1);
    CHECK(random.unit() == static_cast<double>(bits >> 11) / 9007199254740992.0);
    CHECK(random.unit<float>() == static_cast<float>(word(3, 4, 0, 2) >> 8) / 16777216.0f);
    CHECK(random() == word(3, 4, 0, 3));
    static_assert(std::is_same_v<decltype(random.unit()), double>);
    static_assert(std::is_same_v<decltype(random.unit<float>()), float>);
}

TEST_CASE_TEMPLATE("between never gives its upper bound, however close it is", T, float, double) {
    const T tiny = std::numeric_limits<T>::denorm_min();
    const T one_and = std::nextafter(T{1}, T{2});
    const T ranges[][2] = {{1, one_and},
                           {-one_and, -1},
                           {0, tiny},
                           {-tiny, 0},
                           {-tiny, tiny},
                           {T{1e8}, std::nextafter(T{1e8}, T{2e8})},
                           {-1, static_cast<T>(1e-30)},
                           {T{-1e10}, 0},
                           {T{1} - std::numeric_limits<T>::epsilon(), 1},
                           {T{3}, static_cast<T>(1e30)},
                           {-one_and, T{1}}};
    for (const auto& range : ranges) {
        Random random{11};
        for (int i = 0; i < 2000; ++i) {
            const T value = random.between(range[0], range[1]);
            REQUIRE(value >= range[0]);
            REQUIRE(value < range[1]);
        }
    }
    static_assert(std::is_same_v<decltype(Random{}.between(T{0}, T{1})), T>);
}

TEST_CASE_TEMPLATE("between covers ranges whose width overflows", T, float, double) {
    const T top = std::numeric_limits<T>::max();
    Random random{12};
    int negative = 0;
    for (int i = 0; i < 2000; ++i) {
        const T value = random.between(-top, top);
        REQUIRE(value >= -top);
        REQUIRE(value < top);
        negative += value < 0;
    }
    CHECK(negative > 900);
    CHECK(negative < 1100);
    CHECK(random.between(-top, top / 2) < top / 2);
}

TEST_CASE_TEMPLATE("between refuses empty and endless ranges, and draws nothing", T, float, double) {
    const T infinite = std::numeric_limits<T>::infinity();
    const T none = std::numeric_limits<T>::quiet_NaN();
    const T ranges[][2] = {{1, 1},
                           {2, 1},
                           {0, T{-0.0}},
                           {0, infinite},
                           {-infinite, 0},
                           {-infinite, infinite},
                           {infinite, infinite},
                           {none, 1},
                           {0, none},
                           {none, none},
                           {infinite, -infinite}};
    Random random{13};
    for (const auto& range : ranges) {
        CHECK(api_test::throws(Errc::conflict, [&] { random.between(range[0], range[1]); }));
    }
    CHECK(api_test::thrown_by([&] { random.between(T{2}, T{1}); })->says("between"));
    CHECK(random() == Random{13}());
}

TEST_CASE("index gives whole numbers below n, of any size") {
    Random random{14};
    for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{7}, std::uint64_t{0xffffffff},
                                  std::uint64_t{1} << 32, (std::uint64_t{1} << 32) + 1, ~std::uint64_t{0}}) {
        for (int i = 0; i < 200; ++i) REQUIRE(random.index(n) < n);
    }
    const std::vector<int> values{1, 2, 3};
    CHECK(values[random.index(values.size())] > 0);
}

TEST_CASE("index takes one word up to 2^32 and two above, and repeats what it rejects") {
    Random random{15};
    CHECK(random.index(std::uint64_t{1} << 32) == word(15, 0, 0, 0));
    CHECK(random.index(1) == 0);
    CHECK(random.index((std::uint64_t{1} << 63)) == (std::uint64_t{word(15, 0, 0, 2)} << 32 | word(15, 0, 0, 3)) >> 1);
    // Just above 2^31 nearly half of all words are rejected.
    constexpr std::uint64_t n = (std::uint64_t{1} << 31) + 1;
    Random rejecting{16};
    std::uint64_t at = 0;
    for (int i = 0; i < 1000; ++i) {
        while (static_cast<std::uint32_t>(word(16, 0, 0, at) * n) < (std::uint64_t{1} << 32) % n) ++at;
        REQUIRE(rejecting.index(n) == word(16, 0, 0, at) * n >> 32);
        ++at;
    }
    CHECK(at > 1800);
}

TEST_CASE("index of nothing is a conflict, and draws nothing") {
    Random random{17};
    CHECK(api_test::throws(Errc::conflict, [&] { random.index(0); }));
    CHECK(api_test::thrown_by([&] { random.index(0); })->says("index"));
    CHECK(random() == Random{17}());
}

TEST_CASE("chance is unit() < p") {
    Random random{18};
    Random same{18};
    for (int i = 0; i < 1000; ++i) CHECK(random.chance(0.25) == (same.unit() < 0.25));
    for (const double never : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) CHECK(!random.chance(never));
    for (const double always : {1.0, 2.0, std::numeric_limits<double>::infinity()}) CHECK(random.chance(always));
}

TEST_CASE("discard skips as many numbers as drawing would") {
    for (std::uint64_t before = 0; before < 6; ++before) {
        for (std::uint64_t skipped = 0; skipped < 14; ++skipped) {
            Random random{19, 1, 2};
            for (std::uint64_t i = 0; i < before; ++i) random();
            random.discard(skipped);
            for (std::uint64_t i = 0; i < 6; ++i) REQUIRE(random() == word(19, 1, 2, before + skipped + i));
        }
    }
}

TEST_CASE("a stream starts over after 2^34 numbers") {
    constexpr std::uint64_t period = std::uint64_t{1} << 34;
    Random random{20};
    random.discard(period - 2);
    CHECK(random() == philox4x32({0xffffffff, 0, 0, 0}, {20, 0})[2]);
    CHECK(random() == philox4x32({0xffffffff, 0, 0, 0}, {20, 0})[3]);
    for (std::uint64_t i = 0; i < 5; ++i) CHECK(random() == word(20, 0, 0, i));
    random.discard(5 * period + 1);
    CHECK(random() == word(20, 0, 0, 6));
    random.discard(~std::uint64_t{0});  // one back
    CHECK(random() == word(20, 0, 0, 6));
}

TEST_CASE("a copy goes on alike, from any place in a block") {
    for (std::uint64_t drawn = 0; drawn < 9; ++drawn) {
        Random random{21, 5};
        random.discard(drawn);
        Random copy = random;
        for (int i = 0; i < 20; ++i) CHECK(random() == copy());
        CHECK(bits_of(random.normal()) == bits_of(copy.normal()));
    }
}

TEST_CASE("streams of one seed share no block") {
    std::set<Block> blocks;
    for (std::uint64_t a = 0; a < 30; ++a) {
        for (std::uint64_t b = 0; b < 30; ++b) {
            Random random{22, a << 16 | a, b << 28};
            for (int i = 0; i < 8; ++i) blocks.insert({random(), random(), random(), random()});
        }
    }
    CHECK(blocks.size() == 30 * 30 * 8);
}

TEST_CASE("shuffle takes spans, vectors and arrays, and values that can only move") {
    Random random{23};
    std::vector<std::string> names{"a", "b", "c", "d", "e"};
    random.shuffle(names);
    CHECK(std::set<std::string>(names.begin(), names.end()).size() == 5);
    std::vector<std::unique_ptr<int>> owners;
    for (int i = 0; i < 4; ++i) owners.push_back(std::make_unique<int>(i));
    random.shuffle(std::span{owners});
    CHECK(std::all_of(owners.begin(), owners.end(), [](const auto& owner) { return owner != nullptr; }));
    int plain[] = {1, 2, 3};
    random.shuffle(plain);
    CHECK(plain[0] + plain[1] + plain[2] == 6);
    random.shuffle(std::span<int>{});
    random.shuffle(std::span{plain, 1});
}

TEST_CASE("the standard library draws from it") {
    Random random{24};
    std::vector<int> values{1, 2, 3, 4, 5, 6};
    std::shuffle(values.begin(), values.end(), random);
    CHECK(std::is_permutation(values.begin(), values.end(), std::vector<int>{1, 2, 3, 4, 5, 6}.begin()));
    std::uniform_int_distribution<int> die(1, 6);
    for (int i = 0; i < 100; ++i) {
        const int rolled = die(random);
        CHECK(rolled >= 1);
        CHECK(rolled <= 6);
    }
    CHECK(std::normal_distribution<double>{}(random) < 10);
}
