// Guards that a handle dies with its entity and never lives again (W-EC-5, W-TI-3, W-AI-1, W-AI-3, W-SY-2).

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <vector>

using stoa::Entity;
using stoa::World;

namespace {

struct Name {
    int letters = 0;
};

struct Rank {
    int stars = 0;
};

}  // namespace

TEST_CASE("a stale handle is never alive again") {
    World world;
    const Entity stale = world.spawn();
    world.despawn(stale);
    for (int i = 0; i < 70000; ++i) {
        const Entity e = world.spawn();
        REQUIRE(e.index() == stale.index());
        REQUIRE_FALSE(world.alive(stale));
        world.despawn(e);
    }
}

TEST_CASE("despawning twice answers true, then false") {
    World world;
    const Entity e = world.spawn();
    CHECK(world.despawn(e));
    CHECK_FALSE(world.despawn(e));
    CHECK(world.size() == 0);
    world.check();
}

TEST_CASE("despawning twice does not put the id into the free list twice") {
    World world;
    const Entity e = world.spawn();
    world.despawn(e);
    world.despawn(e);
    const Entity a = world.spawn();
    const Entity b = world.spawn();
    CHECK(a.index() != b.index());
    CHECK(world.size() == 2);
    world.check();
}

TEST_CASE("despawning a stale handle spares the newcomer in its slot") {
    World world;
    const Entity stale = world.spawn();
    world.despawn(stale);
    const Entity newcomer = world.spawn(Name{7});
    CHECK_FALSE(world.despawn(stale));
    CHECK(world.alive(newcomer));
    CHECK(world.get<const Name>(newcomer).letters == 7);
}

TEST_CASE("a newcomer in a reused slot inherits nothing") {
    World world;
    const Entity old = world.spawn(Name{3}, Rank{4});
    world.despawn(old);
    const Entity newcomer = world.spawn();
    REQUIRE(newcomer.index() == old.index());
    CHECK_FALSE(world.has<Name>(newcomer));
    CHECK_FALSE(world.has<Rank>(newcomer));
    CHECK(world.components(newcomer).empty());
}

TEST_CASE("a stale handle does not see the components of the newcomer") {
    World world;
    const Entity stale = world.spawn(Name{1});
    world.despawn(stale);
    const Entity newcomer = world.spawn(Name{2});
    REQUIRE(newcomer.index() == stale.index());
    CHECK_FALSE(world.has<Name>(stale));
    CHECK(world.find<Name>(stale) == nullptr);
    CHECK_FALSE(world.remove<Name>(stale));
    CHECK_FALSE(world.add<Rank>(stale));
    CHECK(world.has<Name>(newcomer));
    CHECK_FALSE(world.has<Rank>(newcomer));
}

TEST_CASE("despawning one entity leaves the last one of the world alone") {
    World world;
    std::vector<Entity> made;
    for (int i = 0; i < 5; ++i) made.push_back(world.spawn(Name{i}));
    world.despawn(made[1]);
    world.despawn(made[1]);
    for (const std::size_t i : {0U, 2U, 3U, 4U}) {
        CHECK(world.alive(made[i]));
        CHECK(world.get<const Name>(made[i]).letters == static_cast<int>(i));
    }
}

TEST_CASE("a null handle is never alive") {
    World world;
    CHECK_FALSE(world.alive(Entity{}));
    world.spawn();
    CHECK_FALSE(world.alive(Entity{}));
}

TEST_CASE("a handle from beyond the directory is not alive") {
    World world;
    world.spawn();
    CHECK_FALSE(world.alive(Entity::from_bits(~0ULL)));
    CHECK_FALSE(world.alive(Entity::from_bits(0xFFFFFFFFULL)));
    CHECK_FALSE(world.alive(Entity::from_bits(0xFFFFFFFF00000000ULL)));
}

TEST_CASE("a handle from a larger world is not alive in a smaller one") {
    World large;
    World small;
    small.spawn();
    Entity far;
    for (int i = 0; i < 1000; ++i) far = large.spawn();
    CHECK(large.alive(far));
    CHECK_FALSE(small.alive(far));
}
