// Guards stoa::Alias: one value type, several components.

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

using stoa::Alias;
using stoa::Entity;
using stoa::World;

namespace {

struct Point {
    int x = 0;
    int y = 0;
};

struct Start;  // tags of aliases need not be complete
struct Finish;

using From = Alias<Point, Start>;
using To = Alias<Point, Finish>;

}  // namespace

TEST_CASE("aliases with different tags are different types and components") {
    static_assert(!std::is_same_v<From, To>);
    World world;
    const Entity e = world.spawn(Point{1, 1}, From{Point{2, 2}}, To{Point{3, 3}});
    CHECK(world.get<const Point>(e).x == 1);
    CHECK(world.get<const From>(e).value.x == 2);
    CHECK(world.get<const To>(e).value.x == 3);
    CHECK(world.components(e).size() == 3);
}

TEST_CASE("an alias holds its value in value") {
    World world;
    const Entity e = world.spawn<From>();
    world.get<From>(e).value.y = 9;
    CHECK(world.get<const From>(e).value.y == 9);
    static_assert(std::is_same_v<decltype(From::value), Point>);
}

TEST_CASE("removing one alias leaves the other") {
    World world;
    const Entity e = world.spawn(From{Point{1, 2}}, To{Point{3, 4}});
    CHECK(world.remove<From>(e));
    CHECK_FALSE(world.has<From>(e));
    CHECK(world.get<const To>(e).value.y == 4);
}

TEST_CASE("get_value reaches through an alias") {
    World world;
    const Entity e = world.spawn(To{Point{5, 6}});
    CHECK(world.get_value<const To>(e).x == 5);
    world.get_value<To>(e).x = 7;
    CHECK(world.get<const To>(e).value.x == 7);
}

TEST_CASE("an alias can be emplaced from its value") {
    World world;
    const Entity e = world.spawn();
    world.emplace<From>(e, Point{8, 9});
    CHECK(world.get<const From>(e).value.y == 9);
}

TEST_CASE("an alias can hold a string or something that only moves") {
    World world;
    using Title = Alias<std::string, Start>;
    using Owner = Alias<std::unique_ptr<int>, Finish>;
    const Entity e = world.spawn(Title{"sir"}, Owner{std::make_unique<int>(3)});
    world.add<Point>(e);
    CHECK(world.get_value<const Title>(e) == "sir");
    CHECK(*world.get_value<Owner>(e) == 3);
}
