// Guards spawning in bulk: copies of values, ids in row order, whole columns.

#include "../base/thrown.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <span>
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

struct Velocity {
    int x = 0;
};

struct Name {
    std::string text;
};

struct Tag {};

struct Sparse {
    int value = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

}  // namespace

TEST_CASE("spawn_many makes that many copies of the values") {
    World world;
    world.spawn_many(1000, Position{5}, Name{"copy"});
    CHECK(world.size() == 1000);
    auto table = world.table<Position, Name>();
    CHECK(table.size() == 1000);
    int wrong = 0;
    table.each([&](Position& p, Name& n) { wrong += p.x != 5 || n.text != "copy"; });
    CHECK(wrong == 0);
    world.check();
}

TEST_CASE("spawn_many hands out the ids in row order") {
    World world;
    std::vector<Entity> ids(3000);
    world.spawn_many(std::span{ids}, Position{1});
    std::vector<Entity> rows;
    world.table<Position>().each([&](Entity e, Position&) { rows.push_back(e); });
    CHECK(rows == ids);
    for (std::uint32_t i = 0; i < ids.size(); ++i) CHECK(ids[i].index() == i);
}

TEST_CASE("spawn_many appends to what is in the table already") {
    World world;
    const Entity first = world.spawn(Position{9});
    std::vector<Entity> ids(10);
    world.spawn_many(std::span{ids}, Position{1});
    std::vector<Entity> rows;
    world.table<Position>().each([&](Entity e, Position&) { rows.push_back(e); });
    REQUIRE(rows.size() == 11);
    CHECK(rows[0] == first);
    CHECK(std::vector<Entity>(rows.begin() + 1, rows.end()) == ids);
    CHECK(world.get<const Position>(first).x == 9);
}

TEST_CASE("spawn_many of nothing is nothing") {
    World world;
    world.spawn_many(0, Position{1});
    world.spawn_many(std::span<Entity>{}, Position{1});
    CHECK(world.size() == 0);
    CHECK(world.spawn().index() == 0);
}

TEST_CASE("spawn_many without values makes empty entities") {
    World world;
    world.spawn_many(5);
    std::vector<Entity> ids(5);
    world.spawn_many(std::span{ids});
    CHECK(world.size() == 10);
    for (const Entity e : ids) {
        CHECK(world.alive(e));
        CHECK(world.components(e).empty());
    }
}

TEST_CASE("spawn_many takes its values from lvalues without changing them") {
    World world;
    Name name{std::string(40, 'm')};
    const Position position{3};
    world.spawn_many(10, name, position);
    CHECK(name.text == std::string(40, 'm'));
    CHECK(world.size() == 10);
}

TEST_CASE("spawn_many mixes tags, sparse and table components") {
    World world;
    std::array<Entity, 50> ids{};
    world.spawn_many(std::span{ids}, Tag{}, Sparse{4}, Position{5});
    for (const Entity e : ids) {
        CHECK(world.has<Tag, Sparse, Position>(e));
        CHECK(world.get<const Sparse>(e).value == 4);
    }
    world.get<Sparse>(ids[0]).value = 1;
    CHECK(world.get<const Sparse>(ids[1]).value == 4);
    world.check();
}

TEST_CASE("each of many has values of its own") {
    World world;
    std::vector<Entity> ids(20);
    world.spawn_many(std::span{ids}, Name{"same"});
    world.get<Name>(ids[3]).text = "other";
    CHECK(world.get<const Name>(ids[2]).text == "same");
    CHECK(world.get<const Name>(ids[4]).text == "same");
}

TEST_CASE("spawn_columns gives entity i the values with number i") {
    World world;
    std::vector<Entity> ids(5000);
    std::vector<Position> positions;
    std::vector<Name> names;
    for (int i = 0; i < 5000; ++i) {
        positions.push_back(Position{i});
        names.push_back(Name{std::to_string(i)});
    }
    world.spawn_columns(std::span{ids}, std::span{positions}, std::span{names});
    CHECK(world.size() == 5000);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        REQUIRE(world.get<const Position>(ids[i]).x == static_cast<int>(i));
        REQUIRE(world.get<const Name>(ids[i]).text == std::to_string(i));
    }
    CHECK(names[4999].text == "4999");
    world.check();
}

