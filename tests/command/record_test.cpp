// The verbs of Commands, one by one: what is recorded, when it happens, what the report says.
#include "../base/thrown.hpp"
#include "../support/components.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <utility>
#include <vector>

using namespace stoa_test;
using api_test::throws;
using stoa::Commands;
using stoa::Entity;
using stoa::Errc;
using stoa::FlushReport;
using stoa::World;

TEST_SUITE("commands") {
    TEST_CASE("a recorded spawn is dead until the flush and alive after it") {
        World world;
        const Entity e = world.commands().spawn(Position{1, 2}, Red{});
        CHECK(e);
        CHECK_FALSE(world.alive(e));
        CHECK_FALSE(world.has<Position>(e));
        CHECK_FALSE(world.despawn(e));
        CHECK_FALSE(world.add<Velocity>(e));
        CHECK_FALSE(world.remove<Position>(e));
        CHECK(throws(Errc::dead_entity, [&] { world.set(e, Velocity{}); }));
        CHECK(throws(Errc::dead_entity, [&] { world.get<Position>(e); }));
        CHECK(throws(Errc::dead_entity, [&] { world.clone(e); }));
        CHECK(world.find<Position>(e) == nullptr);
        CHECK(world.size() == 0);
        CHECK(world.query<>().count() == 0);
        world.check();
        CHECK(world.flush() == FlushReport{1, 0});
        CHECK(world.alive(e));
        CHECK(world.get<const Position>(e).y == 2);
        CHECK(world.has<Red>(e));
        CHECK(world.size() == 1);
        world.check();
    }

    TEST_CASE("spawn by type makes defaults, spawn() an empty entity") {
        World world;
        Commands& later = world.commands();
        const Entity a = later.spawn<Position, Velocity, Burning>();
        const Entity b = later.spawn();
        CHECK(world.flush() == FlushReport{2, 0});
        CHECK(world.has<Position, Velocity, Burning>(a));
        CHECK(world.get<const Position>(a).x == 0);
        CHECK(world.alive(b));
        CHECK(world.components(b).empty());
    }

    TEST_CASE("an initializer runs at the flush, with the structure locked, and may take the entity first") {
        World world;
        Commands& later = world.commands();
        bool ran = false;
        const Entity a = later.spawn<Position, Red, Name, Burning>([&](Position& p, Name& n, Burning& b) {
            ran = true;
            p.x = 7;
            n.text = "seven";
            b.heat = 3;
            CHECK(throws(Errc::locked, [&] { world.spawn(); }));
            CHECK(throws(Errc::locked, [&] { world.flush(); }));
        });
        Entity seen;
        const Entity b = later.spawn<Position>([&](Entity e, Position& p) {
            seen = e;
            p.y = 1;
        });
        const Entity c = later.spawn<Red>([&](Entity e) { CHECK(e.index() == 2); });
        CHECK_FALSE(ran);
        CHECK(world.flush() == FlushReport{3, 0});
        CHECK(world.get<const Position>(a).x == 7);
        CHECK(world.get<const Name>(a).text == "seven");
        CHECK(world.get<const Burning>(a).heat == 3);
        CHECK(seen == b);
        CHECK(world.get<const Position>(b).y == 1);
        CHECK(world.has<Red>(c));
        world.check();
    }

    TEST_CASE("edits happen at the flush, in recorded order") {
        World world;
        const Entity e = world.spawn(Position{1, 1}, Velocity{});
        Commands& later = world.commands();
        later.set(e, Position{2, 2});
        later.add<Name, Position>(e);
        later.remove<Velocity>(e);
        later.set(e, Position{3, 3}, Red{});
        CHECK(later.size() == 4);
        CHECK(world.get<const Position>(e).x == 1);
        CHECK(world.has<Velocity>(e));
        CHECK(world.flush() == FlushReport{4, 0});
        CHECK(later.empty());
        CHECK(world.get<const Position>(e).x == 3);
        CHECK(world.has<Name, Red>(e));
        CHECK_FALSE(world.has<Velocity>(e));
        world.check();
    }

    TEST_CASE("a despawned entity is fully alive until the flush") {
        World world;
        const Entity e = world.spawn(Position{});
        world.commands().despawn(e);
        CHECK(world.alive(e));
        CHECK(world.query<Position>().count() == 1);
        world.flush();
        CHECK_FALSE(world.alive(e));
    }

    TEST_CASE("the report counts commands: skipped are those whose entity was dead by then") {
        World world;
        const Entity alive = world.spawn(Position{});
        const Entity dead = world.spawn(Position{});
        world.despawn(dead);
        Commands& later = world.commands();
        later.despawn(dead);
        later.add<Red>(dead);
        later.set(dead, Name{"x"});
        later.remove<Position>(dead);
        later.remove<Velocity>(alive);  // absent: applied all the same
        later.add<Position>(alive);     // present: applied all the same
        later.despawn(Entity{});
        later.add<Red>(Entity::from_bits(0x7fffffffffffffff));
        later.despawn(alive);
        later.despawn(alive);
        later.set(alive, Position{});
        CHECK(world.flush() == FlushReport{3, 8});
        world.check();
    }

    TEST_CASE("a command on a despawned entity does not touch the one that has its slot now") {
        World world;
        const Entity old = world.spawn(Position{1, 1});
        Commands& later = world.commands();
        later.set(old, Position{9, 9});
        later.remove<Position>(old);
        later.despawn(old);
        world.despawn(old);
        const Entity young = world.spawn(Position{2, 2});
        REQUIRE(young.index() == old.index());
        CHECK(world.flush() == FlushReport{0, 3});
        CHECK(world.get<const Position>(young).x == 2);
    }

    TEST_CASE("run gets the world, unlocked, and takes callables that can only be moved") {
        World world;
        auto number = std::make_unique<int>(5);
        Entity made;
        world.commands().run([&made, number = std::move(number)](World& inside) mutable {
            made = inside.spawn(Position{*number, 0});
            number.reset();
        });
        World moved = std::move(world);
        CHECK(moved.flush() == FlushReport{1, 0});
        CHECK(moved.get<const Position>(made).x == 5);
    }

    TEST_CASE("run is a barrier: it sees what stands before it and nothing of what stands behind it") {
        World world;
        const Entity e = world.spawn();
        Commands& later = world.commands();
        later.set(e, Position{1, 1});
        later.run([&](World& inside) {
            CHECK(inside.get<const Position>(e).x == 1);
            CHECK_FALSE(inside.has<Velocity>(e));
            inside.remove<Position>(e);
        });
        later.add<Position, Velocity>(e);
        CHECK(world.flush() == FlushReport{3, 0});
        CHECK(world.get<const Position>(e).x == 0);
    }

    TEST_CASE("an initializer is a barrier too") {
        World world;
        const Entity e = world.spawn();
        Commands& later = world.commands();
        later.set(e, Position{1, 1});
        later.spawn<Velocity>([&](Velocity&) {
            CHECK(world.has<Position>(e));
            CHECK_FALSE(world.has<Name>(e));
        });
        later.set(e, Name{"late"});
        CHECK(world.flush().applied == 3);
        CHECK(world.has<Name>(e));
    }

    TEST_CASE("commands can be recorded while the world is walked") {
        World world;
        for (int i = 0; i < 10; ++i) world.spawn(Position{i, 0});
        world.query<const Position>().each([&](Entity e, const Position& p) {
            if (p.x % 2 == 0)
                world.commands().despawn(e);
            else
                world.commands().add<Red>(e);
            world.commands().spawn(Velocity{});
        });
        CHECK(world.flush() == FlushReport{20, 0});
        CHECK(world.query<Position>().count() == 5);
        CHECK(world.query<Velocity>().count() == 10);
        CHECK(world.query<stoa::With<Position, Red>>().count() == 5);
        world.check();
    }

    TEST_CASE("a flush inside a walk throws and keeps the commands") {
        World world;
        const Entity e = world.spawn(Position{});
        Commands own{world};
        own.add<Red>(e);
        world.commands().add<Blue>(e);
        world.query<Position>().each([&](Position&) {
            CHECK(throws(Errc::locked, [&] { world.flush(); }));
            CHECK(throws(Errc::locked, [&] { world.end_frame(); }));
            CHECK(throws(Errc::locked, [&] { own.flush(); }));
        });
        CHECK(own.size() == 1);
        CHECK(world.commands().size() == 1);
        CHECK_FALSE(world.has_any<Red, Blue>(e));
        own.flush();
        world.flush();
        CHECK(world.has<Red, Blue>(e));
    }

    TEST_CASE("end_frame flushes") {
        World world;
        const Entity e = world.commands().spawn(Position{});
        world.end_frame();
        CHECK(world.alive(e));
        world.end_frame();
    }

    TEST_CASE("an empty flush does nothing and says so") {
        World world;
        CHECK(world.flush() == FlushReport{});
        Commands own{world};
        CHECK(own.flush() == FlushReport{});
        CHECK(own.empty());
    }

    TEST_CASE("a buffer of its own is not touched by the flush of the world, nor the other way round") {
        World world;
        Commands own{world};
        const Entity a = own.spawn(Position{});
        const Entity b = world.commands().spawn(Position{});
        CHECK(a != b);
        world.flush();
        CHECK_FALSE(world.alive(a));
        CHECK(world.alive(b));
        CHECK(own.flush() == FlushReport{1, 0});
        CHECK(world.alive(a));
        world.check();
    }

    TEST_CASE("clear drops what was recorded") {
        World world;
        Commands& later = world.commands();
        const Entity e = later.spawn(Name{"never"});
        later.run([](World&) { FAIL("must not run"); });
        later.clear();
        CHECK(later.empty());
        CHECK(world.flush() == FlushReport{});
        CHECK_FALSE(world.alive(e));
        world.check();
    }

    TEST_CASE("clearing the world keeps recorded commands: spawns still happen, the others find theirs dead") {
        World world;
        const Entity old = world.spawn(Position{});
        Commands& later = world.commands();
        const Entity made = later.spawn(Position{4, 4});
        later.set(old, Velocity{});
        later.set(made, Name{"made"});
        world.clear();
        CHECK(later.size() == 3);
        CHECK(world.flush() == FlushReport{2, 1});
        CHECK(world.size() == 1);
        CHECK(world.get<const Name>(made).text == "made");
        world.check();
    }

    TEST_CASE("a buffer can be moved, and the source stays an empty buffer of the world") {
        World world;
        Commands first{world};
        const Entity a = first.spawn(Name{"a"});
        Commands second = std::move(first);
        CHECK(first.empty());
        CHECK(second.size() == 1);
        const Entity b = first.spawn(Name{"b"});
        Commands third{world};
        const Entity lost = third.spawn(Name{"lost"});
        third = std::move(second);
        CHECK(third.flush() == FlushReport{1, 0});
        CHECK(world.alive(a));
        CHECK_FALSE(world.alive(b));
        CHECK_FALSE(world.alive(lost));
        first.flush();
        CHECK(world.alive(b));
        CHECK(world.get<const Name>(b).text == "b");
        world.check();
    }

    TEST_CASE("a buffer that is moved to a buffer of another world takes its world along") {
        World one;
        World two;
        Commands buffer{one};
        buffer.spawn(Position{});
        Commands other{two};
        const Entity e = other.spawn(Position{3, 3});
        buffer = std::move(other);
        CHECK(buffer.flush().applied == 1);
        CHECK(one.size() == 0);
        CHECK(two.get<const Position>(e).x == 3);
        one.check();
        two.check();
    }

    TEST_CASE("the buffer of a world follows it when it moves") {
        World world;
        Commands& later = world.commands();
        const Entity e = later.spawn(Position{});
        World moved = std::move(world);
        CHECK(&moved.commands() == &later);
        later.set(e, Name{"here"});
        CHECK(moved.flush().applied == 2);
        CHECK(moved.has<Name>(e));
        CHECK(throws(Errc::world_gone, [&] { world.commands(); }));
        CHECK(throws(Errc::world_gone, [&] { world.flush(); }));
        CHECK(throws(Errc::world_gone, [&] { world.end_frame(); }));
        CHECK(throws(Errc::world_gone, [&] { Commands own{world}; }));
    }

    TEST_CASE("a buffer that outlives its world says so, and destroys what it holds") {
        Counted::ledger().reset();
        {
            auto world = std::make_unique<World>();
            Commands own{*world};
            own.spawn(Counted{1});
            own.set(Entity{}, Counted{2});
            world.reset();
            CHECK(throws(Errc::world_gone, [&] { own.flush(); }));
            CHECK(throws(Errc::world_gone, [&] { own.spawn(); }));
            CHECK(throws(Errc::world_gone, [&] { own.spawn(Counted{3}); }));
            CHECK(throws(Errc::world_gone, [&] { own.despawn(Entity{}); }));
            CHECK(throws(Errc::world_gone, [&] { own.add<Red>(Entity{}); }));
            CHECK(throws(Errc::world_gone, [&] { own.set(Entity{}, Red{}); }));
            CHECK(throws(Errc::world_gone, [&] { own.remove<Red>(Entity{}); }));
            CHECK(throws(Errc::world_gone, [&] { own.run([](World&) {}); }));
            CHECK(throws(Errc::world_gone, [&] { own.spawn<Red>([] {}); }));
            Commands moved = std::move(own);
            CHECK(moved.size() == 2);
        }
        CHECK(Counted::ledger().alive == 0);
        CHECK(Counted::ledger().wrong == 0);
    }

    TEST_CASE("many edits of one entity cost one move") {
        World world;
        const Entity e = world.spawn(Counted{1}, Velocity{});
        const Entity other = world.spawn(Velocity{});
        Commands& later = world.commands();
        const std::uint64_t before = Counted::ledger().moved;
        later.set(e, Position{1, 1});
        later.set(other, Name{"between"});
        later.add<Red, Blue>(e);
        later.remove<Velocity>(e);
        later.set(e, Name{"n"}, Position{2, 2});
        CHECK(world.flush().applied == 5);
        CHECK(Counted::ledger().moved - before == 1);
        CHECK(world.get<const Position>(e).x == 2);
        CHECK(world.get<const Counted>(e).checked() == 1);
        world.check();
    }

    TEST_CASE("edits of an entity that the buffer spawns go into the spawn") {
        World world;
        Commands& later = world.commands();
        const Entity e = later.spawn(Position{1, 1});
        later.set(e, Velocity{2, 4});
        later.add<Red>(e);
        later.remove<Position>(e);
        later.set(e, Counted{3});
        const std::size_t tables = world.tables().size();
        CHECK(world.flush() == FlushReport{5, 0});
        CHECK(world.tables().size() == tables + 1);
        CHECK(world.has<Velocity, Red, Counted>(e));
        CHECK_FALSE(world.has<Position>(e));
        world.check();
    }

    TEST_CASE("what is spawned and despawned in one buffer never was, and its id is free again") {
        World world;
        Commands& later = world.commands();
        const Entity e = later.spawn(Position{});
        later.set(e, Velocity{});
        later.despawn(e);
        later.set(e, Name{"too late"});
        CHECK(world.flush() == FlushReport{3, 1});
        CHECK_FALSE(world.alive(e));
        world.check();
        const Entity next = world.spawn();
        CHECK(next.index() == e.index());
        CHECK(next.generation() == e.generation() + 1);
    }

    TEST_CASE("cleanup components set by a command keep a ghost when the next one despawns") {
        World world;
        const Entity e = world.spawn(Position{});
        Commands& later = world.commands();
        later.set(e, Grave{"here lies"});
        later.despawn(e);
        later.set(e, Position{});  // a ghost is dead for this
        CHECK(world.flush() == FlushReport{2, 1});
        CHECK_FALSE(world.alive(e));
        CHECK(world.get<const Grave>(e).text == "here lies");
        later.remove<Position>(e);
        later.remove<Grave>(e);  // the last one: the ghost ends
        later.remove<Grave>(e);
        CHECK(world.flush() == FlushReport{1, 2});
        CHECK_FALSE(world.has<Grave>(e));
        world.check();
    }

    TEST_CASE("removing a cleanup component before a despawn leaves no ghost") {
        World world;
        const Entity e = world.spawn(Grave{"x"});
        world.commands().remove<Grave>(e);
        world.commands().despawn(e);
        CHECK(world.flush() == FlushReport{2, 0});
        CHECK_FALSE(world.has<Grave>(e));
        CHECK(world.spawn().index() == e.index());
    }

    TEST_CASE("a pooled component that comes and goes in one flush is recycled, as one by one") {
        World world;
        const Entity e = world.spawn();
        Bag full;
        full.items.assign(1000, 1);
        Commands& later = world.commands();
        later.set(e, std::move(full));
        later.remove<Bag>(e);
        later.add<Red>(e);
        world.flush();
        const Entity next = world.spawn<Bag>();
        CHECK(world.get<const Bag>(next).items.empty());
        CHECK(world.get<const Bag>(next).items.capacity() >= 1000);
    }

    TEST_CASE("remove and add again gives a fresh value") {
        World world;
        const Entity e = world.spawn(Position{5, 5}, Name{"old"});
        Commands& later = world.commands();
        later.remove<Position>(e);
        later.add<Position>(e);
        later.remove<Name>(e);
        later.set(e, Name{"new"});
        CHECK(world.flush().applied == 4);
        CHECK(world.get<const Position>(e).x == 0);
        CHECK(world.get<const Name>(e).text == "new");
    }
}
