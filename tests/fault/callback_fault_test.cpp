// Callbacks that throw. A signal that throws has come too late to stop the change: the change stands, and everything is
// as if the signal had not thrown, but for those who were to be told after it. A callback that is part of the operation
// itself (an initializer, a recorded callable, the body of a walk) stops it. Either way nothing leaks, nothing ends
// twice, no id is in use twice, and the world works on.
#include "callback_loop.hpp"
#include "callback_scene.hpp"

#include "../support/snapshot.hpp"
#include "../support/values.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <vector>

using namespace stoa_test;
using stoa::Commands;
using stoa::Entity;
using stoa::World;

namespace {

const std::vector<SceneSettings>& scenes() {
    static const std::vector<SceneSettings> some{
        {.name = "fresh"},
        {.name = "with holes and spares in the pools", .holes = 12, .pooled_spares = true},
        {.name = "crowd of 7, warmed", .crowd = 7, .warmed = true},
    };
    return some;
}

using Verb = std::function<void(Scene&)>;

// A verb that a throwing signal leaves done: the world must be as without the throw, for every n.
std::uint64_t sweep_signals(const char* name, const Verb& verb) {
    CAPTURE(name);
    std::uint64_t points = 0;
    for (const SceneSettings& settings : scenes()) {
        CAPTURE(settings.name);
        Snapshot after;
        {
            ToldScene told(settings);
            verb(told.scene);
            after = take_snapshot(told.scene.world, told.scene.indices);
        }
        points += loop_callbacks([&](std::uint64_t nth) {
            ToldScene told(settings);
            const bool fired = throws_at(nth, [&] { verb(told.scene); });
            const Snapshot now = take_snapshot(told.scene.world, told.scene.indices);
            CHECK(difference(after, now) == "");
            told.check_and_fill();
            return fired;
        });
    }
    return points;
}

// A verb that does the same to many entities, one after the other: each is changed wholly or not at all.
std::uint64_t sweep_bulk(const char* name, const Verb& verb) {
    CAPTURE(name);
    std::uint64_t points = 0;
    for (const SceneSettings& settings : scenes()) {
        CAPTURE(settings.name);
        points += loop_callbacks([&](std::uint64_t nth) {
            ToldScene told(settings);
            const bool fired = throws_at(nth, [&] { verb(told.scene); });
            told.check();
            CHECK_NOTHROW(verb(told.scene));
            told.check_and_fill();
            return fired;
        });
    }
    return points;
}

// A component whose constructor runs what a test wants.
struct WithCode {
    WithCode() {
        if (inside) {
            inside();
        }
    }
    static inline std::function<void()> inside;
};

using Step = void (*)(Scene&, Commands&);

// One command each. Spawns come first, so that the ids are the same whether the steps are flushed one by one or
// together.
const std::vector<Step> steps{
    [](Scene&, Commands& c) { c.spawn(make<Position>(1)); },
    [](Scene&, Commands& c) { c.spawn(make<Counted>(2), make<SparseCounted>(3), make<Name>(4)); },
    [](Scene&, Commands& c) { c.spawn<Counted, Clumsy, PooledCounted>(); },
    [](Scene&, Commands& c) {
        c.spawn<Counted, Note>(
            [kept = make<Counted>(5)](Counted& a, Note&) { CallbackFaults::spend(), a.value = kept.checked(); });
    },
    [](Scene& s, Commands& c) { c.set(s.empty, make<SparseCounted>(6)); },
    [](Scene& s, Commands& c) { c.set(s.plain, make<Counted>(7), make<Name>(8)); },
    [](Scene& s, Commands& c) { c.set(s.plain, make<Clumsy>(9), make<Position>(10)); },
    [](Scene& s, Commands& c) {
        c.run([kept = make<Counted>(11), e = s.empty](World& w) {
            w.set(e, make<Position>(12)), CallbackFaults::spend(), kept.checked();
        });
    },
    [](Scene& s, Commands& c) { c.add<Counted, Pinned, Red>(s.empty); },
    [](Scene& s, Commands& c) { c.set(s.empty, make<Velocity>(13)); },
    [](Scene& s, Commands& c) { c.set(s.empty, Blue{}); },
    [](Scene& s, Commands& c) { c.remove<Counted, SparseCounted>(s.rich); },
    [](Scene& s, Commands& c) { c.despawn(s.marked); },
    [](Scene& s, Commands& c) { c.remove<Grave>(s.ghost); },
    [](Scene& s, Commands& c) { c.set(s.dead, make<Counted>(14)); },
    [](Scene& s, Commands& c) { c.despawn(s.stuck); },
};

// The world after each number of commands. A recorded callable that throws has done what it did before: it counts as a
// state of its own.
std::vector<Snapshot> states_between(const SceneSettings& settings) {
    std::vector<Snapshot> all;
    ToldScene told(settings);
    all.push_back(take_snapshot(told.scene.world, told.scene.indices));
    for (const Step step : steps) {
        Commands one{told.scene.world};
        step(told.scene, one);
        one.flush();
        all.push_back(take_snapshot(told.scene.world, told.scene.indices));
    }
    return all;
}

}  // namespace

