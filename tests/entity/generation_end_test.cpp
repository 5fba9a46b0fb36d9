// Guards the end of a slot's generations: it is retired instead of starting over.

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <span>
#include <unordered_set>
#include <vector>

using stoa::Entity;
using stoa::World;
using stoa::WorldOptions;

namespace {

constexpr std::uint32_t last = std::numeric_limits<std::uint32_t>::max();

struct Mark {
    int value = 0;
};

}  // namespace

TEST_CASE("the first generation can be chosen for tests") {
    World world{WorldOptions{.first_generation = 1000}};
    CHECK(world.spawn().generation() == 1000);
    const Entity e = world.spawn();
    CHECK(e.generation() == 1000);
    world.despawn(e);
    CHECK(world.spawn().generation() == 1001);
}

TEST_CASE("a first generation of zero still makes no null entity") {
    World world{WorldOptions{.first_generation = 0}};
    const Entity e = world.spawn();
    CHECK(bool(e));
    CHECK(e.generation() != 0);
    CHECK(world.alive(e));
}

TEST_CASE("a slot whose generations run out is retired") {
    World world{WorldOptions{.first_generation = last}};
    const Entity e = world.spawn();
    CHECK(e.index() == 0);
    CHECK(world.alive(e));
    CHECK(world.despawn(e));
    CHECK_FALSE(world.alive(e));
    const Entity next = world.spawn();
    CHECK(next.index() == 1);
    CHECK(world.alive(next));
    CHECK_FALSE(world.alive(e));
    world.check();
}

TEST_CASE("generations never wrap: no handle comes twice and none is null") {
    World world{WorldOptions{.first_generation = last - 3}};
    std::unordered_set<std::uint64_t> seen;
    std::vector<Entity> dead;
    for (int i = 0; i < 100; ++i) {
        const Entity e = world.spawn(Mark{i});
        CHECK(bool(e));
        CHECK(e.generation() != 0);
        CHECK(seen.insert(e.bits()).second);
        for (const Entity old : dead) REQUIRE_FALSE(world.alive(old));
        world.despawn(e);
        dead.push_back(e);
        world.check();
    }
    CHECK(world.size() == 0);
}

TEST_CASE("a slot is used for every one of its remaining generations") {
    World world{WorldOptions{.first_generation = last - 2}};
    for (int i = 0; i < 3; ++i) {
        const Entity e = world.spawn();
        CHECK(e.index() == 0);
        world.despawn(e);
    }
    CHECK(world.spawn().index() == 1);
}

TEST_CASE("a retired slot is dead for every handle that points to it") {
    World world{WorldOptions{.first_generation = last}};
    const Entity e = world.spawn(Mark{1});
    world.despawn(e);
    for (const std::uint64_t generation : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{last}}) {
        CHECK_FALSE(world.alive(Entity::from_bits((generation << 32U) | e.index())));
        CHECK_FALSE(world.alive(Entity::from_bits((std::uint64_t{e.index()} << 32U) | generation)));
    }
}

TEST_CASE("clear retires slots as despawn does") {
    World world{WorldOptions{.first_generation = last}};
    const Entity a = world.spawn(Mark{1});
    const Entity b = world.spawn();
    world.clear();
    const Entity c = world.spawn();
    CHECK(c.index() == 2);
    CHECK_FALSE(world.alive(a));
    CHECK_FALSE(world.alive(b));
    world.check();
}

TEST_CASE("bulk spawning steps over retired slots") {
    World world{WorldOptions{.first_generation = last}};
    std::vector<Entity> ids(10);
    world.spawn_many(std::span{ids}, Mark{});
    for (const Entity e : ids) world.despawn(e);
    world.spawn_many(std::span{ids}, Mark{});
    for (std::uint32_t i = 0; i < 10; ++i) CHECK(ids[i].index() == 10 + i);
    world.check();
}

TEST_CASE("a retired slot does not count toward the limit of entities") {
    World world{WorldOptions{.max_entities = 2, .first_generation = last}};
    for (int i = 0; i < 20; ++i) {
        const Entity a = world.spawn();
        const Entity b = world.spawn(Mark{i});
        CHECK(world.despawn(a));
        CHECK(world.despawn(b));
    }
    world.check();
}
