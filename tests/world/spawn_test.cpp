// Guards the forms of spawn: nothing, values, default-constructed types; and how values are taken in.

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

using stoa::Entity;
using stoa::World;

namespace {

struct Position {
    float x = 0;
    float y = 0;
};

struct Velocity {
    float x = 7;
    float y = 8;
};

struct Name {
    std::string text;
};

struct NoDefault {
    explicit NoDefault(int number) : value(number) {}
    int value;
};

struct Bare {
    int a;
    int b;
};

template <int N>
struct Part {
    int value = N;
};

}  // namespace

TEST_CASE("an entity without components is alive and counted") {
    World world;
    const Entity e = world.spawn();
    CHECK(world.alive(e));
    CHECK(world.size() == 1);
    CHECK(world.components(e).empty());
    world.check();
}

TEST_CASE("spawn with values stores them") {
    World world;
    const Entity e = world.spawn(Position{1, 2}, Velocity{3, 4});
    CHECK(world.get<const Position>(e).x == 1);
    CHECK(world.get<const Position>(e).y == 2);
    CHECK(world.get<const Velocity>(e).x == 3);
    CHECK(world.get<const Velocity>(e).y == 4);
}

TEST_CASE("spawn with types default-constructs them") {
    World world;
    const Entity e = world.spawn<Position, Velocity>();
    CHECK(world.get<const Position>(e).x == 0);
    CHECK(world.get<const Velocity>(e).x == 7);
    CHECK(world.get<const Velocity>(e).y == 8);
}

TEST_CASE("an aggregate without initializers is default-constructed to zeros") {
    World world;
    for (int i = 0; i < 5; ++i) {
        const Entity dirty = world.spawn(Bare{1, 2});
        world.despawn(dirty);
        const Entity e = world.spawn<Bare>();
        CHECK(world.get<const Bare>(e).a == 0);
        CHECK(world.get<const Bare>(e).b == 0);
        world.despawn(e);
    }
}

TEST_CASE("spawn copies from lvalues and leaves them alone") {
    World world;
    Name name{std::string(60, 'n')};
    const Name constant{std::string(60, 'c')};
    const Entity a = world.spawn(name);
    const Entity b = world.spawn(constant);
    CHECK(world.get<const Name>(a).text == std::string(60, 'n'));
    CHECK(world.get<const Name>(b).text == std::string(60, 'c'));
    CHECK(name.text == std::string(60, 'n'));
    CHECK(constant.text == std::string(60, 'c'));
}

TEST_CASE("spawn moves from rvalues") {
    World world;
    Name name{std::string(60, 'n')};
    const Entity e = world.spawn(std::move(name));
    CHECK(world.get<const Name>(e).text == std::string(60, 'n'));
    CHECK(name.text.empty());
}

TEST_CASE("spawn takes a const rvalue as a copy") {
    World world;
    const Name name{std::string(60, 'n')};
    const Entity e = world.spawn(std::move(name));
    CHECK(world.get<const Name>(e).text == name.text);
}

TEST_CASE("spawn takes move-only values beside others") {
    World world;
    const Position position{1, 2};
    const Entity e = world.spawn(std::make_unique<int>(5), position, Name{"x"});
    CHECK(*world.get<std::unique_ptr<int>>(e) == 5);
    CHECK(world.get<const Position>(e).y == 2);
    CHECK(world.get<const Name>(e).text == "x");
}

TEST_CASE("spawn takes values that have no default constructor") {
    World world;
    const Entity e = world.spawn(NoDefault{4});
    CHECK(world.get<const NoDefault>(e).value == 4);
}

TEST_CASE("spawn takes one component only") {
    World world;
    CHECK(world.get<const Position>(world.spawn(Position{3, 4})).x == 3);
    CHECK(world.get<const Velocity>(world.spawn<Velocity>()).x == 7);
}

TEST_CASE("spawn takes many components") {
    World world;
    const Entity e = world.spawn<Part<0>, Part<1>, Part<2>, Part<3>, Part<4>, Part<5>, Part<6>, Part<7>, Part<8>,
                                 Part<9>, Part<10>, Part<11>, Part<12>, Part<13>, Part<14>, Part<15>>();
    CHECK(world.components(e).size() == 16);
    CHECK(world.get<const Part<0>>(e).value == 0);
    CHECK(world.get<const Part<15>>(e).value == 15);
    const Entity f = world.spawn(Part<5>{50}, Part<3>{30}, Part<9>{90}, Part<1>{10}, Part<7>{70});
    CHECK(world.get<const Part<1>>(f).value == 10);
    CHECK(world.get<const Part<9>>(f).value == 90);
}

TEST_CASE("size counts the living") {
    World world;
    std::vector<Entity> made;
    for (int i = 0; i < 10; ++i) made.push_back(world.spawn(Position{}));
    CHECK(world.size() == 10);
    world.despawn(made[3]);
    world.despawn(made[7]);
    CHECK(world.size() == 8);
}

TEST_CASE("despawn tells whether the entity was alive") {
    World world;
    const Entity e = world.spawn(Position{});
    CHECK(world.despawn(e));
    CHECK_FALSE(world.alive(e));
    CHECK_FALSE(world.despawn(e));
    CHECK_FALSE(world.despawn(Entity{}));
}
