// Guards take, get_or_emplace and add with values: what they return, what they leave, and what observers see.
#include <stoa/stoa.hpp>
#include "../base/thrown.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

using stoa::Entity;
using stoa::Errc;
using stoa::World;

namespace {

struct Name {
    std::string text;
};
struct Owner {
    std::unique_ptr<int> number;
};
struct Note {
    std::string text;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};
struct Grave {
    int depth = 0;
    static constexpr stoa::Traits stoa_traits{.cleanup = true};
};
struct Position {
    int x = 0;
    int y = 0;
};
struct Red {};

// Cannot be moved while `is_stuck`.
struct Fragile {
    static inline bool is_stuck = false;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};

    explicit Fragile(int number) : value(number) {}
    Fragile(Fragile&& other) : value(other.value) {
        if (is_stuck) throw std::runtime_error("stuck");
    }
    int value;
};

}  // namespace

TEST_CASE("take removes a component and returns its value") {
    World world;
    const Entity e = world.spawn(Name{"a long enough name that it is allocated"}, Position{1, 2}, Red{});
    world.set(e, Note{"note"});
    const std::optional<Name> name = world.take<Name>(e);
    REQUIRE(name.has_value());
    CHECK(name->text == "a long enough name that it is allocated");
    CHECK(world.take<Position>(e)->y == 2);
    CHECK(world.take<Note>(e)->text == "note");
    CHECK(world.take<Red>(e).has_value());
    CHECK(world.components(e).empty());
    CHECK(world.alive(e));
    world.check();
}

TEST_CASE("take returns nothing where there is nothing to take") {
    World world;
    const Entity e = world.spawn(Position{});
    CHECK_FALSE(world.take<Name>(e).has_value());
    CHECK_FALSE(world.take<Note>(e).has_value());
    world.despawn(e);
    CHECK_FALSE(world.take<Position>(e).has_value());
    CHECK_FALSE(world.take<Position>(Entity{}).has_value());
}

TEST_CASE("take moves what cannot be copied") {
    World world;
    const Entity e = world.spawn(Owner{std::make_unique<int>(7)});
    const std::optional<Owner> owner = world.take<Owner>(e);
    REQUIRE(owner.has_value());
    CHECK(*owner->number == 7);
}

TEST_CASE("a take whose value throws when it is moved takes nothing") {
    World world;
    const Entity e = world.spawn();
    world.emplace<Fragile>(e, 3);
    Fragile::is_stuck = true;
    CHECK_THROWS_AS(static_cast<void>(world.take<Fragile>(e)), std::runtime_error);
    Fragile::is_stuck = false;
    CHECK(world.get<const Fragile>(e).value == 3);
    CHECK(world.take<Fragile>(e)->value == 3);
    CHECK_FALSE(world.has<Fragile>(e));
    world.check();
}

TEST_CASE("take gives a ghost its end") {
    World world;
    const Entity e = world.spawn(Grave{3});
    world.despawn(e);
    CHECK(world.take<Grave>(e)->depth == 3);
    CHECK_FALSE(world.has<Grave>(e));
    world.check();
}

TEST_CASE("observers and logs of removed values see what take removes") {
    World world;
    world.keep_removed<Name, Note>();
    std::string seen;
    const auto told = world.query<const Name>().on_leave([&](const Name& name) { seen = name.text; });
    const Entity e = world.spawn(Name{"name"});
    world.set(e, Note{"note"});
    CHECK(world.take<Name>(e)->text == "name");
    CHECK(world.take<Note>(e)->text == "note");
    CHECK(seen == "name");
    CHECK(world.find_removed<Name>(e)->text == "name");
    CHECK(world.find_removed<Note>(e)->text == "note");
}

TEST_CASE("get_or_emplace makes a component once") {
    World world;
    const Entity e = world.spawn();
    world.get_or_emplace<Name>(e, "first").text += "!";
    CHECK(world.get_or_emplace<Name>(e, "second").text == "first!");
    CHECK(world.entity(e).get_or_emplace<Note>("note").text == "note");
    CHECK(world.get_or_emplace<Position>(e, 1, 2).y == 2);
    world.despawn(e);
    CHECK(api_test::throws(Errc::dead_entity, [&] { world.get_or_emplace<Name>(e, "third"); }));
    const Entity marked = world.spawn(Grave{1});
    world.despawn(marked);
    CHECK(api_test::throws(Errc::dead_entity, [&] { world.get_or_emplace<Grave>(marked); }));
}

TEST_CASE("get_or_emplace counts as a change of a present value") {
    World world;
    const Entity e = world.spawn(Position{});
    auto changed = world.query<stoa::Changed<Position>>();
    CHECK(changed.count() == 1);
    changed.each([](Entity) {});
    CHECK(changed.count() == 0);
    world.get_or_emplace<Position>(e);
    CHECK(changed.count() == 1);
}

TEST_CASE("add with values keeps what is there") {
    World world;
    const Entity e = world.spawn(Position{1, 2});
    CHECK(world.add(e, Position{3, 4}, Name{"name"}, Note{"note"}, Red{}));
    CHECK(world.get<const Position>(e).x == 1);
    CHECK(world.get<const Name>(e).text == "name");
    CHECK(world.get<const Note>(e).text == "note");
    CHECK(world.has<Red>(e));
    CHECK_FALSE(world.add(e, Name{"other"}, Note{"other"}));
    CHECK_FALSE(world.add(e, Position{5, 6}));
    CHECK_FALSE(world.add(e, Note{"other"}));
    CHECK(world.get<const Name>(e).text == "name");
    CHECK(world.get<const Note>(e).text == "note");
    CHECK(world.entity(e).add(Owner{std::make_unique<int>(4)}, Name{"other"}).has<Owner>());
    CHECK(world.get<const Name>(e).text == "name");
    world.despawn(e);
    CHECK_FALSE(world.add(e, Position{}));
    CHECK_FALSE(world.add(e, Position{}, Name{}));
    world.check();
}

TEST_CASE("add with values takes them out of the world itself") {
    World world;
    const Entity from = world.spawn(Name{"name"}, Position{1, 2});
    const Entity to = world.spawn();
    CHECK(world.add(to, world.get<const Name>(from), world.get<const Position>(from)));
    CHECK(world.get<const Name>(to).text == "name");
    CHECK(world.get<const Name>(from).text == "name");
}

TEST_CASE("add with values is one move") {
    World world;
    int moves = 0;
    const auto told = world.query<Position>().on_enter([&](Entity) { ++moves; });
    const Entity e = world.spawn();
    world.add(e, Position{}, Name{"name"}, Red{});
    CHECK(moves == 1);
    CHECK(world.tables().size() == 2);  // without components, and with all three
}
