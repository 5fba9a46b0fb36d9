// Guards entities with very many components and worlds with very many types: no fixed limit (W-TI-11).

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <utility>

using stoa::Entity;
using stoa::World;

namespace {

template <int N>
struct Part {
    int value = N;
};

template <int... Ns>
void add_one_by_one(World& world, Entity e, std::integer_sequence<int, Ns...>) {
    (world.add<Part<Ns>>(e), ...);
}

template <int... Ns>
bool all_right(World& world, Entity e, std::integer_sequence<int, Ns...>) {
    return ((world.has<Part<Ns>>(e) && world.get<const Part<Ns>>(e).value == Ns) && ...);
}

template <int... Ns>
Entity spawn_at_once(World& world, std::integer_sequence<int, Ns...>) {
    return world.spawn<Part<Ns>...>();
}

template <int... Ns>
void remove_one_by_one(World& world, Entity e, std::integer_sequence<int, Ns...>) {
    (world.remove<Part<Ns>>(e), ...);
}

using Many = std::make_integer_sequence<int, 200>;

}  // namespace

TEST_CASE("an entity may have two hundred components") {
    World world;
    const Entity e = world.spawn();
    add_one_by_one(world, e, Many{});
    CHECK(all_right(world, e, Many{}));
    CHECK(world.components(e).size() == 200);
    world.check();
    remove_one_by_one(world, e, Many{});
    CHECK(world.components(e).empty());
    CHECK(world.alive(e));
    world.check();
}

TEST_CASE("an entity may be spawned with a hundred components at once") {
    World world;
    const Entity e = spawn_at_once(world, std::make_integer_sequence<int, 100>{});
    CHECK(all_right(world, e, std::make_integer_sequence<int, 100>{}));
    CHECK(world.components(e).size() == 100);
    const Entity twin = world.clone(e);
    CHECK(all_right(world, twin, std::make_integer_sequence<int, 100>{}));
    world.check();
}
