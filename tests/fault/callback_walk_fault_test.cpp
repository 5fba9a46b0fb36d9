// Callbacks that throw while the world is only read or written, not changed in structure: bodies of walks,
// initializers, comparisons of caches, functions, hashes and comparisons of keys. The throw ends the operation, the
// structure is not locked any more, and the next call gives what it gives in a world without faults.
#include "callback_loop.hpp"
#include "callback_scene.hpp"

#include "../support/values.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

using namespace stoa_test;
using stoa::Entity;
using stoa::World;

namespace {

struct Team {
    int number = 0;
};

// A key whose hash and comparisons may throw.
struct Rank {
    int number = 0;

    friend bool operator==(const Rank& a, const Rank& b) {
        CallbackFaults::spend();
        return a.number == b.number;
    }
    friend bool operator<(const Rank& a, const Rank& b) {
        CallbackFaults::spend();
        return a.number < b.number;
    }
};

// A key that a function reads, which may throw.
constexpr int side_of(const Team& team) {
    if (!std::is_constant_evaluated()) {
        CallbackFaults::spend();
    }
    return team.number;
}

}  // namespace

template <>
struct std::hash<Rank> {
    std::size_t operator()(const Rank& rank) const {
        CallbackFaults::spend();
        return static_cast<std::size_t>(rank.number % 3);
    }
};

namespace {

struct Soldier {
    Rank rank;
};

// Walks a scene in one way; the body spends a fault for each call.
using WalkVerb = void (*)(World&);

const std::vector<WalkVerb> walks{
    [](World& w) { w.query<Position>().each([](Position&) { CallbackFaults::spend(); }); },
    [](World& w) { w.query<Position>().each([](Entity, Position&) { CallbackFaults::spend(); }); },
    [](World& w) { w.query<const Counted>().each([](stoa::EntityRef, const Counted&) { CallbackFaults::spend(); }); },
    [](World& w) { w.query<SparseCounted>().each([](SparseCounted&) { CallbackFaults::spend(); }); },
    [](World& w) {
        w.query<stoa::Mut<Position>>().each([](stoa::Mut<Position> p) { p.write().x = 1, CallbackFaults::spend(); });
    },
    [](World& w) {
        w.query<Position>().each_until([](Position&) {
            CallbackFaults::spend();
            return false;
        });
    },
    [](World& w) { w.query<Position>().each_chunk([](std::span<Position>) { CallbackFaults::spend(); }); },
    [](World& w) { w.query<>().each_table([](auto&) { CallbackFaults::spend(); }); },
    [](World& w) {
        for ([[maybe_unused]] auto row : w.query<Position>()) CallbackFaults::spend();
    },
    [](World& w) { w.query<const Name>().ordered().each([](const Name&) { CallbackFaults::spend(); }); },
    [](World& w) { w.query<const Name>().reversed().each([](const Name&) { CallbackFaults::spend(); }); },
    [](World& w) {
        w.query<>().each([&](Entity e) { w.query<Position>().fetch(e, [](Position&) { CallbackFaults::spend(); }); });
    },
    [](World& w) { w.table<Position, Velocity>().each([](Position&, Velocity&) { CallbackFaults::spend(); }); },
    [](World& w) {
        w.set_resource(Gate{1});
        const auto family = w.query<const Position, stoa::Needs<Gate>>();
        family.setup(
            [&](Gate&) { CallbackFaults::spend(), family.each([](const Position&) { CallbackFaults::spend(); }); });
    },
    [](World& w) { w.query<const Position>().cache().each([](const Position&) { CallbackFaults::spend(); }); },
};

}  // namespace

