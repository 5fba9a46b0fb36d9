// Guards stoa::Timer, and the rule of all clocks that it shares: over when less than a millionth is missing, and the
// rest is carried over.
#include "thrown.hpp"

#include <doctest/doctest.h>

#include <stoa/random.hpp>
#include <stoa/timer.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

using stoa::Errc;
using stoa::Timer;
using stoa::detail::Periods;
using stoa::detail::whole_periods;

namespace {

static_assert(std::is_trivially_copyable_v<Timer>);
static_assert(sizeof(Timer) <= 24);
static_assert(Timer{1.5}.left() == 1.5 && !Timer{}.done());

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("a timer ends once, and stays done") {
    Timer timer{1.5};
    CHECK(timer.duration() == 1.5);
    CHECK(timer.left() == 1.5);
    CHECK(timer.advance(0.5) == 0);
    CHECK(!timer.done());
    CHECK(timer.left() == 1.0);
    CHECK(timer.advance(1.25) == 1);
    CHECK(timer.done());
    CHECK(timer.left() == 0);
    CHECK(timer.advance(10) == 0);
    CHECK(timer.done());
    CHECK(timer.left() == 0);
    timer.restart();
    CHECK(!timer.done());
    CHECK(timer.left() == 1.5);
    CHECK(timer.advance(largest) == 1);
    CHECK(timer.advance(largest) == 0);
}

TEST_CASE("a repeating timer says how often it ended, and is done for one advance") {
    Timer beat{0.5, Timer::repeating};
    CHECK(beat.advance(0.25) == 0);
    CHECK(!beat.done());
    CHECK(beat.advance(0.5) == 1);
    CHECK(beat.done());
    CHECK(beat.left() == 0.25);
    CHECK(beat.advance(0) == 0);
    CHECK(!beat.done());
    CHECK(beat.advance(1.25) == 3);
    CHECK(beat.done());
    CHECK(beat.left() == 0.5);
    beat.advance(0.125);
    beat.restart();
    CHECK(!beat.done());
    CHECK(beat.left() == 0.5);
}

TEST_CASE("a timer of 0, and a default one, end at their first advance") {
    for (Timer timer : {Timer{}, Timer{0}, Timer{-0.0}}) {
        CHECK(!timer.done());
        CHECK(timer.left() == 0);
        CHECK(timer.advance(0) == 1);
        CHECK(timer.done());
        CHECK(timer.advance(1) == 0);
        timer.restart();
        CHECK(timer.advance(0.1) == 1);
    }
}

TEST_CASE("a timer ends when less than a millionth is missing, and not before") {
    for (const double duration : {1e-300, 1e-9, 0.5, 1.0, 3600.0, 1e300}) {
        CHECK(Timer{duration}.advance(duration * (1 - 0.9e-6)) == 1);
        CHECK(Timer{duration}.advance(duration * (1 - 1.1e-6)) == 0);
        CHECK(Timer{duration, Timer::repeating}.advance(duration * (2 - 0.9e-6)) == 2);
        CHECK(Timer{duration, Timer::repeating}.advance(duration * (2 - 1.1e-6)) == 1);
    }
    CHECK(Timer{1}.advance(0x1.ffffffffffffp-1) == 1);
    const double least = std::numeric_limits<double>::denorm_min();
    CHECK(Timer{least}.advance(least) == 1);
    CHECK(Timer{least, Timer::repeating}.advance(3 * least) == 3);
}

TEST_CASE("a rest below zero is carried over") {
    Timer beat{1, Timer::repeating};
    CHECK(beat.advance(1 - 0.8e-6) == 1);
    CHECK(beat.left() == doctest::Approx(1 + 0.8e-6).epsilon(1e-12));
    CHECK(beat.advance(1 - 0.8e-6) == 0);  // 1.6 millionths are missing now
    CHECK(beat.advance(0.8e-6) == 1);
}

TEST_CASE("beats of 0.5 s in 10 s are 20 for every frame rate") {
    for (const double rate : {24.0, 25.0, 30.0, 50.0, 59.94, 60.0, 75.0, 90.0, 120.0, 144.0, 165.0, 240.0, 1000.0}) {
        CAPTURE(rate);
        Timer beat{0.5, Timer::repeating};
        int ended = 0;
        const int frames = static_cast<int>(10 * rate);
        for (int i = 0; i < frames; ++i) ended += beat.advance(1 / rate);
        ended += beat.advance(std::max(0.0, 10 - frames / rate));  // 59.94 frames a second leave a part of one
        CHECK(ended == 20);
    }
    for (int rate = 1; rate <= 1000; ++rate) {
        CAPTURE(rate);
        Timer beat{0.5, Timer::repeating};
        int ended = 0;
        for (int i = 0; i < 10 * rate; ++i) ended += beat.advance(1.0 / rate);
        CHECK(ended == 20);
    }
}

TEST_CASE("beats of 0.5 s in 10 s are 20 for frames of random length") {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        stoa::Random random{seed};
        Timer beat{0.5, Timer::repeating};
        int ended = 0;
        double now = 0;
        while (now < 10) {
            const double next = std::min(10.0, now + random.between(0.0, seed % 2 == 0 ? 0.03 : 1.7));
            ended += beat.advance(next - now);
            now = next;
        }
        CHECK(ended == 20);
    }
}

