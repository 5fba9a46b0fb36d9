// Guards what a world tells about itself: components of an entity, tables, statistics, check (SY-8).

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

using stoa::Entity;
using stoa::World;

namespace {

struct Position {
    double x = 0;
    double y = 0;
};

struct Health {
    int points = 0;
    static constexpr stoa::Traits stoa_traits{.name = "health"};
};

struct Tag {};

struct Sparse {
    char bytes[24] = {};
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse, .name = "sparse"};
};

template <int N>
struct Numbered {
    int value = N;
};

std::vector<std::string> names_of(const World& world, Entity e) {
    std::vector<std::string> names;
    for (const stoa::ComponentInfo& info : world.components(e)) names.emplace_back(info.name);
    std::sort(names.begin(), names.end());
    return names;
}

std::size_t rows_in_tables(const World& world) {
    std::size_t rows = 0;
    for (const auto& table : world.tables()) rows += table.rows;
    return rows;
}

}  // namespace

TEST_CASE("components lists what an entity has, sparse ones and tags too") {
    World world;
    const Entity e = world.spawn(Health{}, Sparse{});
    CHECK(names_of(world, e) == std::vector<std::string>{"health", "sparse"});
    world.add<Tag>(e);
    CHECK(world.components(e).size() == 3);
    world.remove<Health>(e);
    CHECK(world.components(e).size() == 2);
    CHECK(world.components(world.spawn()).empty());
}

TEST_CASE("a component description has an id, a name and a size") {
    World world;
    const Entity e = world.spawn(Health{});
    const auto listed = world.components(e);
    REQUIRE(listed.size() == 1);
    CHECK(listed[0].id == world.component<Health>().id);
    CHECK(std::string{listed[0].name} == "health");
    CHECK(listed[0].size == sizeof(Health));
}

TEST_CASE("component describes a type, used or not") {
    World world;
    CHECK(world.component<Position>().size == sizeof(Position));
    CHECK(world.component<Sparse>().size == 24);
    CHECK(world.component<Position>().id == world.component<Position>().id);
    CHECK(world.component<Position>().id != world.component<Health>().id);
    CHECK(world.size() == 0);
}

TEST_CASE("the components of a dead entity are none") {
    World world;
    const Entity e = world.spawn(Health{});
    world.despawn(e);
    CHECK(world.components(e).empty());
    CHECK(world.components(Entity{}).empty());
}

TEST_CASE("tables describe where the entities are") {
    World world;
    world.spawn_many(10, Position{});
    world.spawn_many(20, Position{}, Health{});
    world.spawn_many(5);
    CHECK(rows_in_tables(world) == 35);
    bool found = false;
    for (const auto& table : world.tables()) {
        if (table.rows != 20) continue;
        found = true;
        CHECK(table.components.size() == 2);
        CHECK(table.chunks >= 1);
        CHECK(table.bytes >= 20 * (sizeof(Position) + sizeof(Health)));
    }
    CHECK(found);
}

TEST_CASE("the rows of all tables are the living entities") {
    World world;
    std::vector<Entity> ids(100);
    world.spawn_many(std::span{ids}, Position{});
    for (std::size_t i = 0; i < 50; ++i) world.add<Tag>(ids[i]);
    for (std::size_t i = 0; i < 100; i += 7) world.despawn(ids[i]);
    CHECK(rows_in_tables(world) == world.size());
}

TEST_CASE("stats count entities, tables, chunks and components") {
    World world;
    CHECK(world.stats().entities == 0);
    CHECK(world.stats().queries == 0);
    world.spawn_many(10, Position{}, Health{});
    const auto one = world.stats();
    CHECK(one.entities == 10);
    CHECK(one.chunks >= 1);
    CHECK(one.components == 2);
    CHECK(one.bytes_used > 0);
    CHECK(one.bytes_reserved >= one.bytes_used);
    world.spawn(Position{}, Sparse{});
    const auto two = world.stats();
    CHECK(two.entities == 11);
    CHECK(two.tables == one.tables + 1);
    CHECK(two.components == 3);
}

TEST_CASE("stats agree with tables") {
    World world;
    world.spawn_many(3000, Position{});
    world.spawn_many(500, Position{}, Health{});
    std::size_t chunks = 0;
    for (const auto& table : world.tables()) chunks += table.chunks;
    CHECK(world.tables().size() == world.stats().tables);
    CHECK(chunks == world.stats().chunks);
}

TEST_CASE("asking about a world does not change it") {
    World world;
    world.spawn(Position{}, Health{});
    const auto before = world.stats();
    (void)world.tables();
    (void)world.components(world.spawn());
    world.check();
    CHECK(world.stats().tables <= before.tables + 1);
    CHECK(world.stats().components == before.components);
}

TEST_CASE("check passes for every world that the verbs can make") {
    World world;
    world.check();
    std::vector<Entity> made;
    unsigned random = 3;
    for (int i = 0; i < 1000; ++i) {
        random = random * 1664525U + 1013904223U;
        const Entity e = made.empty() ? Entity{} : made[(random >> 8U) % made.size()];
        switch ((random >> 20U) % 8U) {
            case 0:
                made.push_back(world.spawn(Position{}));
                break;
            case 1:
                made.push_back(world.spawn<Health, Tag>());
                break;
            case 2:
                world.add<Sparse>(e);
                break;
            case 3:
                world.add<Numbered<1>, Tag>(e);
                break;
            case 4:
                world.remove<Tag>(e);
                break;
            case 5:
                world.remove<Position, Sparse>(e);
                break;
            case 6:
                world.despawn(e);
                break;
            default:
                made.push_back(world.spawn());
                break;
        }
        world.check();
    }
    CHECK(world.size() == rows_in_tables(world));
}
