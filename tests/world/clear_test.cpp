// Guards clear: everything is despawned, the world stays usable, old handles stay dead.

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <vector>

using stoa::Entity;
using stoa::World;

namespace {

struct A {
    int value = 0;
};

struct B {
    int value = 0;
};

struct S {
    int value = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

std::vector<Entity> fill(World& world) {
    std::vector<Entity> made;
    for (int i = 0; i < 100; ++i) {
        made.push_back(world.spawn());
        made.push_back(world.spawn(A{i}));
        made.push_back(world.spawn(A{i}, B{i}));
        made.push_back(world.spawn(A{i}, S{i}));
        made.push_back(world.spawn(S{i}));
    }
    return made;
}

}  // namespace

TEST_CASE("clear despawns everything") {
    World world;
    const auto made = fill(world);
    world.clear();
    CHECK(world.size() == 0);
    for (const Entity e : made) {
        CHECK_FALSE(world.alive(e));
        CHECK_FALSE(world.has_any<A, B, S>(e));
    }
    world.check();
}

TEST_CASE("after clear no old handle is ever alive again") {
    World world;
    std::vector<Entity> old;
    for (int round = 0; round < 5; ++round) {
        const auto made = fill(world);
        for (const Entity e : old) REQUIRE_FALSE(world.alive(e));
        old.insert(old.end(), made.begin(), made.end());
        world.clear();
    }
    world.check();
}

TEST_CASE("after clear the indices are used again") {
    World world;
    const auto made = fill(world);
    world.clear();
    for (std::size_t i = 0; i < made.size(); ++i) {
        const Entity e = world.spawn();
        CHECK(e.index() < made.size());
        CHECK(e.generation() == 2);
    }
    CHECK(world.spawn().index() == made.size());
}

TEST_CASE("clearing twice is clearing once") {
    World world;
    fill(world);
    world.clear();
    world.clear();
    CHECK(world.size() == 0);
    CHECK(world.spawn(A{1}).generation() == 2);
    world.check();
}

TEST_CASE("clear after despawns keeps the free list whole") {
    World world;
    const auto made = fill(world);
    for (std::size_t i = 0; i < made.size(); i += 3) world.despawn(made[i]);
    world.clear();
    std::vector<bool> seen(made.size(), false);
    for (std::size_t i = 0; i < made.size(); ++i) {
        const Entity e = world.spawn();
        REQUIRE(e.index() < made.size());
        CHECK_FALSE(seen[e.index()]);
        seen[e.index()] = true;
    }
    world.check();
}

TEST_CASE("table handles and memory stay usable after clear") {
    World world;
    auto table = world.table<A, B>();
    table.spawn(A{1}, B{2});
    world.clear();
    CHECK(table.size() == 0);
    const Entity e = table.spawn(A{3}, B{4});
    CHECK(world.get<const B>(e).value == 4);
    CHECK(table.size() == 1);
}