TEST_SUITE("faults in callbacks") {
    TEST_CASE("a walk whose body throws unlocks the structure and leaves the world whole") {
        std::uint64_t points = 0;
        for (std::size_t i = 0; i < walks.size(); ++i) {
            CAPTURE(i);
            points += loop_callbacks([&](std::uint64_t nth) {
                Scene scene = make_scene({.name = "crowd of 3", .crowd = 3});
                const bool fired = throws_at(nth, [&] { walks[i](scene.world); });
                scene.world.check();
                CHECK_NOTHROW(scene.world.spawn(make<Counted>(1)));
                CHECK_NOTHROW(walks[i](scene.world));
                scene.world.check();
                return fired;
            });
        }
        CHECK(points >= 60);
    }

    TEST_CASE("a walk of changes whose body throws has seen them, and the next one sees what came since") {
        loop_callbacks([&](std::uint64_t nth) {
            World world;
            std::vector<Entity> ids(200);
            world.spawn_many(std::span{ids}, Team{});
            const auto changed = world.query<Team, stoa::Changed<Team>>();
            std::size_t seen = 0;
            const bool fired = throws_at(nth, [&] { changed.each([&](Team&) { CallbackFaults::spend(), ++seen; }); });
            CHECK(seen == (fired ? nth : ids.size()));
            world.get<Team>(ids[150]).number = 1;
            std::vector<Entity> again;
            changed.collect(again);
            CHECK(again == std::vector<Entity>{ids[150]});
            return fired && nth < 100;
        });
    }

    TEST_CASE("an initializer that throws has spawned nothing") {
        loop_callbacks([&](std::uint64_t nth) {
            Scene scene = make_scene({.name = "fresh"});
            const std::size_t before = scene.world.size();
            auto table = scene.world.table<Counted, Name>();
            std::size_t made = 0;
            const bool fired = throws_at(nth, [&] {
                for (int i = 0; i < 10; ++i, ++made) {
                    table.spawn([](Counted& a, Name& b) { a.value = 1, b.text = "named", CallbackFaults::spend(); });
                }
            });
            CHECK(scene.world.size() == before + made);
            CHECK(table.size() == made);
            scene.world.check();
            return fired;
        });
    }

    TEST_CASE("a cache whose comparison throws gives its list at the next read") {
        const std::uint64_t points = loop_callbacks([&](std::uint64_t nth) {
            World world;
            std::vector<Entity> ids(12);
            world.spawn_many(std::span{ids}, Team{});
            auto cache = world.query<Team>().cache<Team>([](const Team& a, const Team& b) {
                CallbackFaults::spend();
                return a.number < b.number;
            });
            for (std::size_t i = 0; i < ids.size(); ++i) world.get<Team>(ids[i]).number = static_cast<int>(i * 5 % 12);
            const bool first = throws_at(nth, [&] { static_cast<void>(cache.size()); });
            world.despawn(ids[3]);
            world.get<Team>(ids[4]).number = 40;
            ids.push_back(world.spawn(Team{-1}));
            const bool second = throws_at(nth, [&] { cache.each([](Team&) {}); });
            std::vector<Entity> listed;
            cache.collect(listed);
            CHECK(listed.size() == 12);
            CHECK(std::is_sorted(listed.begin(), listed.end(), [&](Entity a, Entity b) {
                return world.get<const Team>(a).number < world.get<const Team>(b).number;
            }));
            world.check();
            return first || second;
        });
        CHECK(points >= 20);
    }

    TEST_CASE("an index whose key function, hash or comparison throws answers right at the next question") {
        const std::uint64_t points = loop_callbacks([&](std::uint64_t nth) {
            World world;
            stoa::HashIndex<side_of> by_side{world};
            stoa::HashIndex<&Soldier::rank> by_rank{world};
            stoa::OrderedIndex<&Soldier::rank> in_order{world};
            std::vector<Entity> ids;
            for (int i = 0; i < 9; ++i) ids.push_back(world.spawn(Team{i % 2}, Soldier{{i % 4}}));
            std::size_t found = 0;
            bool fired = throws_at(nth, [&] {
                found += by_side.count(1) + by_rank.count(Rank{2}) + in_order.count(Rank{2});
                by_side.each(0, [](Entity) { CallbackFaults::spend(); });
            });
            world.despawn(ids[0]);
            for (const Entity entity : {ids[1], ids[5]}) world.set(entity, Team{7}, Soldier{{9}});
            fired |= throws_at(nth, [&] {
                world.query<Team>().where(by_side == 7, in_order >= Rank{3}).each([](Team&) {
                    CallbackFaults::spend();
                });
                found += world.query<Team>().where(by_rank == Rank{9}).count();
            });
            CHECK(by_side.count(7) == 2);
            CHECK(by_rank.count(Rank{9}) == 2);
            CHECK(in_order.count(Rank{9}) == 2);
            CHECK(by_side.count(0) + by_side.count(1) == 6);
            CHECK(world.query<>().where(in_order >= Rank{0}).count() == 8);
            CHECK(world.query<>().where(by_side == 7, by_rank == Rank{9}).count() == 2);
            world.spawn();
            world.check();
            return fired;
        });
        CHECK(points >= 60);
    }
}
