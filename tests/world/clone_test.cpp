// Guards clone and copy: which components they take, what they leave, when they refuse (SY-25, W-SY-8).

#include "../base/thrown.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

using api_test::throws;
using stoa::Entity;
using stoa::Errc;
using stoa::World;

namespace {

struct Position {
    int x = 0;
};

struct Name {
    std::string text;
};

struct Tag {};

struct Burning {
    std::string cause;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

struct Body {
    int handle = 0;
    static constexpr stoa::Traits stoa_traits{.cleanup = true};
};

struct UniqueBody {
    std::unique_ptr<int> handle;
    static constexpr stoa::Traits stoa_traits{.cleanup = true};
};

struct UniqueSparse {
    std::unique_ptr<int> handle;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

}  // namespace

TEST_CASE("a clone has copies of every component and is alive") {
    World world;
    const Entity e = world.spawn(Position{4}, Name{"orc"}, Tag{}, Burning{"oil"});
    const Entity twin = world.clone(e);
    CHECK(twin != e);
    CHECK(world.alive(twin));
    CHECK(world.size() == 2);
    CHECK(world.get<const Position>(twin).x == 4);
    CHECK(world.get<const Name>(twin).text == "orc");
    CHECK(world.has<Tag>(twin));
    CHECK(world.get<const Burning>(twin).cause == "oil");
    CHECK(world.components(twin).size() == 4);
    world.check();
}

TEST_CASE("a clone and its original go separate ways") {
    World world;
    const Entity e = world.spawn(Name{"orc"}, Burning{"oil"});
    const Entity twin = world.clone(e);
    world.get<Name>(twin).text = "elf";
    world.get<Burning>(e).cause = "gas";
    CHECK(world.get<const Name>(e).text == "orc");
    CHECK(world.get<const Burning>(twin).cause == "oil");
    world.despawn(e);
    CHECK(world.get<const Name>(twin).text == "elf");
}

TEST_CASE("an entity without components can be cloned") {
    World world;
    const Entity twin = world.clone(world.spawn());
    CHECK(world.alive(twin));
    CHECK(world.components(twin).empty());
}

TEST_CASE("many clones of one entity survive the growth of its table") {
    World world;
    const Entity e = world.spawn(Name{std::string(60, 'c')});
    for (int i = 0; i < 5000; ++i) REQUIRE(world.get<const Name>(world.clone(e)).text == std::string(60, 'c'));
    CHECK(world.table<Name>().size() == 5001);
}

TEST_CASE("a clone of a clone is a clone") {
    World world;
    Entity e = world.spawn(Name{"first"}, Position{1});
    for (int i = 0; i < 10; ++i) e = world.clone(e);
    CHECK(world.get<const Name>(e).text == "first");
    CHECK(world.size() == 11);
}

TEST_CASE("a clone leaves out cleanup components") {
    World world;
    const Entity e = world.spawn(Position{1}, Body{2});
    const Entity twin = world.clone(e);
    CHECK(world.has<Position>(twin));
    CHECK_FALSE(world.has<Body>(twin));
    CHECK(world.get<const Body>(e).handle == 2);
}

TEST_CASE("a cleanup component that cannot be copied does not stop a clone") {
    World world;
    const Entity e = world.spawn(Position{1}, UniqueBody{});
    const Entity twin = world.clone(e);
    CHECK(world.has<Position>(twin));
    CHECK_FALSE(world.has<UniqueBody>(twin));
}

TEST_CASE("a component that cannot be copied stops a clone, and nothing has happened") {
    World world;
    const Entity table = world.spawn(Name{"x"}, std::make_unique<int>(1));
    const Entity sparse = world.spawn(Name{"y"}, UniqueSparse{});
    CHECK(throws(Errc::not_copyable, [&] { world.clone(table); }));
    CHECK(throws(Errc::not_copyable, [&] { world.clone(sparse); }));
    CHECK(world.size() == 2);
    CHECK(world.spawn().index() == 2);
    world.check();
}

TEST_CASE("a clone of a dead entity is a dead entity") {
    World world;
    const Entity e = world.spawn(Position{});
    world.despawn(e);
    CHECK(throws(Errc::dead_entity, [&] { world.clone(e); }));
    CHECK(throws(Errc::dead_entity, [&] { world.clone(Entity{}); }));
    CHECK(world.size() == 0);
}

TEST_CASE("copy adds and replaces the components of the source and keeps the others") {
    World world;
    const Entity from = world.spawn(Position{4}, Name{"from"}, Burning{"oil"}, Tag{});
    const Entity to = world.spawn(Name{"to"}, 3.5);
    world.copy(from, to);
    CHECK(world.get<const Position>(to).x == 4);
    CHECK(world.get<const Name>(to).text == "from");
    CHECK(world.get<const Burning>(to).cause == "oil");
    CHECK(world.has<Tag>(to));
    CHECK(world.get<const double>(to) == 3.5);
    CHECK(world.get<const Name>(from).text == "from");
    CHECK(world.size() == 2);
    world.check();
}

TEST_CASE("copy between entities of one table replaces in place") {
    World world;
    const Entity from = world.spawn(Name{"from"}, Position{1});
    const Entity to = world.spawn(Name{"to"}, Position{2});
    const auto tables = world.stats().tables;
    world.copy(from, to);
    CHECK(world.get<const Name>(to).text == "from");
    CHECK(world.get<const Position>(to).x == 1);
    CHECK(world.stats().tables == tables);
    world.check();
}

TEST_CASE("copy into an entity of the same table as the target moves rows safely") {
    World world;
    std::vector<Entity> made;
    for (int i = 0; i < 50; ++i) made.push_back(world.spawn(Position{i}));
    const Entity from = world.spawn(Name{"n"}, Position{100});
    for (const Entity to : made) world.copy(from, to);
    for (const Entity e : made) {
        CHECK(world.get<const Name>(e).text == "n");
        CHECK(world.get<const Position>(e).x == 100);
    }
    world.check();
}

TEST_CASE("copy leaves cleanup components where they are") {
    World world;
    const Entity from = world.spawn(Position{1}, Body{2});
    const Entity to = world.spawn(Body{3});
    const Entity bare = world.spawn();
    world.copy(from, to);
    world.copy(from, bare);
    CHECK(world.get<const Body>(to).handle == 3);
    CHECK_FALSE(world.has<Body>(bare));
    CHECK(world.has<Position>(to));
    CHECK(world.has<Position>(bare));
}

TEST_CASE("copy of an entity onto itself does nothing") {
    World world;
    const Entity e = world.spawn(Name{std::string(60, 's')}, Position{1}, Burning{"oil"});
    world.copy(e, e);
    CHECK(world.get<const Name>(e).text == std::string(60, 's'));
    CHECK(world.get<const Burning>(e).cause == "oil");
    const Entity unique = world.spawn(std::make_unique<int>(1));
    world.copy(unique, unique);
    CHECK(*world.get<std::unique_ptr<int>>(unique) == 1);
    world.check();
}

TEST_CASE("copy refuses a component that cannot be copied, and nothing has happened") {
    World world;
    const Entity from = world.spawn(Position{9}, std::make_unique<int>(1));
    const Entity to = world.spawn(Position{1});
    CHECK(throws(Errc::not_copyable, [&] { world.copy(from, to); }));
    CHECK(world.get<const Position>(to).x == 1);
    CHECK(world.components(to).size() == 1);
    world.check();
}

TEST_CASE("copy from or to a dead entity is a dead entity") {
    World world;
    const Entity living = world.spawn(Position{1});
    const Entity dead = world.spawn(Position{2});
    world.despawn(dead);
    CHECK(throws(Errc::dead_entity, [&] { world.copy(dead, living); }));
    CHECK(throws(Errc::dead_entity, [&] { world.copy(living, dead); }));
    CHECK(throws(Errc::dead_entity, [&] { world.copy(Entity{}, living); }));
    CHECK(throws(Errc::dead_entity, [&] { world.copy(living, Entity{}); }));
    CHECK(world.get<const Position>(living).x == 1);
}

TEST_CASE("copy of an empty entity changes nothing") {
    World world;
    const Entity to = world.spawn(Position{1});
    world.copy(world.spawn(), to);
    CHECK(world.get<const Position>(to).x == 1);
    CHECK(world.components(to).size() == 1);
}
