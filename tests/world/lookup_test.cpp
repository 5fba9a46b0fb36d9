// Guards has, has_any, get, find and get_unchecked, for reading and for writing (EC-20, SY-22, TI-12).

#include "../base/thrown.hpp"

#include <doctest/doctest.h>

#include <type_traits>
#include <utility>

using api_test::throws;
using stoa::Entity;
using stoa::Errc;
using stoa::World;

namespace {

struct A {
    int value = 0;
};

struct B {
    int value = 0;
};

struct C {
    int value = 0;
};

struct S {
    int value = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

}  // namespace

TEST_CASE("has asks for all of the components") {
    World world;
    const Entity e = world.spawn(A{}, B{}, S{});
    CHECK(world.has<A>(e));
    CHECK(world.has<A, B>(e));
    CHECK(world.has<S, B, A>(e));
    CHECK_FALSE(world.has<C>(e));
    CHECK_FALSE(world.has<A, C>(e));
}

TEST_CASE("has_any asks for one of the components") {
    World world;
    const Entity e = world.spawn(A{}, S{});
    CHECK(world.has_any<A>(e));
    CHECK(world.has_any<C, A>(e));
    CHECK(world.has_any<B, S>(e));
    CHECK_FALSE(world.has_any<B, C>(e));
    CHECK_FALSE(world.has_any<A, B, S>(world.spawn()));
}

TEST_CASE("has of a component that no entity ever had is false") {
    struct NeverUsed {
        int value = 0;
    };
    World world;
    const Entity e = world.spawn(A{});
    CHECK_FALSE(world.has<NeverUsed>(e));
    CHECK_FALSE(world.has_any<NeverUsed>(e));
    CHECK(world.find<NeverUsed>(e) == nullptr);
    CHECK_FALSE(world.remove<NeverUsed>(e));
    CHECK(throws(Errc::missing_component, [&] { world.get<NeverUsed>(e); }));
}

TEST_CASE("get gives a reference for writing, get of const one for reading") {
    World world;
    const Entity e = world.spawn(A{1});
    static_assert(std::is_same_v<decltype(world.get<A>(e)), A&>);
    static_assert(std::is_same_v<decltype(world.get<const A>(e)), const A&>);
    world.get<A>(e).value = 5;
    CHECK(world.get<const A>(e).value == 5);
    CHECK(&world.get<A>(e) == &world.get<const A>(e));
}

TEST_CASE("find gives a pointer or null") {
    World world;
    const Entity e = world.spawn(A{1}, S{2});
    static_assert(std::is_same_v<decltype(world.find<A>(e)), A*>);
    static_assert(std::is_same_v<decltype(world.find<const A>(e)), const A*>);
    REQUIRE(world.find<A>(e) != nullptr);
    world.find<A>(e)->value = 6;
    CHECK(world.find<const A>(e)->value == 6);
    CHECK(world.find<const S>(e)->value == 2);
    CHECK(world.find<B>(e) == nullptr);
    CHECK(world.find<const B>(e) == nullptr);
    CHECK(world.find<A>(e) == &world.get<A>(e));
}

TEST_CASE("get of an absent component is a missing component") {
    World world;
    const Entity e = world.spawn(A{});
    CHECK(throws(Errc::missing_component, [&] { world.get<B>(e); }));
    CHECK(throws(Errc::missing_component, [&] { (void)world.get<const B>(e); }));
    CHECK(throws(Errc::missing_component, [&] { world.get<S>(e); }));
    CHECK(throws(Errc::missing_component, [&] { world.get<A>(world.spawn()); }));
}

TEST_CASE("get of a dead entity is a dead entity") {
    World world;
    const Entity e = world.spawn(A{});
    world.despawn(e);
    CHECK(throws(Errc::dead_entity, [&] { world.get<A>(e); }));
    CHECK(throws(Errc::dead_entity, [&] { (void)world.get<const A>(e); }));
}

TEST_CASE("get_unchecked gives the same object as get") {
    World world;
    const Entity e = world.spawn(A{3}, S{4});
    CHECK(&world.get_unchecked<A>(e) == &world.get<A>(e));
    CHECK(&world.get_unchecked<const A>(e) == &world.get<const A>(e));
    CHECK(&world.get_unchecked<S>(e) == &world.get<S>(e));
    world.get_unchecked<A>(e).value = 9;
    CHECK(world.get<const A>(e).value == 9);
}

TEST_CASE("a world can be read through a reference to const") {
    World world;
    const Entity e = world.spawn(A{3});
    const World& read = world;
    CHECK(read.alive(e));
    CHECK(read.size() == 1);
    CHECK(read.has<A>(e));
    CHECK(read.has_any<A, B>(e));
    CHECK(read.get<const A>(e).value == 3);
    CHECK(read.find<const A>(e)->value == 3);
    CHECK(read.get_unchecked<const A>(e).value == 3);
    CHECK(read.components(e).size() == 1);
    CHECK(read.stats().entities == 1);
    CHECK_FALSE(read.tables().empty());
    read.check();
}

TEST_CASE("two entities of one table have two values") {
    World world;
    const Entity a = world.spawn(A{1});
    const Entity b = world.spawn(A{2});
    CHECK(&world.get<A>(a) != &world.get<A>(b));
    world.get<A>(a).value = 10;
    CHECK(world.get<const A>(b).value == 2);
}
