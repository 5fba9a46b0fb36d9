// Runs the verbs that do work on a ghost, and those that must not wake it up again.

#include "../base/thrown.hpp"
#include "scene.hpp"

#include <doctest/doctest.h>

using namespace misuse_test;
using api_test::throws;
using stoa::Entity;
using stoa::Errc;
using stoa::World;

TEST_CASE("removing an absent component from a ghost leaves the ghost") {
    Scene scene;
    CHECK_FALSE(scene.world.remove<Health>(scene.ghost));
    CHECK_FALSE(scene.world.remove<Burning>(scene.ghost));
    CHECK(scene.world.has<Body>(scene.ghost));
    scene.world.check();
}

TEST_CASE("a ghost whose last component is gone is plain dead") {
    Scene scene;
    CHECK(scene.world.remove<Body>(scene.ghost));
    CHECK_FALSE(scene.world.remove<Body>(scene.ghost));
    CHECK_FALSE(scene.world.has<Body>(scene.ghost));
    CHECK(scene.world.find<Body>(scene.ghost) == nullptr);
    CHECK(throws(Errc::dead_entity, [&] { scene.world.get<Body>(scene.ghost); }));
    scene.world.check();
}

TEST_CASE("a forged generation does not reach the cleanup components of a ghost") {
    Scene scene;
    for (const Entity e : {forge(scene.ghost.index(), scene.ghost.generation() + 1), forge(scene.ghost.index(), 0)}) {
        CHECK_FALSE(scene.world.alive(e));
        CHECK_FALSE(scene.world.has<Body>(e));
        CHECK(scene.world.find<Body>(e) == nullptr);
        CHECK_FALSE(scene.world.remove<Body>(e));
        CHECK(throws(Errc::dead_entity, [&] { scene.world.get<Body>(e); }));
    }
    CHECK(scene.world.has<Body>(scene.ghost));
    scene.world.check();
}

TEST_CASE("a ghost cannot be removed from inside a walk") {
    Scene scene;
    scene.world.table<Health, Armour>().each(
        [&](Health&, Armour&) { CHECK(throws(Errc::locked, [&] { scene.world.remove<Body>(scene.ghost); })); });
    CHECK(scene.world.has<Body>(scene.ghost));
    scene.world.check();
}

TEST_CASE("despawning a ghost again and again does nothing") {
    Scene scene;
    for (int i = 0; i < 5; ++i) CHECK_FALSE(scene.world.despawn(scene.ghost));
    CHECK(scene.world.get<const Body>(scene.ghost).value == 21);
    CHECK(scene.world.remove<Body>(scene.ghost));
    const Entity a = scene.world.spawn();
    const Entity b = scene.world.spawn();
    CHECK(a.index() != b.index());
    scene.world.check();
}

TEST_CASE("the handle of a ghost is not alive after its id was reused") {
    Scene scene;
    World& world = scene.world;
    world.remove<Body>(scene.ghost);
    for (int i = 0; i < 10; ++i) world.spawn(Body{i});
    CHECK_FALSE(world.alive(scene.ghost));
    CHECK_FALSE(world.has<Body>(scene.ghost));
    world.check();
}
