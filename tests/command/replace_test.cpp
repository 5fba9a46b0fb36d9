// Guards the recorded replace: when it applies, how it meets other edits of the same entity, and what it counts.
#include "edits.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace command_test;

TEST_CASE("a recorded replace does what replace does") {
    World world;
    Commands& later = world.commands();
    const Entity plain = world.spawn(make<Position>(1), make<Name>(2));
    const Entity sparse = world.spawn(make<Burning>(3), make<Velocity>(4));
    const Entity both = world.spawn(make<Counted>(5), make<Note>(6));
    later.replace<Position>(plain, make<Velocity>(7));
    later.replace<Burning>(sparse, make<Name>(8));
    later.replace<Counted>(both, make<Note>(9));
    later.replace<Name>(plain, Red{});
    CHECK(world.has<Position>(plain));
    const stoa::FlushReport report = world.flush();
    CHECK((report.applied == 4 && report.skipped == 0));
    CHECK((world.has<Velocity, Red>(plain) && !world.has_any<Position, Name>(plain)));
    CHECK((read(world.get<const Name>(sparse)) == 8 && !world.has<Burning>(sparse)));
    CHECK((read(world.get<const Note>(both)) == 9 && !world.has<Counted>(both)));
    world.check();
}

TEST_CASE("a recorded replace without the first component counts as applied, and of a dead entity as skipped") {
    World world;
    const std::int64_t before = Counted::ledger().alive;
    {
        Commands own{world};
        const Entity e = world.spawn(make<Name>(1));
        const Entity dead = world.spawn(make<Position>(1));
        own.replace<Position>(e, make<Velocity>(7));
        own.replace<Burning>(e, make<Counted>(8));
        own.replace<Position>(dead, make<Counted>(9));
        own.replace<Position>(dead, make<Velocity>(9));
        world.despawn(dead);
        const stoa::FlushReport report = own.flush();
        CHECK((report.applied == 2 && report.skipped == 2));
        CHECK(world.components(e).size() == 1);
        own.replace<Name>(e, make<Counted>(8));  // never flushed
    }
    CHECK(Counted::ledger().alive == before);
}

TEST_CASE("a recorded replace stands between the edits before and after it") {
    World world;
    Commands& later = world.commands();
    const Entity e = later.spawn(make<Position>(1));
    later.set(e, make<Velocity>(2));
    later.replace<Velocity>(e, make<Name>(3));
    later.set(e, make<Velocity>(4));
    later.remove<Position>(e);
    later.replace<Position>(e, make<Wide>(5));  // too late
    later.replace<Velocity>(e, make<Counted>(6));
    later.add<Red>(e);
    CHECK(world.flush().applied == 8);
    CHECK((world.has<Name, Counted, Red>(e) && world.components(e).size() == 3));
    CHECK(read(world.get<const Counted>(e)) == 6);
    later.replace<Red>(e, Blue{});
    later.set(e, make<Name>(7));
    later.despawn(e);
    CHECK(world.flush().applied == 3);
    CHECK_FALSE(world.alive(e));
    world.check();
}

TEST_CASE("observers hear of a recorded replace once, and a throwing one leaves it") {
    World world;
    const Entity e = world.spawn(make<Name>(3));
    int told = 0;
    const auto thrower = world.query<const Note>().on_enter([&] {
        ++told;
        throw std::runtime_error("callback");
    });
    world.commands().replace<Name>(e, make<Note>(4));
    CHECK_THROWS_AS(world.flush(), std::runtime_error);
    CHECK((told == 1 && world.has<Note>(e) && !world.has<Name>(e)));
    world.check();
}
