// Guards table handles: an explicit handle on one exact set of components (TI-1, TI-3).

#include "../base/thrown.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using api_test::throws;
using stoa::Entity;
using stoa::Errc;
using stoa::World;

namespace {

struct Velocity {
    int x = 5;
};

struct Position {
    int x = 0;
};

struct Name {
    std::string text;
};

struct Tag {};

}  // namespace

TEST_CASE("a table handle spawns default-constructed entities") {
    World world;
    auto monsters = world.table<Velocity, Position>();
    const Entity e = monsters.spawn();
    CHECK(world.alive(e));
    CHECK(world.get<const Velocity>(e).x == 5);
    CHECK(world.get<const Position>(e).x == 0);
    CHECK(world.components(e).size() == 2);
}

TEST_CASE("a table handle spawns from values") {
    World world;
    auto monsters = world.table<Velocity, Name>();
    Name name{std::string(40, 'l')};
    const Entity a = monsters.spawn(Velocity{1}, name);
    CHECK(name.text == std::string(40, 'l'));
    const Entity b = monsters.spawn(Velocity{2}, std::move(name));
    CHECK(name.text.empty());
    CHECK(world.get<const Name>(a).text == std::string(40, 'l'));
    CHECK(world.get<const Name>(b).text == std::string(40, 'l'));
    CHECK(world.get<const Velocity>(b).x == 2);
}

TEST_CASE("a table handle spawns with an initializer") {
    World world;
    auto monsters = world.table<Velocity, Position>();
    const Entity e = monsters.spawn([](Velocity& v, Position& p) {
        CHECK(v.x == 5);
        v.x = 10;
        p.x = 20;
    });
    CHECK(world.get<const Velocity>(e).x == 10);
    CHECK(world.get<const Position>(e).x == 20);
}

TEST_CASE("an initializer may take the entity first") {
    World world;
    auto monsters = world.table<Velocity, Position>();
    Entity seen;
    const Entity e = monsters.spawn([&](Entity self, Velocity&, Position& p) {
        seen = self;
        p.x = static_cast<int>(self.index()) + 100;
    });
    CHECK(seen == e);
    CHECK(world.get<const Position>(e).x == static_cast<int>(e.index()) + 100);
}

TEST_CASE("structure is locked inside an initializer") {
    World world;
    const Entity other = world.spawn(Position{3});
    auto monsters = world.table<Velocity, Position>();
    const Entity e = monsters.spawn([&](Velocity&, Position&) {
        CHECK(throws(Errc::locked, [&] { world.spawn(); }));
        CHECK(throws(Errc::locked, [&] { monsters.spawn(); }));
        CHECK(throws(Errc::locked, [&] { world.despawn(other); }));
        CHECK(throws(Errc::locked, [&] { world.add<Velocity>(other); }));
        CHECK(throws(Errc::locked, [&] { world.remove<Position>(other); }));
        CHECK(throws(Errc::locked, [&] { world.set(other, Velocity{}); }));
        CHECK(throws(Errc::locked, [&] { world.clear(); }));
        CHECK(world.get<const Position>(other).x == 3);
        world.set(other, Position{4});
    });
    CHECK(world.alive(e));
    CHECK(world.get<const Position>(other).x == 4);
    CHECK(world.size() == 2);
    world.check();
}

TEST_CASE("an initializer that throws leaves no entity behind") {
    World world;
    auto monsters = world.table<Velocity, Name>();
    monsters.spawn(Velocity{1}, Name{"first"});
    const auto fail = [](Velocity&, Name& n) {
        n.text = std::string(50, 'x');
        throw std::runtime_error{"no"};
    };
    CHECK_THROWS_AS(monsters.spawn(fail), std::runtime_error);
    CHECK(world.size() == 1);
    CHECK(monsters.size() == 1);
    const Entity e = monsters.spawn();
    CHECK(e.index() == 1);
    CHECK(world.get<const Name>(e).text.empty());
    world.check();
}

TEST_CASE("the same set gives the same table, in any order") {
    World world;
    auto one = world.table<Velocity, Position>();
    auto two = world.table<Position, Velocity>();
    one.spawn(Velocity{1}, Position{2});
    two.spawn(Position{3}, Velocity{4});
    CHECK(one.size() == 2);
    CHECK(two.size() == 2);
    int sum = 0;
    one.each([&](Velocity& v, Position& p) { sum += 100 * v.x + p.x; });
    CHECK(sum == 505);
}

TEST_CASE("size counts the rows of that table only") {
    World world;
    auto monsters = world.table<Velocity, Position>();
    CHECK(monsters.size() == 0);
    world.spawn(Velocity{}, Position{});
    world.spawn(Position{}, Velocity{}, Name{});
    world.spawn(Position{});
    CHECK(monsters.size() == 1);
    const Entity e = world.spawn(Position{});
    world.add<Velocity>(e);
    CHECK(monsters.size() == 2);
    world.despawn(e);
    CHECK(monsters.size() == 1);
}

