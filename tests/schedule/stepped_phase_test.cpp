// Guards time in schedules: each phase has a clock of its own, stepped phases run as often as their time has come, and
// the phases behind them are told how far to interpolate.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

using namespace stoa;

namespace {

struct Spawned {
    int number = 0;
};

Errc code_of(auto&& f) {
    try {
        f();
    } catch (const Error& error) {
        return error.code();
    }
    return Errc::corrupt;
}

auto note(std::vector<Time>& seen) {
    return [&seen](const Time& time) { seen.push_back(time); };
}

}  // namespace

TEST_CASE("a stepped phase runs as often as its time has come") {
    World world;
    Schedule schedule{world};
    std::vector<Time> seen;
    Phase& physics = schedule.add_phase("physics", {.step = 0.25}).add("see", note(seen));
    schedule.update(0.125);
    CHECK(seen.empty());
    schedule.update(0.125);
    REQUIRE(seen.size() == 1);
    CHECK(seen[0].delta == 0.25);
    CHECK(seen[0].elapsed == 0.25);
    CHECK(seen[0].frame == 2);
    CHECK(seen[0].step == 1);
    CHECK(seen[0].alpha == 0);
    schedule.update(0.75);
    REQUIRE(seen.size() == 4);
    CHECK(seen[3].delta == 0.25);
    CHECK(seen[3].elapsed == 1);
    CHECK(seen[3].frame == 3);
    CHECK(seen[3].step == 4);
    CHECK(physics.dropped() == 0);
}

TEST_CASE("1/60 and 1/180 meet every third update, and a beat of half a second keeps time at any rate") {
    World world;
    Schedule schedule{world};
    int runs = 0;
    schedule.add_phase("p", {.step = 1.0 / 60}).add("count", [&] { ++runs; });
    for (int update = 1; update <= 3000; ++update) {
        schedule.update(1.0 / 180);
        REQUIRE(runs == update / 3);
    }
    for (const int rate : {24, 30, 50, 59, 60, 144, 1000}) {
        Schedule other{world};
        int beats = 0;
        other.add_phase("p", {.step = 0.5}).add("count", [&] { ++beats; });
        for (int update = 0; update < 10 * rate; ++update) other.update(1.0 / rate);
        CHECK(beats == 20);
    }
}

TEST_CASE("steps beyond the most of an update are dropped and counted, and the rest of a step stays") {
    World world;
    Schedule schedule{world};
    std::vector<Time> seen;
    Phase& phase = schedule.add_phase("p", {.step = 0.25, .most = 2}).add("see", note(seen));
    Phase& eight = schedule.add_phase("eight", {.step = 0.25});
    int runs = 0;
    eight.add("count", [&] { ++runs; });
    schedule.update(1.375);
    CHECK(seen.size() == 2);
    CHECK(phase.dropped() == 3);
    CHECK(runs == 5);
    schedule.update(0.125);
    CHECK(seen.size() == 3);
    CHECK(seen[2].step == 3);
    CHECK(seen[2].elapsed == 0.75);
    schedule.update(2.5);
    CHECK(runs == 6 + 8);
    CHECK(eight.dropped() == 2);
    CHECK(schedule.add_phase("plain").dropped() == 0);
}

TEST_CASE("every run of a stepped phase is followed by its flush") {
    World world;
    Schedule schedule{world};
    std::vector<std::size_t> sizes;
    schedule.add_phase("p", {.step = 0.5}).add("spawn", [&](Commands& later, Query<const Spawned> all) {
        sizes.push_back(all.count());
        later.spawn(Spawned{});
    });
    schedule.update(1.5);
    CHECK(sizes == std::vector<std::size_t>{0, 1, 2});
    CHECK(world.size() == 3);
}

TEST_CASE("alpha is what the stepped phase nearest before was given and has not done yet") {
    World world;
    Schedule schedule{world};
    std::vector<Time> before, between, inside, after;
    schedule.add_phase("before").add("a", note(before));
    Phase& half = schedule.add_phase("half", {.step = 0.5});
    schedule.add_phase("between").add("b", note(between));
    schedule.add_phase("quarter", {.step = 0.25}).add("c", note(inside));
    Phase& draw = schedule.add_phase("draw").add("d", note(after));
    schedule.update(0.375);
    CHECK(before.back().alpha == 0);
    CHECK(between.back().alpha == 0.75);
    CHECK(inside.back().alpha == 0);
    CHECK(after.back().alpha == 0.5);
    CHECK(schedule.time().alpha == 0);
    half.disable();
    schedule.update(0.0625);
    CHECK(between.back().alpha == 0.75);
    CHECK(after.back().alpha == 0.75);
    draw.update(1);
    CHECK(after.back().alpha == 0.75);
    // A little less than nothing is left when a step came early.
    half.enable();
    half.update(0.125 - 1e-8);
    schedule.phase("between").update(0);
    CHECK(between.back().alpha == 0);
}

TEST_CASE("every phase has a clock of its own") {
    World world;
    Schedule schedule{world};
    std::vector<Time> first, second;
    Phase& one = schedule.add_phase("one").add("a", note(first));
    Phase& two = schedule.add_phase("two").add("b", note(second));
    schedule.update(0.5);
    one.update(0.25);
    one.update(0.25);
    two.disable();
    schedule.update(1);
    two.enable();
    schedule.update(2);
    REQUIRE(first.size() == 5);
    CHECK(first[2].delta == 0.25);
    CHECK(first[2].elapsed == 1);
    CHECK(first[2].frame == 1);
    CHECK(first[2].step == 3);
    CHECK(first[4].elapsed == 4);
    CHECK(first[4].step == 5);
    REQUIRE(second.size() == 2);
    CHECK(second[1].delta == 2);
    CHECK(second[1].elapsed == 2.5);
    CHECK(second[1].frame == 3);
    CHECK(second[1].step == 2);
    CHECK(schedule.time().delta == 2);
    CHECK(schedule.time().elapsed == 3.5);
    CHECK(schedule.time().frame == 3);
    CHECK(schedule.time().step == 3);
}