TEST_CASE("spawn_columns reads from columns of constants") {
    World world;
    std::array<Entity, 3> ids{};
    const std::vector<Position> positions{{1}, {2}, {3}};
    const std::array<Velocity, 3> velocities{{{4}, {5}, {6}}};
    world.spawn_columns(std::span{ids}, std::span{positions}, std::span{velocities});
    CHECK(world.get<const Position>(ids[2]).x == 3);
    CHECK(world.get<const Velocity>(ids[0]).x == 4);
}

TEST_CASE("spawn_columns hands out the ids in row order") {
    World world;
    std::vector<Entity> ids(100);
    const std::vector<Position> positions(100);
    world.spawn_columns(std::span{ids}, std::span{positions});
    std::vector<Entity> rows;
    world.table<Position>().each([&](Entity e, Position&) { rows.push_back(e); });
    CHECK(rows == ids);
}

TEST_CASE("spawn_columns fills sparse components too") {
    World world;
    std::vector<Entity> ids(10);
    const std::vector<Position> positions(10, Position{2});
    std::vector<Sparse> values;
    for (int i = 0; i < 10; ++i) values.push_back(Sparse{i});
    world.spawn_columns(std::span{ids}, std::span{positions}, std::span{values});
    for (std::size_t i = 0; i < 10; ++i) CHECK(world.get<const Sparse>(ids[i]).value == static_cast<int>(i));
    world.check();
}

TEST_CASE("columns whose lengths disagree are a conflict and spawn nothing") {
    World world;
    std::vector<Entity> ids(3);
    const std::vector<Position> three(3);
    const std::vector<Velocity> two(2);
    const std::vector<Velocity> four(4);
    CHECK(throws(Errc::conflict, [&] { world.spawn_columns(std::span{ids}, std::span{three}, std::span{two}); }));
    CHECK(throws(Errc::conflict, [&] { world.spawn_columns(std::span{ids}, std::span{three}, std::span{four}); }));
    CHECK(throws(Errc::conflict, [&] { world.spawn_columns(std::span{ids}, std::span{two}); }));
    CHECK(throws(Errc::conflict, [&] { world.spawn_columns(std::span{ids}.first(2), std::span{three}); }));
    CHECK(world.size() == 0);
    for (const Entity e : ids) CHECK_FALSE(bool(e));
    CHECK(world.spawn().index() == 0);
    world.check();
}

TEST_CASE("columns of length zero spawn nothing") {
    World world;
    world.spawn_columns(std::span<Entity>{}, std::span<const Position>{}, std::span<const Velocity>{});
    CHECK(world.size() == 0);
}

TEST_CASE("spawn_columns takes constants and tags for all rows") {
    struct Mass {
        float kg = 0;
    };
    struct Label {
        std::string text;
    };
    struct Alive {};
    stoa::World world;
    std::array<stoa::Entity, 3> ids{};
    const std::array<int, 3> numbers{1, 2, 3};
    world.spawn_columns(std::span{ids}, std::span{numbers}, Mass{4}, Alive{}, Label{"one label for all of them, long"});
    for (std::size_t i = 0; i < ids.size(); ++i) {
        CHECK(world.get<const int>(ids[i]) == numbers[i]);
        CHECK(world.get<const Mass>(ids[i]).kg == 4);
        CHECK(world.get<const Label>(ids[i]).text == "one label for all of them, long");
        CHECK(world.has<Alive>(ids[i]));
    }
    // A constant may be a component of the world, whose table grows.
    world.spawn_columns(std::span{ids}, world.get<const Label>(ids[0]), std::span{numbers}, Mass{}, Alive{});
    CHECK(world.get<const Label>(ids[2]).text == "one label for all of them, long");
    const std::array<int, 2> few{};
    CHECK_THROWS_AS(world.spawn_columns(std::span{ids}, Mass{}, std::span{few}), stoa::Error);
    world.check();
}
