// Guards WorldOptions: the order of its members and their defaults.

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <type_traits>

using stoa::World;
using stoa::WorldOptions;

TEST_CASE("world options are an aggregate with the documented defaults") {
    static_assert(std::is_aggregate_v<WorldOptions>);
    const WorldOptions options;
    CHECK(options.max_entities == 0);
    CHECK(options.signals);
    CHECK_FALSE(options.keep_removed);
    CHECK(options.first_generation == 1);
    CHECK_FALSE(options.tagged);
}

TEST_CASE("world options can be named in their documented order") {
    const WorldOptions options{.max_entities = 7,
                               .signals = false,
                               .keep_removed = true,
                               .first_generation = 5,
                               .first_tick = 9,
                               .tagged = false};
    World world{options};
    CHECK(world.spawn().generation() == 5);
    world.check();
}

TEST_CASE("a world without options is a world with default options") {
    World plain;
    World defaulted{WorldOptions{}};
    CHECK(plain.spawn() == defaulted.spawn());
}

TEST_CASE("a world is movable and not copyable") {
    static_assert(!std::is_copy_constructible_v<World>);
    static_assert(!std::is_copy_assignable_v<World>);
    static_assert(std::is_nothrow_move_constructible_v<World>);
    static_assert(std::is_move_assignable_v<World>);
    CHECK(std::is_default_constructible_v<World>);
}
