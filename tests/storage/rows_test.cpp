// Guards rows: values follow their entity through growth, removal and moves between tables (EC-9, EC-12, EC-15, EC-19).

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

using stoa::Entity;
using stoa::World;

namespace {

struct Number {
    int value = 0;
};

struct Text {
    std::string value;
};

struct Extra {
    double value = 0;
};

template <int N>
struct Numbered {
    int value = N;
};

std::string text_of(int i) { return "a text that is too long for a small buffer: " + std::to_string(i); }

std::vector<Entity> fill(World& world, int count) {
    std::vector<Entity> made;
    for (int i = 0; i < count; ++i) made.push_back(world.spawn(Number{i}, Text{text_of(i)}));
    return made;
}

bool intact(World& world, Entity e, int i) {
    return world.get<const Number>(e).value == i && world.get<const Text>(e).value == text_of(i);
}

}  // namespace

TEST_CASE("values survive growth over many chunks") {
    World world;
    const auto made = fill(world, 20000);
    for (std::size_t i = 0; i < made.size(); ++i) REQUIRE(intact(world, made[i], static_cast<int>(i)));
    world.check();
}

TEST_CASE("removal swaps the last row into the hole") {
    World world;
    const auto made = fill(world, 5);
    world.despawn(made[1]);
    std::vector<Entity> order;
    world.table<Number, Text>().each([&](Entity e, Number&, Text&) { order.push_back(e); });
    CHECK(order == std::vector<Entity>{made[0], made[4], made[2], made[3]});
    for (const std::size_t i : {0U, 2U, 3U, 4U}) CHECK(intact(world, made[i], static_cast<int>(i)));
}

TEST_CASE("removing the first, the middle and the last row keeps the rest intact") {
    for (std::size_t victim = 0; victim < 7; ++victim) {
        World world;
        const auto made = fill(world, 7);
        world.despawn(made[victim]);
        for (std::size_t i = 0; i < 7; ++i) {
            if (i != victim) CHECK(intact(world, made[i], static_cast<int>(i)));
        }
        world.check();
    }
}

TEST_CASE("a removal in the first chunk takes the last row of the last chunk") {
    World world;
    const auto made = fill(world, 10000);
    world.despawn(made[3]);
    CHECK(intact(world, made[9999], 9999));
    for (std::size_t i = 9998; i > 5000; --i) world.despawn(made[i]);
    CHECK(intact(world, made[9999], 9999));
    CHECK(intact(world, made[5000], 5000));
    world.check();
}

TEST_CASE("components keep their values when the entity moves to a wider table and back") {
    World world;
    const auto made = fill(world, 100);
    for (std::size_t i = 0; i < made.size(); i += 2) world.set(made[i], Extra{static_cast<double>(i)});
    for (std::size_t i = 0; i < made.size(); ++i) CHECK(intact(world, made[i], static_cast<int>(i)));
    for (std::size_t i = 0; i < made.size(); i += 4) CHECK(world.remove<Extra>(made[i]));
    for (std::size_t i = 0; i < made.size(); ++i) CHECK(intact(world, made[i], static_cast<int>(i)));
    CHECK(world.get<const Extra>(made[2]).value == 2.0);
    world.check();
}

TEST_CASE("the order in which components come does not matter for the table") {
    World world;
    const Entity a = world.spawn(Number{1}, Text{"a"});
    const auto tables = world.stats().tables;
    const Entity b = world.spawn(Text{"b"}, Number{2});
    CHECK(world.stats().tables == tables);
    CHECK(world.get<const Number>(a).value == 1);
    CHECK(world.get<const Number>(b).value == 2);
    CHECK(world.get<const Text>(b).value == "b");
    CHECK(world.table<Number, Text>().size() == 2);
}

TEST_CASE("a table is the same however an entity came to its set") {
    World world;
    const Entity a = world.spawn();
    world.add<Number>(a);
    world.add<Text>(a);
    const Entity b = world.spawn(Extra{});
    world.set(b, Text{"b"}, Number{2});
    world.remove<Extra>(b);
    world.spawn(Number{}, Text{});
    CHECK(world.table<Text, Number>().size() == 3);
    world.check();
}

TEST_CASE("the last component removed leaves a living, empty entity") {
    World world;
    const Entity e = world.spawn(Number{1});
    CHECK(world.remove<Number>(e));
    CHECK(world.alive(e));
    CHECK(world.components(e).empty());
    CHECK(world.add<Number>(e));
    CHECK(world.get<const Number>(e).value == 0);
}

TEST_CASE("a component that was removed and added again starts anew") {
    World world;
    const Entity e = world.spawn(Number{5}, Text{"old"});
    world.remove<Text>(e);
    world.add<Text>(e);
    CHECK(world.get<const Text>(e).value.empty());
    CHECK(world.get<const Number>(e).value == 5);
}

TEST_CASE("move-only values survive moves between tables and removals of others") {
    World world;
    std::vector<Entity> made;
    for (int i = 0; i < 300; ++i) made.push_back(world.spawn(std::make_unique<int>(i)));
    for (std::size_t i = 0; i < 300; i += 3) world.add<Number>(made[i]);
    for (std::size_t i = 1; i < 300; i += 3) world.despawn(made[i]);
    for (std::size_t i = 0; i < 300; ++i) {
        if (i % 3 != 1) CHECK(*world.get<std::unique_ptr<int>>(made[i]) == static_cast<int>(i));
    }
    world.check();
}

TEST_CASE("many tables live side by side") {
    World world;
    std::vector<Entity> made;
    for (unsigned set = 0; set < 64; ++set) {
        const Entity e = world.spawn(Number{static_cast<int>(set)});
        if ((set & 1U) != 0) world.add<Numbered<0>>(e);
        if ((set & 2U) != 0) world.add<Numbered<1>>(e);
        if ((set & 4U) != 0) world.add<Numbered<2>>(e);
        if ((set & 8U) != 0) world.add<Numbered<3>>(e);
        if ((set & 16U) != 0) world.add<Numbered<4>>(e);
        if ((set & 32U) != 0) world.add<Numbered<5>>(e);
        made.push_back(e);
    }
    for (unsigned set = 0; set < 64; ++set) {
        const Entity e = made[set];
        CHECK(world.get<const Number>(e).value == static_cast<int>(set));
        CHECK(world.has<Numbered<0>>(e) == ((set & 1U) != 0));
        CHECK(world.has<Numbered<3>>(e) == ((set & 8U) != 0));
        CHECK(world.has<Numbered<5>>(e) == ((set & 32U) != 0));
        if ((set & 32U) != 0) CHECK(world.get<const Numbered<5>>(e).value == 5);
    }
    CHECK(world.stats().tables >= 64);
    world.check();
}
