// Guards replace_all: how many entities had the first component, and that every entity is afterwards what replace makes
// of it, whatever its components are made of and however its rows fall into chunks.
#include <doctest/doctest.h>

#include <cstddef>
#include <stoa/stoa.hpp>
#include <vector>

#include "support/components.hpp"
#include "support/fault_allocator.hpp"
#include "support/matches.hpp"
#include "support/values.hpp"

using namespace stoa;
using namespace stoa_test;

namespace {

// Three tables: with A, with A and B, and with neither; each entity carries its number in a Score.
template <class A, class B>
struct Scene {
    World world;
    Entities with;
    Entities with_both;
    Entities without;

    explicit Scene(int rows) {
        for (int i = 0; i < rows; ++i) {
            with.push_back(world.spawn(make<Score>(i), make<Name>(i), make<A>(i)));
            with_both.push_back(world.spawn(make<Score>(i), make<A>(i), make<B>(1)));
            without.push_back(world.spawn(make<Score>(i)));
        }
    }
    std::size_t wrong(int number) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < with.size(); ++i) {
            for (const Entity e : {with[i], with_both[i]}) {
                const B* found = world.find<const B>(e);
                count += found == nullptr || (carries_number<B> && read(*found) != number) || world.has<A>(e);
                count += read(world.get<const Score>(e)) != static_cast<int>(i);
            }
            count += read(world.get<const Name>(with[i])) != static_cast<int>(i);
            count += world.components(without[i]).size() != 1;
        }
        world.check();
        return count;
    }
};

template <class A, class B>
void replaces_all() {
    for (const int rows : {0, 1, 5, 5000}) {
        CAPTURE(rows);
        Scene<A, B> scene(rows);
        auto all = scene.world.template query<const Score>();
        const auto expected = static_cast<std::size_t>(rows) * 2;
        CHECK(all.template replace_all<A>(make<B>(7)) == expected);
        CHECK(scene.wrong(7) == 0);
        CHECK(all.template replace_all<A>(make<B>(8)) == 0);
        CHECK(scene.wrong(7) == 0);
        CHECK(all.template replace_all<B>(make<A>(9)) == expected);
        CHECK(all.template replace_all<A>(make<B>(10)) == expected);
        CHECK(scene.wrong(10) == 0);
    }
}

}  // namespace

TEST_CASE("replace_all replaces in all matches, for each kind of component") {
    replaces_all<Position, Velocity>();
    replaces_all<Velocity, Position>();
    replaces_all<Red, Blue>();
    replaces_all<Blue, Red>();
    replaces_all<Red, Velocity>();
    replaces_all<Velocity, Red>();
    replaces_all<Bag, Velocity>();
    replaces_all<Counted, Red>();
    replaces_all<Wide, Bag>();
    replaces_all<Counted, Counted2>();
    replaces_all<Burning, Flag>();
    replaces_all<Note, Position>();
    replaces_all<Position, SparseCounted>();
    replaces_all<Grave, Haunted>();
}

TEST_CASE("replace_all of observed and tracked tables does the same") {
    Scene<Velocity, Position> scene(300);
    World& world = scene.world;
    std::size_t entered = 0;
    std::size_t left = 0;
    const auto enter = world.query<const Position>().on_enter([&] { ++entered; });
    const auto leave = world.query<const Velocity>().on_leave([&] { ++left; });
    auto changed = world.query<Changed<Position>>();
    auto scores = world.query<Changed<Score>>();
    changed.each([](Entity) {});
    scores.each([](Entity) {});
    CHECK(world.query<const Score>().replace_all<Velocity>(make<Position>(7)) == 600);
    CHECK(scene.wrong(7) == 0);
    CHECK(entered == 300);
    CHECK(left == 600);
    CHECK(changed.count() == 600);
    CHECK(scores.count() == 0);
}

TEST_CASE("chunks that change hands keep the ticks of their columns") {
    // Tags on both sides of a column, by their ids: those of Red and Blue are known before that of Wide, or after it.
    World world;
    static_cast<void>(world.component<Red>());
    static_cast<void>(world.component<Blue>());
    std::vector<Entity> ids(5000);
    world.spawn_many(ids, Wide{1}, Score{2}, Red{});
    auto wide = world.query<Changed<Wide>>();
    auto score = world.query<Changed<Score>>();
    auto blue = world.query<Added<Blue>>();
    wide.each([](Entity) {});
    score.each([](Entity) {});
    blue.each([](Entity) {});
    world.get<Score>(ids[17]).value = 3;
    CHECK(world.query<>().replace_all<Red>(Blue{}) == ids.size());
    CHECK(wide.count() == 0);
    CHECK(score.count() == 1);
    CHECK(blue.count() == ids.size());
    CHECK(world.query<>().replace_all<Blue>(Red{}) == ids.size());
    CHECK(wide.count() == 0);
    CHECK(score.count() == 1);
    world.check();
}

TEST_CASE("replace_all takes its value out of the world itself, and leaves out who does not match") {
    World world;
    std::vector<Entity> ids(100);
    world.spawn_many(ids, Position{1, -1}, Velocity{4, 8});
    for (std::size_t i = 0; i < ids.size(); i += 2) world.add<Red>(ids[i]);
    CHECK(world.query<const Position, Without<Red>>().replace_all<Position>(world.get<const Velocity>(ids[1])) == 50);
    HashIndex<&Position::x> by_x{world};
    CHECK(world.query<>().where(by_x == 1).replace_all<Position>(Wide{5}) == 50);
    CHECK(world.query<>().where(by_x == 1).replace_all<Position>(Wide{5}) == 0);
    CHECK(world.query<const Wide, With<Red>>().count() == 50);
    CHECK(world.query<const Position>().count() == 0);
    world.check();
}

TEST_CASE("replace_all is refused in a walk, and leaves ghosts alone") {
    World world;
    const Entity e = world.spawn(make<Grave>(3), Position{});
    world.despawn(e);
    CHECK(world.query<const Grave>().replace_all<Grave>(Velocity{}) == 0);
    CHECK(world.query<const Grave>().replace_all<Grave>(make<Name>(1)) == 0);
    CHECK(read(world.get<const Grave>(e)) == 3);
    world.spawn(Position{});
    auto query = world.query<const Position>();
    query.each([&](const Position&) {
        try {
            query.replace_all<Position>(Velocity{});
            FAIL("replace_all must be refused");
        } catch (const Error& error) {
            CHECK(error.code() == Errc::locked);
        }
    });
    CHECK(query.count() == 1);
}

TEST_CASE("replace_all without memory changes each entity wholly or not at all") {
    std::uint64_t faults = 0;
    for (const FaultMode mode : {FaultMode::once, FaultMode::persistent}) {
        for (std::uint64_t nth = 0;; ++nth) {
            CAPTURE(nth);
            Scene<Velocity, Wide> scene(600);
            auto all = scene.world.query<const Score>();
            bool failed = false;
            {
                const AllocationFaults fault{nth, mode};
                try {
                    all.replace_all<Velocity>(Wide{7});
                } catch (const std::bad_alloc&) {
                    failed = true;
                }
            }
            scene.world.check();
            const std::size_t left = scene.world.query<const Velocity>().count();
            REQUIRE((failed || left == 0));
            CHECK(all.replace_all<Velocity>(Wide{7}) == left);
            CHECK(scene.wrong(7) == 0);
            if (!failed) break;
            ++faults;
        }
    }
    CHECK(faults > 0);
}
