// Guards arguments that point into the world's own storage: values arrive intact also when storage grows or the row
// that they come from moves.

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

using stoa::Entity;
using stoa::World;

namespace {

template <stoa::Storage Where>
struct Label {
    std::string text;
    static constexpr stoa::Traits stoa_traits{.storage = Where};
};

struct Copy {
    std::string text;
};

struct Number {
    int value = 0;
};

using TableLabel = Label<stoa::Storage::table>;
using SparseLabel = Label<stoa::Storage::sparse>;

const std::string long_text(200, 'q');

}  // namespace

TEST_CASE_TEMPLATE("an entity can be spawned from a component of another", L, TableLabel, SparseLabel) {
    World world;
    const Entity e = world.spawn(L{long_text});
    for (int i = 0; i < 5000; ++i) {
        const Entity twin = world.spawn(world.get<const L>(e));
        REQUIRE(world.get<const L>(twin).text == long_text);
        REQUIRE(world.get<const L>(e).text == long_text);
    }
    world.check();
}

TEST_CASE_TEMPLATE("an entity can be spawned from several components of another", L, TableLabel, SparseLabel) {
    World world;
    const Entity e = world.spawn(L{long_text}, Number{3});
    for (int i = 0; i < 3000; ++i) {
        const Entity twin = world.spawn(world.get<const Number>(e), world.get<const L>(e));
        REQUIRE(world.get<const L>(twin).text == long_text);
        REQUIRE(world.get<const Number>(twin).value == 3);
    }
}

TEST_CASE_TEMPLATE("many entities can be spawned from a component of another", L, TableLabel, SparseLabel) {
    World world;
    const Entity e = world.spawn(L{long_text});
    std::vector<Entity> ids(3000);
    world.spawn_many(std::span{ids}, world.get<const L>(e));
    for (const Entity twin : ids) REQUIRE(world.get<const L>(twin).text == long_text);
    CHECK(world.get<const L>(e).text == long_text);
}

TEST_CASE_TEMPLATE("a component can be set from that of another entity", L, TableLabel, SparseLabel) {
    World world;
    const Entity from = world.spawn(L{long_text});
    const Entity present = world.spawn(L{"short"});
    const Entity absent = world.spawn(Number{1});
    world.set(present, world.get<L>(from));
    world.set(absent, world.get<L>(from));
    CHECK(world.get<const L>(present).text == long_text);
    CHECK(world.get<const L>(absent).text == long_text);
    CHECK(world.get<const L>(from).text == long_text);
    world.check();
}

TEST_CASE_TEMPLATE("a component can be set from itself", L, TableLabel, SparseLabel) {
    World world;
    const Entity e = world.spawn(L{long_text});
    world.set(e, world.get<const L>(e));
    CHECK(world.get<const L>(e).text == long_text);
    world.set(e, world.get<L>(e));
    CHECK(world.get<const L>(e).text == long_text);
    world.check();
}

TEST_CASE_TEMPLATE("a component can be moved onto itself", L, TableLabel, SparseLabel) {
    World world;
    const Entity e = world.spawn(L{long_text});
    world.set(e, std::move(world.get<L>(e)));
    CHECK(world.get<const L>(e).text == long_text);
    world.template emplace<L>(e, std::move(world.get<L>(e)));
    CHECK(world.get<const L>(e).text == long_text);
    world.check();
}

TEST_CASE_TEMPLATE("a component can be emplaced from itself and from its own member", L, TableLabel, SparseLabel) {
    World world;
    const Entity e = world.spawn(L{long_text});
    world.template emplace<L>(e, world.get<const L>(e));
    CHECK(world.get<const L>(e).text == long_text);
    world.template emplace<L>(e, world.get<const L>(e).text);
    CHECK(world.get<const L>(e).text == long_text);
    world.check();
}

TEST_CASE_TEMPLATE("a component can be added from a member of the entity that moves", L, TableLabel, SparseLabel) {
    World world;
    const Entity e = world.spawn(L{long_text});
    world.spawn(L{"the row that fills the hole"});
    world.set(e, Copy{world.get<const L>(e).text}, Number{4});
    CHECK(world.get<const Copy>(e).text == long_text);
    world.remove<Copy>(e);
    world.emplace<Copy>(e, world.get<const L>(e).text);
    CHECK(world.get<const Copy>(e).text == long_text);
    CHECK(world.get<const L>(e).text == long_text);
    world.check();
}

TEST_CASE_TEMPLATE("a set that moves the row may take its values from that row", L, TableLabel, SparseLabel) {
    World world;
    const Entity e = world.spawn(L{long_text});
    world.spawn(L{"the row that fills the hole"});
    world.set(e, world.get<const L>(e), Number{1});
    CHECK(world.get<const L>(e).text == long_text);
    CHECK(world.get<const Number>(e).value == 1);
    world.check();
}

TEST_CASE_TEMPLATE("a value can be moved out of one entity into another", L, TableLabel, SparseLabel) {
    World world;
    const Entity from = world.spawn(L{long_text});
    const Entity to = world.spawn(Number{1});
    world.set(to, std::move(world.get<L>(from)));
    CHECK(world.get<const L>(to).text == long_text);
    const Entity next = world.spawn(std::move(world.get<L>(to)));
    CHECK(world.get<const L>(next).text == long_text);
    CHECK(world.has<L>(from));
    CHECK(world.has<L>(to));
    world.check();
}

TEST_CASE("a table handle spawns from a component of its own table") {
    World world;
    auto table = world.table<TableLabel, Number>();
    const Entity e = table.spawn(TableLabel{long_text}, Number{5});
    for (int i = 0; i < 5000; ++i) {
        const Entity twin = table.spawn(world.get<const TableLabel>(e), world.get<const Number>(e));
        REQUIRE(world.get<const TableLabel>(twin).text == long_text);
        REQUIRE(world.get<const Number>(twin).value == 5);
    }
}

TEST_CASE("the swap of two values through a temporary is a swap") {
    World world;
    const Entity a = world.spawn(TableLabel{"a"});
    const Entity b = world.spawn(TableLabel{"b"});
    using std::swap;
    swap(world.get<TableLabel>(a), world.get<TableLabel>(b));
    CHECK(world.get<const TableLabel>(a).text == "b");
    CHECK(world.get<const TableLabel>(b).text == "a");
}

TEST_CASE("an entity stored as a component can be despawned through that component") {
    World world;
    const Entity target = world.spawn(Number{1});
    const Entity e = world.spawn(target);
    CHECK(world.despawn(world.get<const Entity>(e)));
    CHECK_FALSE(world.alive(target));
    world.set(e, e);
    CHECK(world.despawn(world.get<const Entity>(e)));
    CHECK(world.size() == 0);
    world.check();
}