TEST_CASE("a million beats drift by less than the millionth of one") {
    for (const double rate : {7.0, 24.0, 59.94, 60.0, 144.0}) {
        CAPTURE(rate);
        Timer beat{0.5, Timer::repeating};
        std::int64_t ended = 0;
        const auto frames = static_cast<std::int64_t>(500000 * rate);
        for (std::int64_t i = 0; i < frames; ++i) ended += beat.advance(1 / rate);
        const double time = static_cast<double>(frames) / rate;
        CHECK(ended == static_cast<std::int64_t>(time / 0.5 + 1e-6));
        const double next = 0.5 * static_cast<double>(ended + 1);
        CHECK(std::abs(beat.left() - (next - time)) < 0.5e-6);
    }
}

TEST_CASE("a beat whose period is the frame ends in every frame") {
    for (const double frame : {1.0 / 60, 0.1, 1e-3, 1.0 / 3}) {
        Timer beat{frame, Timer::repeating};
        for (int i = 0; i < 100000; ++i) REQUIRE(beat.advance(frame) == 1);
    }
}

TEST_CASE("a very long time counts as the largest int, and the timer still works") {
    Timer beat{0.5, Timer::repeating};
    constexpr int most = std::numeric_limits<int>::max();
    CHECK(beat.advance(most / 2.0) == most);
    CHECK(beat.advance(1e12) == most);
    CHECK(beat.advance(largest) == most);
    CHECK(beat.advance(largest) == most);
    CHECK(beat.done());
    CHECK(beat.left() > 0);
    CHECK(beat.left() <= 0.5);
    beat.restart();
    CHECK(beat.advance(0.75) == 1);
    CHECK(Timer{std::numeric_limits<double>::denorm_min(), Timer::repeating}.advance(largest) == most);
    Timer slow{largest, Timer::repeating};
    slow.advance(largest / 2);
    CHECK(slow.advance(largest) == 1);  // the sum is more than a number can hold
    CHECK(slow.left() > 0);
}

TEST_CASE("a wrong duration is a conflict") {
    for (const double wrong : {-1.0, -1e-300, infinite, -infinite, not_a_number}) {
        CHECK(api_test::throws(Errc::conflict, [&] { Timer{wrong}; }));
        CHECK(api_test::throws(Errc::conflict, [&] { Timer(wrong, Timer::repeating); }));
    }
    CHECK(api_test::throws(Errc::conflict, [] { Timer(0, Timer::repeating); }));
    CHECK(api_test::thrown_by([] { Timer(0, Timer::repeating); })->says("repeating"));
    CHECK(!api_test::thrown_by([] { Timer{largest}; }));
}

TEST_CASE("a wrong delta is a conflict, and nothing happens") {
    Timer beat{0.5, Timer::repeating};
    CHECK(beat.advance(0.625) == 1);
    Timer over{1};
    CHECK(over.advance(1) == 1);
    for (const double wrong : {-1.0, -1e-300, infinite, -infinite, not_a_number}) {
        CHECK(api_test::throws(Errc::conflict, [&] { beat.advance(wrong); }));
        CHECK(api_test::throws(Errc::conflict, [&] { over.advance(wrong); }));
    }
    CHECK(api_test::thrown_by([&] { beat.advance(-1); })->says("advance"));
    CHECK(beat.done());
    CHECK(beat.left() == 0.375);
    CHECK(over.done());
}

TEST_CASE("a timer is a component, and a copy goes on alike") {
    struct Weapon {
        Timer cooldown{0.25};
        Timer spark;
    };
    stoa::World world;
    world.spawn_many(3, Weapon{{0.5, Timer::repeating}, {}});
    int ended = 0;
    for (int i = 0; i < 60; ++i) {
        world.query<Weapon>().each([&](Weapon& weapon) { ended += weapon.cooldown.advance(1.0 / 60); });
    }
    CHECK(ended == 6);
    Timer first{1, Timer::repeating};
    first.advance(0.3);
    Timer second = first;
    CHECK(second.left() == first.left());
    CHECK(second.advance(0.9) == first.advance(0.9));
    CHECK(second.left() == first.left());
}

TEST_CASE("whole periods are counted, and nothing of the time is lost") {
    const Periods none = whole_periods(0.25, 1);
    CHECK(none.count == 0);
    CHECK(none.rest == 0.25);
    CHECK(whole_periods(-1e-7, 1).rest == -1e-7);
    CHECK(whole_periods(7.5, 2.5).count == 3);
    CHECK(whole_periods(7.5, 2.5).rest == 0);
    CHECK(whole_periods(0x1p40 + 0.5, 1).count == std::uint64_t{1} << 40);
    CHECK(whole_periods(0x1p40 + 0.5, 1).rest == 0.5);
    CHECK(whole_periods(infinite, 1).count == std::uint64_t{1} << 63);
    CHECK(whole_periods(infinite, 1).rest == 0);
    CHECK(whole_periods(1e300, 1e-300).count == std::uint64_t{1} << 63);
    stoa::Random random{41};
    for (int i = 0; i < 10000; ++i) {
        const double period = random.between(0.001, 2.0);
        const double passed = random.between(0.0, 5000.0);
        const Periods periods = whole_periods(passed, period);
        REQUIRE(periods.rest >= -period * 1e-6);
        REQUIRE(period - periods.rest >= period * 1e-6);
        REQUIRE(std::abs(static_cast<double>(periods.count) * period + periods.rest - passed) < 1e-11);
    }
}
