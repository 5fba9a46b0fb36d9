// Guards the Entity handle as a value: eight bytes, regular, ordered, hashable, convertible to bits and back.

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <vector>

using stoa::Entity;
using stoa::World;

TEST_CASE("an entity handle is eight bytes and trivially copyable") {
    static_assert(sizeof(Entity) == 8);
    static_assert(std::is_trivially_copyable_v<Entity>);
    CHECK(sizeof(Entity{}.bits()) == 8);
}

TEST_CASE("an entity handle is regular and totally ordered") {
    static_assert(std::regular<Entity>);
    static_assert(std::totally_ordered<Entity>);
    static_assert(std::is_nothrow_default_constructible_v<Entity>);
    static_assert(std::is_nothrow_copy_constructible_v<Entity>);
    CHECK(Entity{} == Entity{});
}

TEST_CASE("a default handle is null") {
    const Entity e;
    CHECK_FALSE(bool(e));
    CHECK(e.bits() == 0);
    CHECK(e == Entity::from_bits(0));
}

TEST_CASE("a null handle is usable in constant expressions") {
    constexpr Entity null;
    static_assert(null.bits() == 0);
    static_assert(!null);
    static_assert(Entity::from_bits(77).bits() == 77);
    CHECK(null == Entity{});
}

TEST_CASE("a spawned entity is never null") {
    World world;
    const Entity e = world.spawn();
    CHECK(bool(e));
    CHECK(e != Entity{});
    CHECK(e.bits() != 0);
}

TEST_CASE("a handle does not convert to a number or a truth value by accident") {
    static_assert(!std::is_convertible_v<Entity, bool>);
    static_assert(!std::is_convertible_v<Entity, std::uint64_t>);
    static_assert(!std::is_convertible_v<std::uint64_t, Entity>);
    CHECK(std::is_constructible_v<bool, Entity>);
}

TEST_CASE("bits make a round trip") {
    World world;
    for (int i = 0; i < 100; ++i) {
        const Entity e = world.spawn();
        const Entity again = Entity::from_bits(e.bits());
        CHECK(again == e);
        CHECK(again.index() == e.index());
        CHECK(again.generation() == e.generation());
        CHECK(world.alive(again));
    }
}

TEST_CASE("arbitrary bits make a round trip too") {
    for (const std::uint64_t bits : {std::uint64_t{1}, std::uint64_t{0x0123456789ABCDEF}, ~std::uint64_t{0},
                                     std::uint64_t{1} << 32U, std::uint64_t{0xFFFFFFFF}}) {
        CHECK(Entity::from_bits(bits).bits() == bits);
    }
}

TEST_CASE("index and generation together decide equality") {
    World world;
    const Entity first = world.spawn();
    const Entity neighbour = world.spawn();
    world.despawn(first);
    const Entity again = world.spawn();
    CHECK(first != neighbour);
    CHECK(first.index() == again.index());
    CHECK(first != again);
}

TEST_CASE("handles of one generation are ordered by index") {
    World world;
    std::vector<Entity> made;
    for (int i = 0; i < 50; ++i) made.push_back(world.spawn());
    std::vector<Entity> shuffled{made.rbegin(), made.rend()};
    std::sort(shuffled.begin(), shuffled.end());
    CHECK(shuffled == made);
}

TEST_CASE("null comes before every spawned entity") {
    World world;
    CHECK(Entity{} < world.spawn());
    CHECK(Entity{} <= world.spawn());
    CHECK(world.spawn() > Entity{});
}

TEST_CASE("handles can be keys of ordered containers") {
    World world;
    std::set<Entity> set;
    std::map<Entity, int> map;
    for (int i = 0; i < 100; ++i) {
        const Entity e = world.spawn();
        CHECK(set.insert(e).second);
        CHECK_FALSE(set.insert(e).second);
        map[e] = i;
    }
    CHECK(set.size() == 100);
    CHECK(map.size() == 100);
}

TEST_CASE("handles can be keys of hashed containers") {
    World world;
    std::unordered_set<Entity> set;
    std::unordered_map<Entity, int> map;
    std::vector<Entity> made;
    for (int i = 0; i < 1000; ++i) {
        made.push_back(world.spawn());
        set.insert(made.back());
        map.emplace(made.back(), i);
    }
    CHECK(set.size() == 1000);
    CHECK(map.at(made[500]) == 500);
    CHECK(set.count(Entity{}) == 0);
}

TEST_CASE("equal handles have equal hashes and different ones nearly always different hashes") {
    World world;
    std::unordered_set<std::size_t> hashes;
    for (int i = 0; i < 10000; ++i) {
        const Entity e = world.spawn();
        const Entity copy = e;
        CHECK(std::hash<Entity>{}(e) == std::hash<Entity>{}(copy));
        hashes.insert(std::hash<Entity>{}(e));
    }
    CHECK(hashes.size() > 9900);
}

TEST_CASE("handles of successive generations have different hashes") {
    World world;
    std::unordered_set<std::size_t> hashes;
    for (int i = 0; i < 1000; ++i) {
        const Entity e = world.spawn();
        hashes.insert(std::hash<Entity>{}(e));
        world.despawn(e);
    }
    CHECK(hashes.size() > 990);
}
