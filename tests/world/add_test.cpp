// Guards add and remove: what they change, what they keep, what they answer (EC-15 to EC-18, SY-11, SY-20, W-EC-2).

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <string>

using stoa::Entity;
using stoa::World;

namespace {

struct A {
    int value = 1;
};

struct B {
    std::string value = "b";
};

struct C {
    double value = 3;
};

struct S {
    int value = 4;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

}  // namespace

TEST_CASE("add default-constructs the missing components") {
    World world;
    const Entity e = world.spawn();
    CHECK(world.add<A, B>(e));
    CHECK(world.get<const A>(e).value == 1);
    CHECK(world.get<const B>(e).value == "b");
}

TEST_CASE("add keeps the values of present components and answers false") {
    World world;
    const Entity e = world.spawn(A{10});
    CHECK_FALSE(world.add<A>(e));
    CHECK(world.get<const A>(e).value == 10);
}

TEST_CASE("add answers true if any component was added") {
    World world;
    const Entity e = world.spawn(A{10});
    CHECK(world.add<A, B>(e));
    CHECK(world.get<const A>(e).value == 10);
    CHECK(world.has<B>(e));
    CHECK_FALSE(world.add<B, A>(e));
    CHECK(world.add<C, S>(e));
    CHECK_FALSE(world.add<A, B, C, S>(e));
    world.check();
}

TEST_CASE("add of several components is one move") {
    World world;
    const Entity e = world.spawn(A{});
    const auto tables = world.stats().tables;
    CHECK(world.add<B, C>(e));
    CHECK(world.stats().tables == tables + 1);
}

TEST_CASE("remove takes the listed components and keeps the rest") {
    World world;
    const Entity e = world.spawn(A{5}, B{"x"}, C{6});
    CHECK(world.remove<A, C>(e));
    CHECK_FALSE(world.has_any<A, C>(e));
    CHECK(world.get<const B>(e).value == "x");
    world.check();
}

TEST_CASE("remove answers true if any component was removed") {
    World world;
    const Entity e = world.spawn(A{5});
    CHECK(world.remove<A, B>(e));
    CHECK_FALSE(world.remove<A, B>(e));
    CHECK_FALSE(world.remove<C>(e));
}

TEST_CASE("removing an absent component changes nothing") {
    World world;
    const Entity e = world.spawn(A{5});
    CHECK_FALSE(world.remove<B>(e));
    CHECK_FALSE(world.remove<S>(e));
    CHECK(world.get<const A>(e).value == 5);
}

TEST_CASE("add and remove work on sparse and table components in one call") {
    World world;
    const Entity e = world.spawn();
    CHECK(world.add<A, S>(e));
    CHECK(world.get<const S>(e).value == 4);
    CHECK(world.remove<S, A>(e));
    CHECK_FALSE(world.has_any<A, S>(e));
    CHECK(world.alive(e));
    world.check();
}

TEST_CASE("remove_all takes everything and answers whether there was anything") {
    World world;
    const Entity e = world.spawn(A{}, B{}, S{});
    CHECK(world.remove_all(e));
    CHECK(world.alive(e));
    CHECK(world.components(e).empty());
    CHECK_FALSE(world.remove_all(e));
    CHECK_FALSE(world.remove_all(world.spawn()));
    world.check();
}

TEST_CASE("removing and adding again and again ends where it began") {
    World world;
    const Entity e = world.spawn(A{7});
    const Entity other = world.spawn(A{8});
    for (int i = 0; i < 100; ++i) {
        CHECK(world.add<B>(e));
        CHECK(world.add<C>(e));
        CHECK(world.remove<B>(e));
        CHECK(world.remove<C>(e));
    }
    CHECK(world.get<const A>(e).value == 7);
    CHECK(world.get<const A>(other).value == 8);
    world.check();
}