TEST_CASE("each visits the rows of that table in order") {
    World world;
    auto monsters = world.table<Velocity, Position>();
    std::vector<Entity> made;
    for (int i = 0; i < 3000; ++i) made.push_back(monsters.spawn(Velocity{i}, Position{-i}));
    world.spawn(Velocity{}, Position{}, Name{});
    std::vector<Entity> seen;
    monsters.each([&](Entity e, Velocity& v, Position& p) {
        REQUIRE(v.x == -p.x);
        seen.push_back(e);
        v.x += 1;
    });
    CHECK(seen == made);
    CHECK(world.get<const Velocity>(made[10]).x == 11);
}

TEST_CASE("each takes a callable without the entity, and const references") {
    World world;
    auto monsters = world.table<Velocity, Position>();
    for (int i = 0; i < 10; ++i) monsters.spawn(Velocity{i}, Position{1});
    int sum = 0;
    monsters.each([&](const Velocity& v, const Position& p) { sum += v.x * p.x; });
    CHECK(sum == 45);
}

TEST_CASE("structure is locked inside each, and free again afterwards") {
    World world;
    auto monsters = world.table<Velocity, Position>();
    monsters.spawn();
    monsters.each([&](Entity e, Velocity&, Position&) {
        CHECK(throws(Errc::locked, [&] { world.despawn(e); }));
        CHECK(throws(Errc::locked, [&] { world.spawn(Velocity{}); }));
        CHECK(throws(Errc::locked, [&] { monsters.spawn(); }));
    });
    CHECK(monsters.size() == 1);
    monsters.spawn();
    CHECK(monsters.size() == 2);
}

TEST_CASE("the lock of each is gone when the callable throws") {
    World world;
    auto monsters = world.table<Velocity>();
    monsters.spawn();
    CHECK_THROWS_AS(monsters.each([](Velocity&) { throw std::runtime_error{"stop"}; }), std::runtime_error);
    monsters.spawn();
    CHECK(monsters.size() == 2);
    world.check();
}

TEST_CASE("each nests") {
    World world;
    auto monsters = world.table<Velocity>();
    for (int i = 0; i < 4; ++i) monsters.spawn(Velocity{1});
    int pairs = 0;
    monsters.each([&](Velocity&) {
        monsters.each([&](Velocity&) { ++pairs; });
        CHECK(throws(Errc::locked, [&] { world.spawn(); }));
    });
    CHECK(pairs == 16);
    world.spawn();
}

TEST_CASE("each over an empty table calls nothing") {
    World world;
    int calls = 0;
    world.table<Velocity, Name>().each([&](Velocity&, Name&) { ++calls; });
    CHECK(calls == 0);
}

TEST_CASE("a table of a tag and a value spawns both") {
    World world;
    auto tagged = world.table<Tag, Position>();
    const Entity e = tagged.spawn();
    CHECK(world.has<Tag, Position>(e));
    CHECK(tagged.size() == 1);
    world.check();
}

TEST_CASE("an entity of a table may change its set later") {
    World world;
    auto monsters = world.table<Velocity, Position>();
    const Entity e = monsters.spawn(Velocity{1}, Position{2});
    world.add<Name>(e);
    CHECK(monsters.size() == 0);
    CHECK(world.get<const Position>(e).x == 2);
    world.remove<Name>(e);
    CHECK(monsters.size() == 1);
}

TEST_CASE("a table handle can be copied and names its type") {
    World world;
    const stoa::TableRef<Velocity, Position> monsters = world.table<Velocity, Position>();
    auto copy = monsters;
    copy.spawn();
    CHECK(monsters.size() == 1);
}

TEST_CASE("a table handle follows its world when the world is moved") {
    World world;
    auto monsters = world.table<Velocity>();
    monsters.spawn();
    World home = std::move(world);
    monsters.spawn();
    CHECK(monsters.size() == 2);
    CHECK(home.size() == 2);
    home.check();
}

TEST_CASE("a table exists once its handle was asked for, and walks see tables in that order") {
    struct First {
        int value = 0;
    };
    struct Second {
        int value = 0;
    };
    stoa::World world;
    auto alone = world.table<First>();
    auto both = world.table<First, Second>();
    const stoa::Entity later = both.spawn(First{2}, Second{});
    const stoa::Entity sooner = alone.spawn(First{1});
    std::vector<stoa::Entity> walked;
    world.query<const First>().each([&](stoa::Entity entity, const First&) { walked.push_back(entity); });
    CHECK(walked == std::vector{sooner, later});
    CHECK(world.tables().size() == 3);
}

TEST_CASE("a table handle that is made during a walk creates nothing until it spawns") {
    struct First {
        int value = 0;
    };
    stoa::World world;
    world.spawn(1);
    world.query<const int>().each([&](const int&) {
        CHECK(world.table<First>().size() == 0);
        CHECK(world.tables().size() == 2);
    });
    world.table<First>().spawn();
    CHECK(world.tables().size() == 3);
}