TEST_SUITE("faults in callbacks") {
    TEST_CASE("a signal that throws during a flush: the entity stands, and its id is not handed out again") {
        struct A {
            int value = 0;
        };
        World world;
        const auto enter = world.query<A>().on_enter([] { throw PlannedFault{}; });
        const Entity made = world.commands().spawn(A{1});
        CHECK_THROWS_AS(world.flush(), PlannedFault);
        CHECK(world.alive(made));
        CHECK_NOTHROW(world.check());
        for (int i = 0; i < 3; ++i) {
            CHECK(world.spawn() != made);
        }
        CHECK_NOTHROW(world.check());
    }

    TEST_CASE("a signal that throws during a flush: a recorded value is destroyed once") {
        const std::int64_t before = watched_objects();
        {
            World world;
            const Entity entity = world.spawn();
            const auto enter = world.query<SparseCounted>().on_enter([] { throw PlannedFault{}; });
            world.commands().set(entity, make<SparseCounted>(3));
            CHECK_THROWS_AS(world.flush(), PlannedFault);
            CHECK(world.get<const SparseCounted>(entity).checked() == 3);
        }
        CHECK(watched_objects() == before);
    }

    TEST_CASE("a signal that throws in the last command of a flush: what callbacks have recorded is dropped") {
        World world;
        int ran = 0;
        const auto enter = world.query<Position>().on_enter([&] {
            world.commands().run([&](World&) { ++ran; });
            throw PlannedFault{};
        });
        world.commands().spawn(make<Position>(1));
        CHECK_THROWS_AS(world.flush(), PlannedFault);
        CHECK(world.commands().empty());
        world.flush();
        CHECK(ran == 0);
        CHECK(world.size() == 1);
    }

    TEST_CASE("a subscription made by a constructor in a flush is told of the commands after it, one by one") {
        World world;
        const Entity entity = world.spawn();
        std::vector<stoa::Subscription> subscriptions;
        int told = 0;
        WithCode::inside = [&] {
            if (!subscriptions.empty()) return;
            subscriptions.push_back(world.query<Red>().on_enter([&] { ++told; }));
            subscriptions.push_back(world.query<Red>().on_leave([&] { ++told; }));
        };
        Commands& later = world.commands();
        later.add<WithCode>(entity);
        later.add<Blue>(entity);
        const Entity other = later.spawn(make<Position>(1));
        later.add<Red>(other);
        later.remove<Red>(other);
        later.add<Blue>(other);
        world.flush();
        WithCode::inside = nullptr;
        CHECK(told == 2);
        world.check();
    }

    TEST_CASE("a cache made by a constructor of a folded command follows that command") {
        World world;
        const Entity entity = world.spawn(make<Position>(1));
        std::vector<stoa::Cache<const Position, stoa::Without<Red>>> caches;
        WithCode::inside = [&] {
            if (caches.empty()) caches.push_back(world.query<const Position, stoa::Without<Red>>().cache());
            CHECK(caches[0].size() == 1);
        };
        Commands& later = world.commands();
        later.add<WithCode>(entity);
        later.add<Red>(entity);
        world.flush();
        WithCode::inside = nullptr;
        REQUIRE(caches.size() == 1);
        CHECK(caches[0].size() == 0);
        world.check();
    }

    TEST_CASE("the change stands when a signal throws, whatever the verb") {
        std::uint64_t points = 0;
        const auto sweep = [&](const char* name, const Verb& verb) { points += sweep_signals(name, verb); };
        sweep("spawn of bytes", [](Scene& s) { s.world.spawn(make<Position>(1)); });
        sweep("spawn", [](Scene& s) {
            s.world.spawn(make<Position>(1), make<Counted>(2), make<SparseCounted>(3), make<Note>(4));
        });
        sweep("spawn by type", [](Scene& s) { s.world.spawn<Counted, Clumsy, Pinned, PooledCounted>(); });
        sweep("spawn_many",
              [](Scene& s) { s.world.spawn_many(9, make<Position>(1), make<Counted>(2), make<SparseCounted>(3)); });
        sweep("spawn_columns", [](Scene& s) {
            std::vector<Entity> ids(5);
            const std::vector<Position> positions(5);
            const std::vector<Name> names(5, make<Name>(3));
            s.world.spawn_columns(std::span{ids}, std::span{positions}, std::span{names});
        });
        sweep("spawn in a table",
              [](Scene& s) { s.world.table<Position, Counted>().spawn(make<Position>(1), make<Counted>(2)); });
        sweep("spawn of a prefab", [](Scene& s) {
            stoa::Prefab{s.world, make<Position>(1), make<Counted>(2)}.spawn(make<SparseCounted>(3));
        });
        sweep("spawn_many of a prefab", [](Scene& s) {
            stoa::Prefab{s.world, make<Counted>(2), make<Note>(3)}.spawn_many(4);
        });
        sweep("clone", [](Scene& s) { s.world.clone(s.rich); });
        sweep("copy", [](Scene& s) { s.world.copy(s.rich, s.plain); });
        sweep("set of bytes", [](Scene& s) { s.world.set(s.empty, make<Position>(1)); });
        sweep("set", [](Scene& s) {
            s.world.set(s.empty, make<Position>(1), make<Counted>(2), make<SparseCounted>(3), make<Name>(4));
        });
        sweep("set of a sparse value", [](Scene& s) { s.world.set(s.plain, make<SparseCounted>(3)); });
        sweep("set of a value that moves badly", [](Scene& s) { s.world.set(s.plain, make<Clumsy>(3)); });
        sweep("emplace", [](Scene& s) { s.world.emplace<Counted>(s.plain, 5); });
        sweep("emplace of a sparse value",
              [](Scene& s) { s.world.emplace<Pinned>(s.plain, 5), s.world.emplace<SparseCounted>(s.plain, 6); });
        sweep("add", [](Scene& s) { s.world.add<Counted, Red, PooledCounted, Flag>(s.plain); });
        sweep("add of a sparse value", [](Scene& s) { s.world.add<SparseCounted>(s.plain); });
        sweep("add through a ref", [](Scene& s) { s.world.entity(s.plain).add<Counted>(); });
        sweep("remove", [](Scene& s) { s.world.remove<Position, Counted, SparseCounted>(s.rich); });
        sweep("remove of a tag", [](Scene& s) { s.world.remove<Red>(s.rich); });
        sweep("remove of a sparse value", [](Scene& s) { s.world.remove<SparseCounted>(s.rich); });
        sweep("remove_all", [](Scene& s) { s.world.remove_all(s.rich); });
        sweep("despawn", [](Scene& s) { s.world.despawn(s.rich); });
        sweep("despawn of a pinned value", [](Scene& s) { s.world.despawn(s.stuck); });
        sweep("despawn to a ghost", [](Scene& s) { s.world.despawn(s.marked); });
        sweep("clear", [](Scene& s) { s.world.clear(); });
        sweep("set_resource", [](Scene& s) {
            s.world.set_resource(Gate{1});
            CHECK(s.world.has_resource<Gate>());
        });
        CHECK(points >= 250);
    }

    TEST_CASE("a resource that is removed is gone when a signal throws") {
        for (const SceneSettings& settings : scenes()) {
            loop_callbacks([&](std::uint64_t nth) {
                ToldScene told(settings);
                told.scene.world.set_resource(Gate{1});
                const bool fired = throws_at(nth, [&] { told.scene.world.remove_resource<Gate>(); });
                CHECK_FALSE(told.scene.world.has_resource<Gate>());
                CHECK_NOTHROW(told.scene.world.set_resource(Gate{2}));
                told.check();
                return fired;
            });
        }
    }

    TEST_CASE("bulk changes: each entity wholly or not at all when a signal throws") {
        std::uint64_t points = 0;
        const auto sweep = [&](const char* name, const Verb& verb) { points += sweep_bulk(name, verb); };
        sweep("despawn_all", [](Scene& s) { s.world.query<Position>().despawn_all(); });
        sweep("despawn_all of everything", [](Scene& s) { s.world.query<>().despawn_all(); });
        sweep("add_all of a tag", [](Scene& s) { s.world.query<Position>().add_all<Red>(); });
        sweep("add_all", [](Scene& s) { s.world.query<Position>().add_all<Counted, SparseCounted>(); });
        sweep("set_all", [](Scene& s) { s.world.query<Position>().set_all(make<Counted>(5), make<Velocity>(6)); });
        sweep("remove_all", [](Scene& s) { s.world.query<Position>().remove_all<Position, Name, SparseCounted>(); });
        CHECK(points >= 60);
    }

    TEST_CASE("a flush: the commands before the throw stand, the rest are destroyed, and every id is in use once") {
        std::uint64_t points = 0;
        for (const SceneSettings& settings : scenes()) {
            CAPTURE(settings.name);
            const std::vector<Snapshot> expected = states_between(settings);
            points += loop_callbacks([&](std::uint64_t nth) {
                ToldScene told(settings);
                Commands own{told.scene.world};
                for (const Step step : steps) {
                    step(told.scene, own);
                }
                const bool fired = throws_at(nth, [&] { own.flush(); });
                CHECK(own.empty());
                const Snapshot now = take_snapshot(told.scene.world, told.scene.indices);
                const bool known = std::find(expected.begin(), expected.end(), now) != expected.end();
                CHECK_MESSAGE(known, "the world is not what some of the commands, in order, make of it");
                CHECK((fired || now == expected.back()));
                told.check();
                for (const Step step : steps) {
                    step(told.scene, own);
                }
                CHECK_NOTHROW(own.flush());
                told.check_and_fill();
                return fired;
            });
        }
        CHECK(points >= 60);
    }

    TEST_CASE("several buffers: one that throws loses its own rest, and the others are whole") {
        const std::uint64_t points = loop_callbacks([&](std::uint64_t nth) {
            ToldScene told({.name = "fresh"});
            World& world = told.scene.world;
            Commands first{world};
            Commands second{world};
            // Dealt out in turns, so that the ids of the buffers lie between each other.
            for (std::size_t i = 0; i < steps.size(); ++i) {
                Commands& to = i % 3 == 0 ? world.commands() : i % 3 == 1 ? first : second;
                steps[i](told.scene, to);
            }
            bool fired = false;
            {
                const CallbackFaults faults(nth);
                int thrown = 0;
                thrown += throws([&] { first.flush(); });
                thrown += throws([&] { world.flush(); });
                thrown += throws([&] { second.flush(); });
                fired = faults.fired();
                CHECK(thrown == (fired ? 1 : 0));
            }
            CHECK((first.empty() && second.empty() && world.commands().empty()));
            told.check();
            for (const Step step : steps) {
                step(told.scene, second);
            }
            CHECK_NOTHROW(second.flush());
            told.check_and_fill();
            return fired;
        });
        CHECK(points >= 15);
    }
}
