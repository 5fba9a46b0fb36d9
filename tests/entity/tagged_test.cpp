// Guards WorldOptions::tagged: handles of two tagged worlds are never taken for each other.
#include "../base/thrown.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <span>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

using stoa::Entity;
using stoa::World;
using stoa::WorldOptions;

namespace {

constexpr std::uint32_t last = (1u << 20) - 1;  // of the generations of one world

struct Mark {
    int value = 0;
};

std::uint32_t number_of(Entity entity) { return entity.generation() >> 20; }

}  // namespace

TEST_CASE("a world without a tag has no number in its handles") {
    World tagged{WorldOptions{.tagged = true}};
    World plain;
    CHECK(number_of(plain.spawn()) == 0);
    CHECK(plain.spawn().bits() == (std::uint64_t{1} << 32 | 1));
}

TEST_CASE("tagged worlds take each other's handles for dead") {
    World a{WorldOptions{.tagged = true}};
    World b{WorldOptions{.tagged = true}};
    for (int i = 0; i < 100; ++i) {
        const Entity in_a = a.spawn(Mark{i});
        const Entity in_b = b.spawn(Mark{-i});
        CHECK(in_a.index() == in_b.index());
        CHECK(in_a != in_b);
        CHECK_FALSE(a.alive(in_b));
        CHECK_FALSE(b.alive(in_a));
        CHECK(a.find<Mark>(in_b) == nullptr);
        CHECK_FALSE(b.despawn(in_a));
        CHECK(a.get<Mark>(in_a).value == i);
        if (i % 3 != 0) continue;
        CHECK(a.despawn(in_a));
        CHECK(b.despawn(in_b));
    }
    a.check();
    b.check();
}

TEST_CASE("every way to get an id gives the number of the world") {
    World other{WorldOptions{.tagged = true}};
    World world{WorldOptions{.tagged = true}};
    const std::uint32_t number = number_of(world.spawn());
    CHECK(number != number_of(other.spawn()));
    CHECK(number_of(world.commands().spawn(Mark{1})) == number);
    world.flush();
    std::vector<Entity> ids(1000);
    world.spawn_many(std::span{ids}, Mark{2});
    for (const Entity id : ids) REQUIRE(number_of(id) == number);
    world.despawn_many(ids);
    for (Entity& id : ids) id = world.clone(world.spawn(Mark{3}));
    for (const Entity id : ids) REQUIRE(number_of(id) == number);
    world.clear();
    CHECK(number_of(world.spawn()) == number);
    world.check();
}

TEST_CASE("a number is free again when its world ends, and moves with its world") {
    std::optional<World> first{std::in_place, WorldOptions{.tagged = true}};
    World second{WorldOptions{.tagged = true}};
    const Entity in_first = first->spawn();
    World moved = std::move(*first);
    first.reset();
    CHECK(moved.alive(in_first));
    World third{WorldOptions{.tagged = true}};
    CHECK(number_of(third.spawn()) != number_of(in_first));
    CHECK(number_of(third.spawn()) != number_of(second.spawn()));
    { const World ended = std::move(moved); }
    World fourth{WorldOptions{.tagged = true}};
    CHECK(number_of(fourth.spawn()) == number_of(in_first));
}

TEST_CASE("an index of a tagged world is retired after its last generation, and never gets the next number") {
    World world{WorldOptions{.first_generation = last - 1, .tagged = true}};
    World next{WorldOptions{.tagged = true}};
    const std::uint32_t number = number_of(world.spawn());
    std::unordered_set<std::uint64_t> seen;
    for (int i = 0; i < 20; ++i) {
        const Entity e = i % 2 == 0 ? world.spawn(Mark{i}) : world.commands().spawn(Mark{i});
        world.flush();
        CHECK(world.alive(e));
        CHECK(number_of(e) == number);
        CHECK(seen.insert(e.bits()).second);
        world.despawn(e);
        CHECK_FALSE(world.alive(e));
        world.check();
    }
    CHECK(world.spawn().index() == 11);
}

TEST_CASE("ids of dropped buffers are retired at the end of their generations too") {
    World world{WorldOptions{.first_generation = last, .tagged = true}};
    for (std::uint32_t i = 0; i < 5; ++i) {
        stoa::Commands dropped{world};
        CHECK(dropped.spawn(Mark{}).index() == i);
    }
    world.flush();
    CHECK(world.spawn().index() == 5);
    world.check();
}

TEST_CASE("the first generation of a tagged world counts modulo the generations that it has") {
    for (const std::uint32_t asked : {0u, 1u, 7u, 1u << 20, (5u << 20) + 3, 0xffffffffu}) {
        World world{WorldOptions{.first_generation = asked, .tagged = true}};
        const std::uint32_t own = asked & last;
        CHECK((world.spawn().generation() & last) == (own == 0 ? 1 : own));
    }
}

TEST_CASE("there are 4,095 tagged worlds at a time") {
    std::vector<World> worlds;
    std::unordered_set<std::uint32_t> numbers;
    for (int i = 0; i < 4095; ++i) {
        worlds.emplace_back(WorldOptions{.tagged = true});
        numbers.insert(number_of(worlds.back().spawn()));
    }
    CHECK(numbers.size() == 4095);
    CHECK_FALSE(numbers.contains(0));
    CHECK(api_test::throws(stoa::Errc::capacity, [] { World{WorldOptions{.tagged = true}}; }));
    CHECK(number_of(World{}.spawn()) == 0);
    const std::uint32_t freed = number_of(worlds[1234].spawn());
    worlds.erase(worlds.begin() + 1234);
    CHECK(number_of(World{WorldOptions{.tagged = true}}.spawn()) == freed);
}

TEST_CASE("tagged worlds may be made by several threads") {
    std::vector<Entity> ids(4 * 50);
    std::vector<std::vector<World>> worlds(4);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            for (std::size_t i = 0; i < 50; ++i) {
                worlds[t].emplace_back(WorldOptions{.tagged = true});
                ids[t * 50 + i] = worlds[t].back().spawn();
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    std::unordered_set<std::uint64_t> seen;
    for (const Entity id : ids) CHECK(seen.insert(id.bits()).second);
}
