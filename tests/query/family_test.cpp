// Families: queries that need resources.
#include <doctest/doctest.h>

#include <stoa/stoa.hpp>

#include <memory>
#include <vector>

using namespace stoa;

namespace {

struct Position {
    int x = 0;
};
struct Painter {
    std::vector<int> drawn;
};
struct Level {
    int number = 0;
};

}  // namespace

TEST_CASE("a family without its resource is inactive, and acts as if it were empty") {
    World world;
    const Entity e = world.spawn(Position{1});
    auto family = world.query<Position, Needs<Painter>>();
    CHECK_FALSE(family.active());
    int calls = 0;
    family.each([&](Position&) { ++calls; });
    family.each_chunk([&](std::span<Position>) { ++calls; });
    family.each_table([&](TableRows&) { ++calls; });
    CHECK_FALSE(family.each_until([&](Position&) { return ++calls > 0; }));
    for (auto [entity, position] : family) calls += position.x + static_cast<int>(entity.index());
    for (auto [entity, position] : family.ordered()) calls += position.x + static_cast<int>(entity.index());
    family.reversed().each([&](Position&) { ++calls; });
    CHECK_FALSE(family.fetch(e, [&](Position&) { ++calls; }));
    CHECK_FALSE(family.setup([&](Painter&) { ++calls; }));
    std::vector<Entity> found;
    family.collect(found);
    CHECK(found.empty());
    CHECK_FALSE(family.first());
    CHECK_THROWS_AS(static_cast<void>(family.single()), Error);
    CHECK(family.despawn_all() == 0);
    CHECK(family.set_all(Position{5}) == 0);
    CHECK(family.add_all<Level>() == 0);
    CHECK(family.remove_all<Position>() == 0);
    CHECK(calls == 0);
    CHECK(world.get<const Position>(e).x == 1);
}

TEST_CASE("membership is answered all the same") {
    World world;
    auto family = world.query<const Position, Needs<Painter>>();
    CHECK(family.empty());
    const Entity e = world.spawn(Position{});
    CHECK(family.count() == 1);
    CHECK_FALSE(family.empty());
    CHECK(family.contains(e));
    world.despawn(e);
    CHECK_FALSE(family.contains(e));
}

TEST_CASE("a family is active while all of its resources exist") {
    World world;
    const Entity e = world.spawn(Position{7});
    auto family = world.query<const Position, Needs<Painter, const Level>>();
    world.set_resource(Painter{});
    CHECK_FALSE(family.active());
    world.emplace_resource<Level>(3);
    CHECK(family.active());
    CHECK(family.single() == e);
    int sum = 0;
    family.each([&](const Position& p) { sum += p.x; });
    CHECK(sum == 7);
    CHECK(family.fetch(e, [](const Position&) {}));
    world.clear();
    CHECK(family.active());
    world.remove_resource<Painter>();
    CHECK_FALSE(family.active());
}

TEST_CASE("setup hands out the resources in order, around a walk") {
    World world;
    world.spawn(Position{1});
    world.spawn(Position{2});
    world.set_resource(Painter{});
    world.set_resource(Level{4});
    auto family = world.query<const Position, Needs<Painter, const Level>>();
    const bool ran = family.setup([&](Painter& painter, const Level& level) {
        painter.drawn.push_back(level.number);
        family.each([&](const Position& p) { painter.drawn.push_back(p.x); });
    });
    CHECK(ran);
    CHECK(world.resource<const Painter>().drawn == std::vector<int>{4, 1, 2});
    CHECK(world.query<const Position>().setup([] {}));
}

TEST_CASE("setup of several families runs when all are active") {
    World world;
    const auto draws = world.query<Position, Needs<Painter>>();
    auto plays = world.query<Needs<Level>>();
    int calls = 0;
    const auto both = [&](Painter& painter, Level& level) {
        calls += 1 + static_cast<int>(painter.drawn.size()) + level.number;
    };
    CHECK_FALSE(setup(draws, plays, both));
    world.set_resource(Painter{});
    CHECK_FALSE(setup(draws, plays, both));
    world.set_resource(Level{});
    CHECK(setup(draws, plays, both));
    CHECK(setup(world.query<Position>(), plays, [&](Level&) { ++calls; }));
    CHECK(calls == 2);
}

TEST_CASE("families with the same needs share a state, others do not") {
    World world;
    auto a = world.query<Position, Needs<Painter, Level>>();
    auto b = world.query<Needs<const Level, Painter>, Position>();
    CHECK(world.stats().queries == 1);
    auto c = world.query<Position>();
    CHECK(world.stats().queries == 2);
    CHECK(a.count() + b.count() + c.count() == 0);
    auto painter = world.query<Position, Needs<Painter>>();
    auto level = world.query<Position, Needs<Level>>();
    CHECK(world.stats().queries == 4);
    world.set_resource(Level{});
    CHECK(level.active());
    CHECK_FALSE(painter.active());
}

TEST_CASE("what changes while a family is inactive is seen when it is active again") {
    World world;
    const Entity e = world.spawn(Position{});
    world.set_resource(Painter{});
    auto family = world.query<const Position, Changed<Position>, Needs<Painter>>();
    const auto walked = [&] {
        int count = 0;
        family.each([&](const Position&) { ++count; });
        return count;
    };
    CHECK(walked() == 1);
    CHECK(walked() == 0);
    world.remove_resource<Painter>();
    world.get<Position>(e).x = 1;
    CHECK(walked() == 0);
    world.set_resource(Painter{});
    CHECK(walked() == 1);
}

TEST_CASE("a family of a world that is gone says so") {
    auto world = std::make_unique<World>();
    auto family = world->query<Position, Needs<Painter>>();
    world.reset();
    try {
        static_cast<void>(family.active());
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.code() == Errc::world_gone);
    }
}
