// Removed values: which removals keep them, how long they can be read, and which one is found. What destructors,
// observers and memory make of it is in removed_life_test.cpp.
#include <doctest/doctest.h>

#include <cstdint>
#include <stoa/stoa.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/thrown.hpp"
#include "support/components.hpp"
#include "support/type_list.hpp"
#include "support/values.hpp"

using namespace stoa;
using namespace stoa_test;
using api_test::throws;

namespace {

// Companions in a table: with the first it may be plain, with the second it is not.
struct Plain {
    int value = 0;
};
struct Text {
    std::string value;
};

// The number in the removed value, -1 when there is none.
template <class C>
int removed(const World& world, Entity e) {
    const C* value = world.find_removed<C>(e);
    return value != nullptr ? read(*value) : -1;
}

template <class C>
void put(World& world, Entity e, int number) {
    if constexpr (std::is_move_constructible_v<C>) {
        world.emplace<C>(e, make<C>(number));
    } else {
        world.emplace<C>(e, number);
    }
}

// Every way a component can go.
template <class C, class Companion>
void try_all_ways(World& world) {
    const int n = carries_number<C> ? 7 : 0;
    const bool stays = traits<C>.cleanup;
    const auto spawn = [&](int others) {
        const Entity e = world.spawn<Companion>();
        put<C>(world, e, 7);
        // Removal swaps rows: one that follows must not be taken for this one.
        for (int i = 0; i < others; ++i) put<C>(world, world.spawn<Companion>(), 8);
        CHECK(removed<C>(world, e) == -1);
        return e;
    };
    std::vector<Entity> all;
    const auto gone = [&](Entity e) {
        world.check();
        CHECK(!world.has<C>(e));
        CHECK(removed<C>(world, e) == n);
        all.push_back(e);
    };

    const Entity alone = spawn(0);
    CHECK(world.remove<C>(alone));
    gone(alone);
    const Entity among_others = spawn(2);
    CHECK(world.remove<C>(among_others));
    gone(among_others);
    const Entity both = spawn(1);
    CHECK(world.remove<Companion, C>(both));
    gone(both);

    const Entity despawned = spawn(2);
    CHECK(world.despawn(despawned));
    CHECK(removed<C>(world, despawned) == (stays ? -1 : n));
    if (stays) CHECK(world.remove<C>(despawned));  // which ends the ghost
    gone(despawned);

    const Entity stripped = spawn(1);
    CHECK(world.remove_all(stripped));
    CHECK(removed<C>(world, stripped) == (stays ? -1 : n));

    const Entity cleared = spawn(3);
    const Entity ghost = spawn(1);
    world.despawn(ghost);
    world.clear();
    gone(cleared);
    gone(ghost);

    const std::vector<Entity> before = std::exchange(all, {});
    for (const Entity e : before) gone(e);  // nothing is forgotten before its time
    world.end_frame();
    for (const Entity e : all) CHECK(removed<C>(world, e) == -1);
    world.check();
}

template <class C>
void replace_in_all_ways(World& world) {
    const Entity e = world.spawn();
    const Entity other = world.spawn();
    put<C>(world, e, 1);
    put<C>(world, e, 2);
    if constexpr (std::is_move_constructible_v<C>) world.set(e, make<C>(3));
    if constexpr (std::is_copy_constructible_v<C> && !traits<C>.cleanup) {
        put<C>(world, other, 4);
        world.copy(other, e);
        world.query<C>().set_all(make<C>(5));
    }
    world.add<C>(e);
    CHECK(removed<C>(world, e) == -1);
    world.clear();
    world.end_frame();
}

}  // namespace

