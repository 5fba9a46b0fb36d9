// Guards get_value: single-value components hand out the value itself (SY-32).

#include "../base/thrown.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using api_test::throws;
using stoa::Entity;
using stoa::Errc;
using stoa::World;

namespace {

struct Health {
    int value = 100;
};

struct Title {
    std::string value;
};

struct Flags {
    bool value = false;
    int unrelated = 3;
};

}  // namespace

TEST_CASE("get_value gives the value itself for writing") {
    World world;
    const Entity e = world.spawn(Health{5});
    world.get_value<Health>(e) += 2;
    CHECK(world.get<const Health>(e).value == 7);
    static_assert(std::is_same_v<decltype(world.get_value<Health>(e)), int&>);
}

TEST_CASE("get_value of a const component gives the value for reading") {
    World world;
    const Entity e = world.spawn(Health{5});
    CHECK(world.get_value<const Health>(e) == 5);
    static_assert(std::is_same_v<decltype(world.get_value<const Health>(e)), const int&>);
}

TEST_CASE("get_value refers to the component, not to a copy") {
    World world;
    const Entity e = world.spawn(Title{"old"});
    CHECK(&world.get_value<const Title>(e) == &world.get<const Title>(e).value);
    world.get_value<Title>(e) = "new";
    CHECK(world.get<const Title>(e).value == "new");
}

TEST_CASE("get_value works for a component with other members") {
    World world;
    const Entity e = world.spawn<Flags>();
    world.get_value<Flags>(e) = true;
    CHECK(world.get<const Flags>(e).value);
    CHECK(world.get<const Flags>(e).unrelated == 3);
}

TEST_CASE("get_value of an absent component is a missing component") {
    World world;
    const Entity e = world.spawn(Health{});
    CHECK(throws(Errc::missing_component, [&] { world.get_value<Title>(e); }));
    CHECK(throws(Errc::missing_component, [&] { (void)world.get_value<const Title>(e); }));
}

TEST_CASE("get_value of a dead entity is a dead entity") {
    World world;
    const Entity e = world.spawn(Health{});
    world.despawn(e);
    CHECK(throws(Errc::dead_entity, [&] { world.get_value<Health>(e); }));
    CHECK(throws(Errc::dead_entity, [&] { (void)world.get_value<const Health>(e); }));
}