TEST_CASE("phase.update gives a stepped phase its time, and it makes the steps that are due") {
    World world;
    Schedule schedule{world};
    std::vector<Time> seen;
    Phase& phase = schedule.add_phase("p", {.step = 0.5, .most = 2}).add("see", note(seen));
    phase.update(0.25);
    CHECK(seen.empty());
    phase.update(0.75);
    CHECK(seen.size() == 2);
    CHECK(seen.back().frame == 0);
    CHECK(schedule.time().elapsed == 0);
    CHECK(schedule.time().frame == 0);
    phase.update(5);
    CHECK(seen.size() == 4);
    CHECK(phase.dropped() == 8);
    schedule.set_paused(true);
    phase.update(1);
    schedule.update(1);
    CHECK(seen.size() == 4);
    schedule.set_paused(false);
    phase.disable();
    phase.update(1);
    schedule.update(1);
    phase.enable();
    phase.update(0);
    CHECK(seen.size() == 4);
    CHECK(phase.dropped() == 8);
}

TEST_CASE("a phase may begin disabled") {
    World world;
    Schedule schedule{world};
    int runs = 0;
    Phase& phase = schedule.add_phase("p", {.enabled = false}).add("count", [&] { ++runs; });
    CHECK(!phase.enabled());
    schedule.update(1);
    CHECK(runs == 0);
    phase.enable();
    schedule.update(1);
    CHECK(runs == 1);
}

TEST_CASE("elapsed stays within two units in the last place") {
    World world;
    Schedule schedule{world};
    double elapsed = 0;
    schedule.add_phase("p").add("see", [&](const Time& time) { elapsed = time.elapsed; });
    constexpr int updates = 200000;
    for (int update = 0; update < updates; ++update) schedule.update(0.1);
    const auto exact = static_cast<double>(updates * static_cast<long double>(0.1));
    const double unit = std::nextafter(exact, 1e9) - exact;
    CHECK(std::abs(elapsed - exact) <= 2 * unit);
    CHECK(std::abs(schedule.time().elapsed - exact) <= 2 * unit);
}

TEST_CASE("steps that a throw leaves undone are still due; the one that threw counts") {
    World world;
    Schedule schedule{world};
    std::vector<std::uint64_t> steps;
    std::vector<Time> after;
    bool fail = true;
    Phase& phase = schedule.add_phase("p", {.step = 1, .most = 5}).add("step", [&](const Time& time) {
        steps.push_back(time.step);
        if (fail && time.step == 2) throw std::runtime_error("no");
    });
    Phase& draw = schedule.add_phase("draw").add("see", note(after));
    CHECK_THROWS_AS(schedule.update(4.5), std::runtime_error);
    CHECK(steps == std::vector<std::uint64_t>{1, 2});
    CHECK(after.empty());
    draw.update(0);
    CHECK(after.back().alpha < 1);
    fail = false;
    schedule.update(0);
    CHECK(steps == std::vector<std::uint64_t>{1, 2, 3, 4});
    CHECK(after.back().alpha == 0.5);
    CHECK(after.back().elapsed == 0);
    CHECK(phase.dropped() == 0);
    schedule.update(0.5);
    CHECK(steps.size() == 5);
}

TEST_CASE("options that make no sense are refused, and nothing happens") {
    World world;
    Schedule schedule{world};
    constexpr double infinite = std::numeric_limits<double>::infinity();
    for (const double step : {-1.0, -1e-300, infinite, -infinite, std::nan("")})
        CHECK(code_of([&] { schedule.add_phase("p", {.step = step}); }) == Errc::conflict);
    for (const int most : {0, -1}) {
        CHECK(code_of([&] { schedule.add_phase("p", {.step = 1, .most = most}); }) == Errc::conflict);
        CHECK(code_of([&] { schedule.add_phase("p", {.most = most}); }) == Errc::conflict);
    }
    CHECK(schedule.find_phase("p") == nullptr);
    std::vector<Time> seen;
    Phase& phase = schedule.add_phase("p", {.step = 0, .most = 1}).add("see", note(seen));
    Phase& stepped = schedule.add_phase("stepped", {.step = 1}).add("see too", note(seen));
    for (const double delta : {-1.0, infinite, std::nan("")}) {
        CHECK(code_of([&] { schedule.update(delta); }) == Errc::conflict);
        CHECK(code_of([&] { stepped.update(delta); }) == Errc::conflict);
    }
    CHECK(seen.empty());
    CHECK(schedule.time().frame == 0);
    phase.update(3);
    CHECK(seen.size() == 1);
}

TEST_CASE("an update that is refused lets no time pass") {
    World world;
    world.spawn(Spawned{});
    Schedule schedule{world};
    std::vector<Time> seen;
    Phase& phase = schedule.add_phase("p", {.step = 1}).add("see", note(seen));
    world.query<Spawned>().each([&](Spawned&) {
        CHECK(code_of([&] { schedule.update(1); }) == Errc::locked);
        CHECK(code_of([&] { phase.update(1); }) == Errc::locked);
    });
    phase.add("nowhere", [] {}, {.after = "nothing"});
    CHECK(code_of([&] { schedule.update(1); }) == Errc::unknown_name);
    CHECK(code_of([&] { phase.update(1); }) == Errc::unknown_name);
    phase.remove("nowhere");
    schedule.update(0);
    CHECK(seen.empty());
    CHECK(schedule.time().elapsed == 0);
    CHECK(schedule.time().frame == 1);
}