TEST_SUITE("removed values") {
    TEST_CASE("every kind of component, every way to go, in every kind of table") {
        AllComponents::each([&]<class C>() {
            CAPTURE(World{}.component<C>().name);
            World some;
            some.keep_removed<C>();
            try_all_ways<C, Plain>(some);
            try_all_ways<C, Text>(some);
            World all{WorldOptions{.keep_removed = true}};
            try_all_ways<C, Plain>(all);
            try_all_ways<C, Text>(all);
        });
    }

    TEST_CASE("nothing is kept unless asked for") {
        World world;
        const Entity e = world.spawn(Position{1, -1}, Name{"x"}, Red{}, Burning{2});
        world.despawn(e);
        CHECK(world.find_removed<Position>(e) == nullptr);
        CHECK(world.find_removed<Name>(e) == nullptr);
        CHECK(world.find_removed<Red>(e) == nullptr);
        CHECK(world.find_removed<Burning>(e) == nullptr);
    }

    TEST_CASE("only the named components are kept") {
        World world;
        world.keep_removed<Name, Burning>();
        const Entity e = world.spawn(Position{1, -1}, make<Name>(2), make<Note>(3), Burning{4});
        world.despawn(e);
        CHECK(removed<Name>(world, e) == 2);
        CHECK(removed<Burning>(world, e) == 4);
        CHECK(world.find_removed<Position>(e) == nullptr);
        CHECK(world.find_removed<Note>(e) == nullptr);
    }

    TEST_CASE("keeping may begin late: what exists is kept when it goes, what went is not found") {
        World world;
        const Entity early = world.spawn(Position{1, -1}, make<Name>(1), Burning{1}, Red{});
        const Entity late = world.spawn(Position{2, -2}, make<Name>(2), Burning{2}, Red{});
        world.despawn(early);
        world.keep_removed<Position, Name, Burning, Red>();
        world.keep_removed<Position>();  // again
        world.check();
        world.despawn(late);
        CHECK(removed<Position>(world, early) == -1);
        CHECK(removed<Position>(world, late) == 2);
        CHECK(removed<Name>(world, late) == 2);
        CHECK(removed<Burning>(world, late) == 2);
        CHECK(removed<Red>(world, late) == 0);
        // It goes on in the next frame, in tables that are made later too.
        world.end_frame();
        const Entity next = world.spawn(Position{3, -3}, Velocity{});
        world.remove<Position>(next);
        CHECK(removed<Position>(world, next) == 3);
        world.check();
    }

    TEST_CASE("replacing is not removing") {
        World world{WorldOptions{.keep_removed = true}};
        replace_in_all_ways<Position>(world);
        replace_in_all_ways<Name>(world);
        replace_in_all_ways<Owner>(world);
        replace_in_all_ways<Red>(world);
        replace_in_all_ways<Burning>(world);
        replace_in_all_ways<Note>(world);
        replace_in_all_ways<Clumsy>(world);
        replace_in_all_ways<Pinned>(world);
        replace_in_all_ways<Bag>(world);
        replace_in_all_ways<Grave>(world);
    }

    TEST_CASE("a component that moves to another table is not removed") {
        World world{WorldOptions{.keep_removed = true}};
        const Entity e = world.spawn(Position{1, -1}, make<Name>(2), Red{});
        world.set(e, Velocity{});
        world.add<Blue>(e);
        world.remove<Velocity>(e);
        CHECK(removed<Position>(world, e) == -1);
        CHECK(removed<Name>(world, e) == -1);
        CHECK(removed<Red>(world, e) == -1);
        CHECK(removed<Velocity>(world, e) == 0);
    }

    TEST_CASE("the newest of several removed values is found, also beside a new one") {
        World world;
        world.keep_removed<Position, Name, Pinned>();
        const Entity e = world.spawn();
        std::vector<const Position*> places;
        for (int i = 1; i <= 200; ++i) {
            world.set(e, Position{i, -i}, make<Name>(i));
            world.emplace<Pinned>(e, i);
            world.remove<Position, Name, Pinned>(e);
            CHECK(removed<Position>(world, e) == i);
            CHECK(removed<Name>(world, e) == i);
            CHECK(removed<Pinned>(world, e) == i);
            places.push_back(world.find_removed<Position>(e));
        }
        world.set(e, Position{500, -500}, make<Name>(500));
        world.emplace<Pinned>(e, 500);
        CHECK(removed<Position>(world, e) == 200);
        CHECK(removed<Name>(world, e) == 200);
        CHECK(removed<Pinned>(world, e) == 200);
        CHECK(world.get<const Position>(e).x == 500);
        CHECK(world.get<const Pinned>(e).checked() == 500);
        // Older ones can still be read by those who have a pointer.
        for (int i = 1; i <= 200; ++i) CHECK(read(*places[static_cast<std::size_t>(i) - 1]) == i);
        world.check();
    }

    TEST_CASE("an index that is used again: each handle finds its own value") {
        World world;
        world.keep_removed<Position, Name, Burning>();
        std::vector<Entity> handles;
        for (int i = 1; i <= 300; ++i) {
            const Entity e = world.spawn(Position{i, -i}, make<Name>(i), Burning{i});
            CHECK(e.index() == 0);
            handles.push_back(e);
            world.despawn(e);
        }
        for (int i = 1; i <= 300; ++i) {
            const Entity e = handles[static_cast<std::size_t>(i) - 1];
            CHECK(removed<Position>(world, e) == i);
            CHECK(removed<Name>(world, e) == i);
            CHECK(removed<Burning>(world, e) == i);
        }
        const Entity living = world.spawn(Position{});
        CHECK(living.index() == 0);
        CHECK(world.find_removed<Position>(living) == nullptr);
        CHECK(world.find_removed<Position>(Entity{}) == nullptr);
        CHECK(world.find_removed<Position>(Entity::from_bits(~std::uint64_t{0})) == nullptr);
        world.check();
    }

    TEST_CASE("all rows at once") {
        // Several chunks; the second set has tags only in difference, so that without keeping chunks would change
        // hands.
        World world;
        world.keep_removed<Position, Name, Red, Wide>();
        std::vector<Entity> plain(5000);
        std::vector<Entity> mixed(3000);
        world.spawn_many(std::span{plain}, Position{}, Red{});
        world.spawn_many(std::span{mixed}, Position{}, Name{}, Wide{});
        int n = 0;
        for (const Entity e : plain) world.get<Position>(e) = make<Position>(++n);
        n = 0;
        for (const Entity e : mixed) {
            ++n;
            world.set(e, make<Position>(n), make<Name>(n), make<Wide>(n));
        }

        CHECK(world.query<Red>().remove_all<Red>() == plain.size());
        for (const Entity e : plain) CHECK(removed<Red>(world, e) == 0);
        CHECK(world.query<Wide>().remove_all<Wide, Name>() == mixed.size());
        n = 0;
        for (const Entity e : mixed) {
            CHECK(removed<Wide>(world, e) == ++n);
            CHECK(removed<Name>(world, e) == n);
            CHECK(removed<Position>(world, e) == -1);
        }
        CHECK(world.query<Position>().despawn_all() == plain.size() + mixed.size());
        n = 0;
        for (const Entity e : plain) CHECK(removed<Position>(world, e) == ++n);
        n = 0;
        for (const Entity e : mixed) CHECK(removed<Position>(world, e) == ++n);
        world.check();
        world.end_frame();
        for (const Entity e : mixed) CHECK(removed<Position>(world, e) == -1);
        world.check();
    }

    TEST_CASE("add_all and set_all of whole tables remove nothing") {
        World world;
        world.keep_removed<Position>();
        std::vector<Entity> all(3000);
        world.spawn_many(std::span{all}, Position{1, -1});
        CHECK(world.query<Position>().add_all<Red>() == all.size());
        CHECK(world.query<Position>().set_all(Velocity{}, Position{2, -2}) == all.size());
        for (const Entity e : all) CHECK(removed<Position>(world, e) == -1);
        world.check();
        CHECK(world.query<>().despawn_all() == all.size());
        for (const Entity e : all) CHECK(removed<Position>(world, e) == 2);
    }

    TEST_CASE("through the object style and the unlocked walk") {
        World world;
        world.keep_removed<Name>();
        const Entity a = world.spawn(make<Name>(1), Position{});
        const Entity b = world.spawn(make<Name>(2), Position{});
        world.entity(a).remove<Name>();
        CHECK(removed<Name>(world, a) == 1);
        world.query<Name>().each_table([&](auto& rows) {
            for (std::size_t i = 0; i < rows.size(); ++i) {
                world.despawn(rows.entity(i));
                --i;
            }
        });
        CHECK(removed<Name>(world, b) == 2);
    }

    TEST_CASE("in a walk they can be read and asked for, but not forgotten") {
        World world;
        world.keep_removed<Name>();
        const Entity e = world.spawn(make<Name>(1));
        const Entity other = world.spawn(Position{4, -4});
        world.despawn(e);
        world.query<Position>().each([&](Position&) {
            CHECK(removed<Name>(world, e) == 1);
            CHECK(throws(Errc::locked, [&] { world.end_frame(); }));
            world.keep_removed<Position>();
        });
        CHECK(removed<Name>(world, e) == 1);
        world.despawn(other);
        CHECK(removed<Position>(world, other) == 4);
        world.check();
    }

    TEST_CASE("a world that moves takes them along; a moved-from world has none") {
        World world;
        world.keep_removed<Name, Position>();
        const Entity e = world.spawn(make<Name>(1), Position{2, -2});
        world.despawn(e);
        const Name* before = world.find_removed<Name>(e);
        World moved = std::move(world);
        CHECK(moved.find_removed<Name>(e) == before);
        CHECK(world.find_removed<Name>(e) == nullptr);
        CHECK(throws(Errc::world_gone, [&] { world.keep_removed<Name>(); }));
        CHECK(throws(Errc::world_gone, [&] { world.end_frame(); }));
        const Entity next = moved.spawn(Position{3, -3});
        moved.despawn(next);
        CHECK(removed<Position>(moved, next) == 3);
        world = std::move(moved);
        CHECK(removed<Position>(world, e) == 2);
        world.end_frame();
        CHECK(removed<Position>(world, e) == -1);
    }

    TEST_CASE("end_frame begins a new tick") {
        World world;
        world.spawn(Position{});
        auto changed = world.query<Changed<Position>, Position>();
        CHECK(changed.count() == 1);
        changed.each([](Position&) {});
        world.end_frame();
        CHECK(changed.count() == 0);
        world.query<Position>().each([](Position& p) { p.x = 1; });
        CHECK(changed.count() == 1);
    }
}
