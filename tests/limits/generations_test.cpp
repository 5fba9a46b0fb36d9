// The end of the generations of an index: the slot is retired, no handle of it is ever alive again, and the next spawn
// takes another index.
#include "../support/fault_allocator.hpp"
#include "../support/handles.hpp"
#include "../support/values.hpp"

#include <doctest/doctest.h>

#include <span>
#include <vector>

using namespace stoa_test;

namespace {

constexpr std::uint32_t last = 0xFFFFFFFFu;

stoa::World world_starting_at(std::uint32_t generation) {
    return stoa::World{stoa::WorldOptions{.first_generation = generation}};
}

// No handle of this index may be alive or own anything.
void check_retired(stoa::World& world, std::uint32_t index) {
    for (const std::uint32_t generation : {0u, 1u, 2u, last - 2, last - 1, last, 0x7FFFFFFFu, 0x80000000u}) {
        const stoa::Entity handle = forge(index, generation);
        CAPTURE(generation);
        CHECK(!world.alive(handle));
        CHECK(!world.has_any<Position, Name, Grave, Tomb, Haunted, Burning>(handle));
        CHECK(world.find<Grave>(handle) == nullptr);
        CHECK(world.find<Tomb>(handle) == nullptr);
        CHECK(!world.despawn(handle));
        CHECK(!world.remove<Grave, Tomb>(handle));
        CHECK(!world.add<Position>(handle));
    }
}

}  // namespace

TEST_SUITE("limits: generations") {
    TEST_CASE("an index is used up to its last generation and then never again") {
        stoa::World world = world_starting_at(last - 2);
        std::vector<stoa::Entity> seen;
        for (int i = 0; i < 10; ++i) {
            const stoa::Entity entity = world.spawn(make<Position>(i));
            for (const stoa::Entity old : seen) {
                CHECK(entity != old);
                CHECK(!world.alive(old));
            }
            seen.push_back(entity);
            CHECK(world.despawn(entity));
        }
        CHECK(seen[0] == forge(0, last - 2));
        CHECK(seen[1] == forge(0, last - 1));
        CHECK(seen.back().index() >= 3);
        check_retired(world, 0);
        check_retired(world, 1);
        CHECK(world.size() == 0);
        CHECK_NOTHROW(world.check());
    }

    TEST_CASE("a world that starts at the last generation uses each index once") {
        stoa::World world = world_starting_at(last);
        for (std::uint32_t i = 0; i < 100; ++i) {
            const stoa::Entity entity = world.spawn(make<Name>(5), make<Burning>(1));
            CHECK(entity == forge(i, last));
            CHECK(world.despawn(entity));
        }
        check_retired(world, 0);
        check_retired(world, 99);
        CHECK_NOTHROW(world.check());
    }

    TEST_CASE("a ghost at the last generation is retired when its last component goes") {
        stoa::World world = world_starting_at(last);
        const stoa::Entity entity = world.spawn(make<Grave>(1), make<Tomb>(2), Haunted{});
        CHECK(world.despawn(entity));
        CHECK(world.has<Grave, Tomb, Haunted>(entity));
        CHECK(world.spawn().index() == 1);
        CHECK(world.remove<Grave, Haunted>(entity));
        CHECK(world.has<Tomb>(entity));
        CHECK(world.remove<Tomb>(entity));
        check_retired(world, 0);
        CHECK(world.spawn().index() == 2);
        CHECK_NOTHROW(world.check());
    }

    TEST_CASE("clear retires what has no generation left") {
        stoa::World world = world_starting_at(last);
        world.spawn_many(50, make<Position>(1), make<Name>(2));
        const stoa::Entity ghost = world.spawn(make<Grave>(1));
        world.despawn(ghost);
        world.clear();
        check_retired(world, 0);
        check_retired(world, 50);
        CHECK(world.spawn() == forge(51, last));
        CHECK(world.size() == 1);
        CHECK_NOTHROW(world.check());
    }

    TEST_CASE("retired slots mix with free ones in order") {
        stoa::World world = world_starting_at(last - 1);
        std::vector<stoa::Entity> ids(3);
        world.spawn_many(std::span{ids}, make<Position>(1));
        world.despawn(ids[1]);
        const stoa::Entity again = world.spawn();
        CHECK(again == forge(1, last));
        world.despawn(ids[2]);
        world.despawn(again);
        world.despawn(ids[0]);
        CHECK(world.spawn() == forge(2, last));
        CHECK(world.spawn() == forge(0, last));
        CHECK(world.spawn() == forge(3, last - 1));
        check_retired(world, 1);
        CHECK_NOTHROW(world.check());
    }

    TEST_CASE("a handle that is still to come is not a ghost, whatever its memory held before") {
        const stoa::Entity to_come = forge(0, 2);
        const FilledMemory used_before{to_come.bits()};
        stoa::World world;
        const stoa::Entity first = world.spawn(make<Grave>(5), make<Tomb>(6));
        std::vector<stoa::Entity> others(12);
        world.spawn_many(std::span{others}, make<Position>(1));
        world.remove<Grave, Tomb>(first);
        world.despawn(first);
        for (const stoa::Entity other : others) {
            CHECK(!world.alive(to_come));
            CHECK(!world.has<Grave>(to_come));
            CHECK(!world.has<Tomb>(to_come));
            CHECK(world.find<const Grave>(to_come) == nullptr);
            CHECK(world.despawn(other));
        }
        CHECK(!world.has<Grave>(to_come));
        CHECK(!world.remove<Grave>(to_come));
        CHECK_NOTHROW(world.check());
        CHECK(world.spawn() == to_come);
    }

    TEST_CASE("a limit on entities and retired slots go together") {
        for (const std::size_t limit : {std::size_t{2}, std::size_t{1} << 33, ~std::size_t{0}}) {
            CAPTURE(limit);
            stoa::World world{stoa::WorldOptions{.max_entities = limit, .first_generation = last}};
            for (std::uint32_t i = 0; i < 10; ++i) {
                const stoa::Entity entity = world.spawn(make<Position>(1));
                CHECK(entity == forge(i, last));
                world.despawn(entity);
            }
            CHECK_NOTHROW(world.spawn_many(2, make<Position>(1)));
            CHECK_NOTHROW(world.check());
        }
    }

    TEST_CASE("a stale handle is never alive again, however often its index is reused") {
        stoa::World world;
        const stoa::Entity first = world.spawn(make<Burning>(1), make<Position>(1));
        stoa::Entity entity = first;
        for (int i = 0; i < 200'000; ++i) {
            world.despawn(entity);
            entity = world.spawn(make<Burning>(i), make<Position>(i));
            REQUIRE(entity.index() == 0);
            REQUIRE(!world.alive(first));
            REQUIRE(!world.has_any<Burning, Position>(first));
        }
        CHECK(entity.generation() == 200'001);
        CHECK_NOTHROW(world.check());
    }
}
