// Guards moving a world: content and handles follow, what is left behind answers questions with no and refuses demands.

#include "../base/thrown.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using api_test::throws;
using stoa::Entity;
using stoa::Errc;
using stoa::World;

namespace {

struct Name {
    std::string text;
};

struct S {
    int value = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

struct Counted {
    Counted() noexcept { ++alive; }
    Counted(const Counted&) noexcept { ++alive; }
    Counted(Counted&&) noexcept { ++alive; }
    Counted& operator=(const Counted&) noexcept = default;
    Counted& operator=(Counted&&) noexcept = default;
    ~Counted() { --alive; }
    int value = 0;
    static inline int alive = 0;
};

}  // namespace

TEST_CASE("a moved world keeps its content and its handles") {
    World world;
    std::vector<Entity> made;
    for (int i = 0; i < 100; ++i) made.push_back(world.spawn(Name{std::to_string(i)}, S{i}));
    World home = std::move(world);
    CHECK(home.size() == 100);
    for (std::size_t i = 0; i < 100; ++i) {
        CHECK(home.get<const Name>(made[i]).text == std::to_string(i));
        CHECK(home.get<const S>(made[i]).value == static_cast<int>(i));
    }
    CHECK(home.spawn().index() == 100);
    home.check();
}

TEST_CASE("a world that was moved away answers questions with no") {
    World world;
    const Entity e = world.spawn(Name{"x"}, S{1});
    const World home = std::move(world);
    CHECK_FALSE(world.alive(e));
    CHECK(world.size() == 0);
    CHECK_FALSE(world.has<Name>(e));
    CHECK_FALSE(world.has_any<Name, S>(e));
    CHECK(world.find<Name>(e) == nullptr);
    CHECK(world.find<const S>(e) == nullptr);
    CHECK(world.components(e).empty());
    CHECK(world.tables().empty());
    CHECK(world.stats().entities == 0);
    CHECK(world.stats().bytes_used == 0);
    CHECK(home.alive(e));
}

TEST_CASE("a world that was moved away refuses to change") {
    World world;
    const Entity e = world.spawn(Name{"x"});
    const World home = std::move(world);
    CHECK(throws(Errc::world_gone, [&] { world.spawn(); }));
    CHECK(throws(Errc::world_gone, [&] { world.spawn(Name{}); }));
    CHECK(throws(Errc::world_gone, [&] { world.spawn<Name>(); }));
    CHECK(throws(Errc::world_gone, [&] { world.spawn_many(3, Name{}); }));
    CHECK_FALSE(world.despawn(e));
    CHECK_FALSE(world.add<S>(e));
    CHECK_FALSE(world.remove<Name>(e));
    CHECK(throws(Errc::world_gone, [&] { world.set(e, Name{}); }));
    CHECK(throws(Errc::world_gone, [&] { world.get<Name>(e); }));
    CHECK(throws(Errc::world_gone, [&] { world.clear(); }));
    CHECK(home.size() == 1);
    home.check();
}

TEST_CASE("a world that was moved away can be given a new one") {
    World world;
    const Entity e = world.spawn(Name{"x"});
    World home = std::move(world);
    world = World{};
    CHECK(world.spawn().index() == 0);
    CHECK_FALSE(world.has<Name>(e));
    world = std::move(home);
    CHECK(world.get<const Name>(e).text == "x");
    CHECK(throws(Errc::world_gone, [&] { home.spawn(); }));
    world.check();
}

TEST_CASE("move assignment ends the content of the target") {
    Counted::alive = 0;
    World a;
    World b;
    a.spawn_many(5, Counted{});
    b.spawn_many(7, Counted{});
    a = std::move(b);
    CHECK(Counted::alive == 7);
    CHECK(a.size() == 7);
}

TEST_CASE("a world can be moved through containers") {
    std::vector<World> worlds;
    std::vector<Entity> made;
    for (int i = 0; i < 10; ++i) {
        World world;
        for (int skip = 0; skip < i; ++skip) world.spawn();
        made.push_back(world.spawn(Name{std::to_string(i)}));
        worlds.push_back(std::move(world));
    }
    for (std::size_t i = 0; i < 10; ++i) CHECK(worlds[i].get<const Name>(made[i]).text == std::to_string(i));
    worlds.erase(worlds.begin(), worlds.begin() + 5);
    CHECK(worlds[0].get<const Name>(made[5]).text == "5");
    for (const World& world : worlds) world.check();
}

TEST_CASE("worlds can be swapped") {
    World a;
    World b;
    const Entity in_a = a.spawn(Name{"a"});
    b.spawn();
    const Entity in_b = b.spawn(Name{"b"});
    std::swap(a, b);
    CHECK(b.get<const Name>(in_a).text == "a");
    CHECK(a.get<const Name>(in_b).text == "b");
    CHECK(a.size() == 2);
    a.check();
    b.check();
}

TEST_CASE("a world moved onto itself is unharmed") {
    World world;
    const Entity e = world.spawn(Name{"x"});
    World& same = world;
    world = std::move(same);
    CHECK(world.alive(e));
    CHECK(world.get<const Name>(e).text == "x");
    world.check();
}

TEST_CASE("the end of a world that was moved away is harmless") {
    Counted::alive = 0;
    World home;
    {
        World world;
        world.spawn_many(3, Counted{});
        home = std::move(world);
    }
    CHECK(Counted::alive == 3);
    CHECK(home.size() == 3);
    home.check();
}
