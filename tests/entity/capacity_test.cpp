// Guards WorldOptions::max_entities: spawning past it is an error that changes nothing.

#include "../base/thrown.hpp"

#include <doctest/doctest.h>

#include <span>
#include <utility>
#include <vector>

using api_test::throws;
using stoa::Entity;
using stoa::Errc;
using stoa::World;
using stoa::WorldOptions;

namespace {

struct Weight {
    int grams = 0;
};

struct Debt {
    int coins = 0;
    static constexpr stoa::Traits stoa_traits{.cleanup = true};
};

}  // namespace

TEST_CASE("a world holds as many entities as its limit allows") {
    World world{WorldOptions{.max_entities = 1024}};
    for (int i = 0; i < 1024; ++i) world.spawn();
    CHECK(world.size() == 1024);
    CHECK(throws(Errc::capacity, [&] { world.spawn(); }));
    CHECK(world.size() == 1024);
    world.check();
}

TEST_CASE("every way of spawning respects the limit") {
    World world{WorldOptions{.max_entities = 3}};
    const Entity source = world.spawn(Weight{5});
    world.spawn(Weight{1});
    world.spawn<Weight>();
    CHECK(throws(Errc::capacity, [&] { world.spawn(); }));
    CHECK(throws(Errc::capacity, [&] { world.spawn(Weight{}); }));
    CHECK(throws(Errc::capacity, [&] { world.spawn<Weight>(); }));
    CHECK(throws(Errc::capacity, [&] { world.spawn_many(1, Weight{}); }));
    CHECK(throws(Errc::capacity, [&] { world.clone(source); }));
    auto table = world.table<Weight>();
    CHECK(throws(Errc::capacity, [&] { table.spawn(); }));
    CHECK(throws(Errc::capacity, [&] { table.spawn(Weight{}); }));
    CHECK(throws(Errc::capacity, [&] { table.spawn([](Weight&) {}); }));
    CHECK(world.size() == 3);
    CHECK(table.size() == 3);
    world.check();
}

TEST_CASE("a bulk spawn that does not fit spawns nothing") {
    World world{WorldOptions{.max_entities = 10}};
    world.spawn_many(4, Weight{});
    std::vector<Entity> ids(7);
    CHECK(throws(Errc::capacity, [&] { world.spawn_many(7, Weight{}); }));
    CHECK(throws(Errc::capacity, [&] { world.spawn_many(std::span{ids}, Weight{}); }));
    CHECK(world.size() == 4);
    for (const Entity e : ids) CHECK_FALSE(world.alive(e));
    world.spawn_many(6, Weight{});
    CHECK(world.size() == 10);
    world.check();
}

TEST_CASE("a spawn from columns that does not fit spawns nothing") {
    World world{WorldOptions{.max_entities = 2}};
    std::vector<Entity> ids(3);
    const std::vector<Weight> weights(3);
    CHECK(throws(Errc::capacity, [&] { world.spawn_columns(std::span{ids}, std::span{weights}); }));
    CHECK(world.size() == 0);
    world.check();
}

TEST_CASE("a despawn makes room again") {
    World world{WorldOptions{.max_entities = 1}};
    for (int i = 0; i < 50; ++i) {
        const Entity e = world.spawn(Weight{i});
        CHECK(throws(Errc::capacity, [&] { world.spawn(); }));
        CHECK(world.despawn(e));
    }
    CHECK(world.size() == 0);
}

TEST_CASE("a failed spawn does not use up an id") {
    World world{WorldOptions{.max_entities = 2}};
    const Entity a = world.spawn();
    world.spawn();
    CHECK(throws(Errc::capacity, [&] { world.spawn(); }));
    world.despawn(a);
    const Entity again = world.spawn();
    CHECK(again.index() == a.index());
    CHECK(again.generation() == a.generation() + 1);
}

TEST_CASE("clear makes room for the whole limit") {
    World world{WorldOptions{.max_entities = 5}};
    world.spawn_many(5, Weight{});
    world.clear();
    world.spawn_many(5, Weight{});
    CHECK(world.size() == 5);
}

TEST_CASE("a limit of zero means no limit") {
    World world{WorldOptions{.max_entities = 0}};
    world.spawn_many(100000, Weight{});
    CHECK(world.size() == 100000);
}

TEST_CASE("the limit moves with the world") {
    World world{WorldOptions{.max_entities = 1}};
    World home = std::move(world);
    home.spawn();
    CHECK(throws(Errc::capacity, [&] { home.spawn(); }));
}

TEST_CASE("adding components is not limited by the number of entities") {
    World world{WorldOptions{.max_entities = 1}};
    const Entity e = world.spawn();
    CHECK(world.add<Weight>(e));
    CHECK(world.add<Debt>(e));
    CHECK(world.remove<Weight>(e));
}
