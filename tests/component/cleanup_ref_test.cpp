// Guards ghosts seen through the object style and through introspection.

#include "../base/thrown.hpp"

#include <doctest/doctest.h>

#include <utility>

using api_test::throws;
using stoa::Entity;
using stoa::Errc;
using stoa::World;

namespace {

struct Position {
    int x = 0;
};

struct Body {
    int handle = 0;
    static constexpr stoa::Traits stoa_traits{.cleanup = true};
};

}  // namespace

TEST_CASE("a ref to a ghost reads its cleanup components and nothing else") {
    World world;
    const Entity e = world.spawn(Body{3}, Position{4});
    auto ref = world.entity(e);
    CHECK(ref.despawn());
    CHECK_FALSE(ref.alive());
    CHECK(ref.has<Body>());
    CHECK_FALSE(ref.has<Position>());
    CHECK(ref.get<Body>().handle == 3);
    CHECK(ref.find<Position>() == nullptr);
    CHECK_FALSE(ref.despawn());
    CHECK(throws(Errc::dead_entity, [&] { ref.set(Position{}); }));
    ref.remove<Body>();
    CHECK_FALSE(ref.has<Body>());
    world.check();
}

TEST_CASE("the components of a ghost are not listed") {
    World world;
    const Entity e = world.spawn(Body{3}, Position{4});
    CHECK(world.components(e).size() == 2);
    world.despawn(e);
    CHECK(world.components(e).empty());
}

TEST_CASE("a world may end while ghosts are left") {
    World world;
    world.despawn(world.spawn(Body{1}));
    world.despawn(world.spawn(Body{2}, Position{}));
    CHECK(world.size() == 0);
    world.check();
}

TEST_CASE("ghosts move with their world") {
    World world;
    const Entity e = world.spawn(Body{3});
    world.despawn(e);
    World home = std::move(world);
    CHECK(home.get<const Body>(e).handle == 3);
    CHECK(home.remove<Body>(e));
    CHECK(home.spawn().index() == e.index());
}
