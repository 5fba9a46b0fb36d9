// Guards the clocks of phases: the compensated sum, and which steps are due, compared with exact rational numbers.
#include "schedule/phase_clock.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

using stoa::detail::CompensatedSum;
using stoa::detail::PhaseClock;

namespace {

struct Ratio {
    std::int64_t top;
    std::int64_t bottom;
    double value() const { return static_cast<double>(top) / static_cast<double>(bottom); }
};

// How many steps are over after `given` seconds; exact. A step may come a millionth early.
std::int64_t steps_in(Ratio given, Ratio step) {
    const std::int64_t top = given.top * step.bottom;
    const std::int64_t bottom = given.bottom * step.top;
    const std::int64_t rest = top % bottom;
    return top / bottom + ((bottom - rest) * 1000000 < bottom ? 1 : 0);
}

int runs_of(PhaseClock& clock) {
    int runs = 0;
    while (clock.begin_run(1, 0)) ++runs;
    return runs;
}

double units_apart(double a, double b) { return std::abs(a - b) / (std::nextafter(b, 1e300) - b); }

}  // namespace

TEST_CASE("a compensated sum stays within two units in the last place of the exact one") {
    std::mt19937_64 random{7};
    CompensatedSum sum;
    double plain = 0;
    std::uint64_t exact = 0;  // in units of 2^-40
    for (int i = 0; i < 200000; ++i) {
        const std::uint64_t whole = random() >> (i % 3 == 0 ? 40 : 20);
        sum.add(static_cast<double>(whole) * 0x1p-40);
        plain += static_cast<double>(whole) * 0x1p-40;
        exact += whole;
        REQUIRE(units_apart(sum.value(), static_cast<double>(exact) * 0x1p-40) <= 2);
    }
    CHECK(plain != sum.value());
    CompensatedSum tenths;
    for (int i = 0; i < 1000000; ++i) tenths.add(0.1);
    CHECK(units_apart(tenths.value(), static_cast<double>(1000000 * static_cast<long double>(0.1))) <= 2);
}

TEST_CASE("a sum of large and small times loses neither, and one that is too large is infinite") {
    CompensatedSum sum;
    sum.add(1);
    for (int i = 0; i < 1024; ++i) sum.add(0x1p-60);
    CHECK(sum.value() == 1 + 0x1p-50);
    sum.add(0x1p70);
    CHECK(sum.value() == 0x1p70);
    CompensatedSum large;
    for (int i = 0; i < 5; ++i) large.add(std::numeric_limits<double>::max());
    CHECK(large.value() == std::numeric_limits<double>::infinity());
    large.add(1);
    CHECK(large.value() == std::numeric_limits<double>::infinity());
}

TEST_CASE("steps are due when exact rational numbers say so, for many steps and frame rates") {
    for (const Ratio step : {Ratio{1, 60}, {1, 50}, {1, 30}, {1, 7}, {1, 120}, {3, 100}, {1, 1}, {7, 3}, {1, 1000}}) {
        for (const Ratio delta : {Ratio{1, 60},
                                  {1, 180},
                                  {1, 144},
                                  {1, 59},
                                  {1, 30},
                                  {1, 24},
                                  {1, 240},
                                  {2, 7},
                                  {1, 1000},
                                  {333, 1000},
                                  {1, 2}}) {
            CAPTURE(step.value());
            CAPTURE(delta.value());
            PhaseClock clock(step.value(), 1 << 30);
            std::int64_t made = 0;
            for (std::int64_t update = 1; update <= 3000; ++update) {
                clock.give(delta.value());
                made += runs_of(clock);
                REQUIRE(made == steps_in({update * delta.top, delta.bottom}, step));
                REQUIRE(clock.alpha() >= 0);
                REQUIRE(clock.alpha() < 1);
                const double given = static_cast<double>(update) * delta.value();
                const double rest = given / step.value() - static_cast<double>(made);
                REQUIRE(std::abs(clock.alpha() - std::max(rest, 0.0)) < 1e-9);
            }
            CHECK(clock.time().step == static_cast<std::uint64_t>(made));
            CHECK(clock.time().elapsed == static_cast<double>(made) * step.value());
        }
    }
}

TEST_CASE("millions of rests add up without drift") {
    PhaseClock clock(1.0 / 60, 8);
    std::uint64_t made = 0;
    constexpr std::uint64_t updates = 6000000;
    for (std::uint64_t update = 0; update < updates; ++update) {
        clock.give(1.0 / 180);
        while (clock.begin_run(1, 0)) ++made;
    }
    CHECK(made == updates / 3);
    CHECK(clock.alpha() < 1e-7);
    CHECK(clock.dropped() == 0);
}

TEST_CASE("whole steps beyond the most are dropped and counted, and the rest of a step stays") {
    PhaseClock clock(0.25, 3);
    clock.give(1.875);
    CHECK(runs_of(clock) == 3);
    CHECK(clock.dropped() == 4);
    CHECK(clock.alpha() == 0.5);
    CHECK(clock.time().step == 3);
    CHECK(clock.time().elapsed == 0.75);
    clock.give(0.125);
    CHECK(runs_of(clock) == 1);
    CHECK(clock.dropped() == 4);
    CHECK(clock.alpha() == 0);
    clock.give(std::numeric_limits<double>::max());
    CHECK(runs_of(clock) == 3);
    clock.give(std::numeric_limits<double>::max());
    clock.give(std::numeric_limits<double>::max());
    CHECK(runs_of(clock) == 3);
    CHECK(clock.dropped() == std::numeric_limits<std::uint64_t>::max());
    CHECK(clock.alpha() >= 0);
    CHECK(clock.alpha() < 1);
}

TEST_CASE("a step that is not made yet stays due, and alpha stays below one") {
    PhaseClock clock(0.25, 3);
    clock.give(0.75);
    CHECK(clock.begin_run(1, 0));
    CHECK(clock.is_due());
    CHECK(clock.alpha() < 1);
    CHECK(clock.alpha() > 0.99);
    clock.give(0.5);
    CHECK(clock.dropped() == 1);
    CHECK(runs_of(clock) == 3);
}
