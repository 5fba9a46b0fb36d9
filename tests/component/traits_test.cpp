// Guards where traits may be written: inside the type, beside it, or in a base class (W-SY-6).

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using stoa::Entity;
using stoa::Storage;
using stoa::Track;
using stoa::Traits;
using stoa::World;

namespace {

struct Plain {
    int value = 0;
};

struct Inside {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse, .name = "inside"};
};

// A type that cannot be changed by its user.
struct Foreign {
    int value = 0;
};

struct Base {
    static constexpr Traits stoa_traits{.cleanup = true};
};

struct Derived : Base {
    int value = 0;
};

struct Grandchild : Derived {
    int more = 0;
};

struct OwnMind : Base {
    int value = 0;
    static constexpr Traits stoa_traits{};
};

struct RowTracked {
    int value = 0;
    static constexpr Traits stoa_traits{.track = Track::rows};
};

}  // namespace

template <>
inline constexpr stoa::Traits stoa::traits<Foreign> = {.cleanup = true, .name = "foreign"};

TEST_CASE("traits are an aggregate with the documented defaults") {
    static_assert(std::is_aggregate_v<Traits>);
    constexpr Traits none{};
    CHECK(none.storage == Storage::table);
    CHECK_FALSE(none.cleanup);
    CHECK_FALSE(none.pooled);
    CHECK(none.track == Track::chunks);
}

TEST_CASE("traits can be named in their documented order") {
    constexpr Traits all{
        .storage = Storage::sparse, .cleanup = true, .pooled = false, .track = Track::rows, .name = "all"};
    CHECK(all.storage == Storage::sparse);
    CHECK(all.cleanup);
    CHECK(all.track == Track::rows);
}

TEST_CASE("traits inside the type are seen") {
    World world;
    const Entity e = world.spawn(Plain{});
    const auto tables = world.stats().tables;
    world.set(e, Inside{1});
    CHECK(world.stats().tables == tables);
    CHECK(std::string{world.component<Inside>().name} == "inside");
}

TEST_CASE("traits beside the type are seen") {
    World world;
    const Entity e = world.spawn(Foreign{4});
    world.despawn(e);
    CHECK(world.has<Foreign>(e));
    CHECK(std::string{world.component<Foreign>().name} == "foreign");
}

TEST_CASE("a derived type inherits the traits") {
    World world;
    Derived value;
    value.value = 3;
    const Entity e = world.spawn(value);
    world.despawn(e);
    REQUIRE(world.has<Derived>(e));
    CHECK(world.get<const Derived>(e).value == 3);
}

TEST_CASE("the traits reach a grandchild too") {
    World world;
    const Entity e = world.spawn<Grandchild>();
    world.despawn(e);
    CHECK(world.has<Grandchild>(e));
}

TEST_CASE("a derived type can have traits of its own") {
    World world;
    const Entity e = world.spawn<OwnMind>();
    world.despawn(e);
    CHECK_FALSE(world.has<OwnMind>(e));
}

TEST_CASE("a type without traits is an ordinary table component") {
    World world;
    const Entity e = world.spawn();
    const auto tables = world.stats().tables;
    world.set(e, Plain{1});
    CHECK(world.stats().tables == tables + 1);
    world.despawn(e);
    CHECK_FALSE(world.has<Plain>(e));
}

TEST_CASE("a component tracked by rows behaves like any other") {
    World world;
    const Entity e = world.spawn(RowTracked{5});
    world.add<Plain>(e);
    CHECK(world.get<const RowTracked>(e).value == 5);
    world.get<RowTracked>(e).value = 6;
    world.remove<Plain>(e);
    CHECK(world.get<const RowTracked>(e).value == 6);
    CHECK(world.remove<RowTracked>(e));
    world.check();
}
