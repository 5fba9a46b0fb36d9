// Guards the object style: world.entity(e) and the verbs of EntityRef, on the living and on the dead (SY-10, TI-13).

#include "../base/thrown.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>
#include <utility>

using api_test::throws;
using stoa::Entity;
using stoa::EntityRef;
using stoa::Errc;
using stoa::World;

namespace {

struct A {
    int value = 1;
};

struct B {
    std::string text;
};

struct C {};

}  // namespace

TEST_CASE("a ref knows its entity") {
    World world;
    const Entity e = world.spawn();
    const EntityRef ref = world.entity(e);
    CHECK(ref.id() == e);
    CHECK(ref.alive());
}

TEST_CASE("the verbs of a ref chain") {
    World world;
    const Entity e = world.spawn(C{});
    EntityRef ref = world.entity(e);
    ref.add<A>().set(B{"b"}).remove<C>();
    CHECK(world.has<A, B>(e));
    CHECK_FALSE(world.has<C>(e));
    CHECK(world.get<const B>(e).text == "b");
}

TEST_CASE("a chain can begin at the world") {
    World world;
    const Entity e = world.spawn();
    world.entity(e).add<A, C>().set(B{"x"}, A{5}).remove<C>();
    CHECK(world.get<const A>(e).value == 5);
    CHECK_FALSE(world.has<C>(e));
}

TEST_CASE("a ref reads and writes components") {
    World world;
    EntityRef ref = world.entity(world.spawn(A{3}));
    CHECK(ref.get<A>().value == 3);
    ref.get<A>().value = 4;
    CHECK(ref.get<const A>().value == 4);
    CHECK(ref.find<A>()->value == 4);
    CHECK(ref.find<const A>()->value == 4);
    CHECK(ref.find<B>() == nullptr);
    CHECK(ref.has<A>());
    CHECK_FALSE(ref.has<A, B>());
    static_assert(std::is_same_v<decltype(ref.get<A>()), A&>);
    static_assert(std::is_same_v<decltype(ref.get<const A>()), const A&>);
    static_assert(std::is_same_v<decltype(ref.find<const A>()), const A*>);
}

TEST_CASE("a ref despawns its entity") {
    World world;
    const Entity e = world.spawn(A{});
    EntityRef ref = world.entity(e);
    CHECK(ref.despawn());
    CHECK_FALSE(ref.alive());
    CHECK_FALSE(world.alive(e));
    CHECK_FALSE(ref.despawn());
}

TEST_CASE("a ref demands a present component as the world does") {
    World world;
    EntityRef ref = world.entity(world.spawn());
    CHECK(throws(Errc::missing_component, [&] { ref.get<A>(); }));
    CHECK(throws(Errc::missing_component, [&] { (void)ref.get<const A>(); }));
}

TEST_CASE("a ref to a dead entity is fine and says so") {
    World world;
    const Entity e = world.spawn(A{});
    world.despawn(e);
    EntityRef ref = world.entity(e);
    CHECK(ref.id() == e);
    CHECK_FALSE(ref.alive());
    CHECK_FALSE(ref.has<A>());
    CHECK(ref.find<A>() == nullptr);
    CHECK_FALSE(ref.despawn());
    CHECK(throws(Errc::dead_entity, [&] { ref.get<A>(); }));
    CHECK(throws(Errc::dead_entity, [&] { ref.set(A{}); }));
}

TEST_CASE("add and remove through a ref to a dead entity do nothing") {
    World world;
    const Entity e = world.spawn(A{});
    world.despawn(e);
    EntityRef ref = world.entity(e);
    ref.add<A>().remove<B>().add<C>();
    CHECK_FALSE(ref.alive());
    CHECK(world.size() == 0);
    world.check();
}

TEST_CASE("a ref to the null entity is fine and says so") {
    World world;
    EntityRef ref = world.entity(Entity{});
    CHECK_FALSE(ref.alive());
    CHECK_FALSE(bool(ref.id()));
    CHECK_FALSE(ref.despawn());
}

TEST_CASE("a ref does not follow its slot to the next entity") {
    World world;
    const Entity e = world.spawn(A{1});
    EntityRef ref = world.entity(e);
    world.despawn(e);
    const Entity next = world.spawn(A{2});
    REQUIRE(next.index() == e.index());
    CHECK_FALSE(ref.alive());
    CHECK(ref.find<A>() == nullptr);
    CHECK(world.alive(next));
}

TEST_CASE("a ref stays good while its entity moves between tables") {
    World world;
    EntityRef ref = world.entity(world.spawn(A{7}));
    for (int i = 0; i < 5; ++i) {
        ref.add<B>().add<C>();
        CHECK(ref.get<const A>().value == 7);
        ref.remove<C, B>();
        CHECK(ref.get<const A>().value == 7);
    }
}

TEST_CASE("refs can be copied") {
    World world;
    const EntityRef ref = world.entity(world.spawn(A{7}));
    EntityRef copy = ref;
    copy.get<A>().value = 8;
    CHECK(ref.id() == copy.id());
    CHECK(world.get<const A>(ref.id()).value == 8);
}

TEST_CASE("a ref follows its world when the world is moved") {
    World world;
    EntityRef ref = world.entity(world.spawn(A{7}));
    World home = std::move(world);
    CHECK(ref.alive());
    CHECK(ref.get<A>().value == 7);
    ref.set(B{"after"});
    CHECK(home.get<const B>(ref.id()).text == "after");
}
