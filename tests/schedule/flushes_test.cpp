// Guards Schedule::flushes: which flush points there are, how often they were reached, and what they applied.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

using namespace stoa;

namespace {

struct Value {
    int number = 0;
};

}  // namespace

TEST_CASE("flush points are the sync points between systems and the ends of phases, in order") {
    World world;
    Schedule schedule{world};
    schedule.add_phase("empty");
    schedule.add_phase("p")
        .sync()
        .add("late", [] {}, {.priority = 1})
        .add("early", [] {})
        .sync()
        .sync()
        .add("alone", [](World&) {})
        .sync();
    schedule.add_phase("q").add("last", [] {});
    const std::vector<FlushPoint> points = schedule.flushes();
    REQUIRE(points.size() == 4);
    CHECK(points[0].phase == "empty");
    CHECK(points[0].after.empty());
    CHECK(points[1].phase == "p");
    CHECK(points[1].after == "late");
    CHECK(points[2].phase == "p");
    CHECK(points[2].after == "alone");
    CHECK(points[3].phase == "q");
    CHECK(points[3].after == "last");
    for (const FlushPoint& point : points) CHECK(point.runs == 0);
}

TEST_CASE("flush points count their runs and the commands of the last one") {
    World world;
    Schedule schedule{world};
    int spawned = 3;
    Phase& phase = schedule.add_phase("p");
    phase.add("spawn", [&](Commands& later) {
        for (int i = 0; i < spawned; ++i) later.spawn(Value{i});
    });
    phase.sync().add("edit", [](Query<const Value> all, Commands& later) {
        all.each([&](Entity entity, const Value&) { later.set(entity, Value{7}); });
    });
    schedule.update(0);
    std::vector<FlushPoint> points = schedule.flushes();
    REQUIRE(points.size() == 2);
    CHECK(points[0].runs == 1);
    CHECK(points[0].commands == 3);
    CHECK(points[0].last > 0);
    CHECK(points[0].mean == points[0].last);
    CHECK(points[1].commands == 3);
    spawned = 0;
    world.commands().spawn(Value{});
    schedule.update(0);
    points = schedule.flushes();
    CHECK(points[0].runs == 2);
    CHECK(points[0].commands == 1);
    CHECK(points[1].commands == 4);
    world.clear();
    schedule.update(0);
    points = schedule.flushes();
    CHECK(points[0].commands == 0);
    CHECK(points[0].last == 0);
    CHECK(points[0].mean > 0);
    CHECK(points[1].runs == 3);
    // What was measured stays when the phase changes.
    phase.sync().add("more", [] {});
    points = schedule.flushes();
    REQUIRE(points.size() == 3);
    CHECK(points[0].runs == 3);
    CHECK(points[1].after == "edit");
    CHECK(points[1].runs == 0);
    CHECK(points[2].after == "more");
    CHECK(points[2].runs == 3);
}

TEST_CASE("each step of a phase is a run of its flush points, and the strings are the caller's own") {
    World world;
    std::vector<FlushPoint> points;
    {
        Schedule schedule{world};
        schedule.add_phase("a phase with a name that is not short", {.step = 1})
            .add("a system with a name that is not short", [] {});
        schedule.update(3);
        points = schedule.flushes();
        schedule.remove_phase("a phase with a name that is not short");
        CHECK(schedule.flushes().empty());
    }
    REQUIRE(points.size() == 1);
    CHECK(points[0].phase == "a phase with a name that is not short");
    CHECK(points[0].after == "a system with a name that is not short");
    CHECK(points[0].runs == 3);
}
