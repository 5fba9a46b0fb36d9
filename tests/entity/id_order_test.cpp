// Guards the order in which ids are given out: from 0 upwards, freed ones first-freed-first (EC-2, EC-13, TI-6).

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_set>
#include <vector>

using stoa::Entity;
using stoa::World;

namespace {

struct Mark {
    int value = 0;
};

}  // namespace

TEST_CASE("indices start at 0 and go up by one") {
    World world;
    for (std::uint32_t i = 0; i < 1000; ++i) CHECK(world.spawn().index() == i);
}

TEST_CASE("the first generation is not zero, so that the first entity is not null") {
    World world;
    CHECK(world.spawn().generation() == 1);
}

TEST_CASE("a freed id in the middle is reused before a new one is made") {
    World world;
    const Entity a = world.spawn();
    const Entity b = world.spawn();
    const Entity c = world.spawn();
    world.despawn(a);
    const Entity again = world.spawn();
    CHECK(again.index() == 0);
    CHECK(world.spawn().index() == 3);
    CHECK(world.alive(b));
    CHECK(world.alive(c));
    world.check();
}

TEST_CASE("freed ids are reused first-freed-first") {
    World world;
    std::vector<Entity> made;
    for (int i = 0; i < 10; ++i) made.push_back(world.spawn());
    for (const std::size_t i : {7U, 2U, 9U, 0U}) world.despawn(made[i]);
    CHECK(world.spawn().index() == 7);
    CHECK(world.spawn().index() == 2);
    CHECK(world.spawn().index() == 9);
    CHECK(world.spawn().index() == 0);
    CHECK(world.spawn().index() == 10);
}

TEST_CASE("the order of reuse does not depend on the components") {
    World world;
    const Entity a = world.spawn(Mark{1});
    const Entity b = world.spawn();
    const Entity c = world.spawn(Mark{2});
    world.despawn(c);
    world.despawn(a);
    world.despawn(b);
    CHECK(world.spawn().index() == c.index());
    CHECK(world.spawn<Mark>().index() == a.index());
    CHECK(world.spawn(Mark{}).index() == b.index());
}

TEST_CASE("a reused index has the next generation") {
    World world;
    Entity previous = world.spawn();
    for (int i = 0; i < 100; ++i) {
        world.despawn(previous);
        const Entity next = world.spawn();
        CHECK(next.index() == previous.index());
        CHECK(next.generation() == previous.generation() + 1);
        previous = next;
    }
}

TEST_CASE("reuse follows a queue through a long mixed history") {
    World world;
    std::deque<std::uint32_t> free;
    std::vector<Entity> living;
    std::uint32_t next = 0;
    std::uint32_t random = 12345;
    for (int step = 0; step < 5000; ++step) {
        random = random * 1664525U + 1013904223U;
        if (living.empty() || (random >> 16U) % 5U < 3U) {
            const Entity e = world.spawn();
            if (free.empty()) {
                CHECK(e.index() == next);
                ++next;
            } else {
                CHECK(e.index() == free.front());
                free.pop_front();
            }
            living.push_back(e);
        } else {
            const std::size_t at = (random >> 8U) % living.size();
            free.push_back(living[at].index());
            CHECK(world.despawn(living[at]));
            living[at] = living.back();
            living.pop_back();
        }
    }
    CHECK(world.size() == living.size());
    world.check();
}

TEST_CASE("bulk spawning takes freed ids in the same order as single spawning") {
    World one_by_one;
    World bulk;
    std::vector<Entity> expected;
    for (World* world : {&one_by_one, &bulk}) {
        std::vector<Entity> made;
        for (int i = 0; i < 8; ++i) made.push_back(world->spawn(Mark{i}));
        for (const std::size_t i : {5U, 1U, 6U}) world->despawn(made[i]);
    }
    for (int i = 0; i < 6; ++i) expected.push_back(one_by_one.spawn(Mark{}));
    std::vector<Entity> ids(6);
    bulk.spawn_many(std::span{ids}, Mark{});
    CHECK(ids == expected);
}

TEST_CASE("no two living entities share an id, and no id comes twice") {
    World world;
    std::unordered_set<std::uint64_t> seen;
    std::vector<Entity> living;
    for (int round = 0; round < 20; ++round) {
        for (int i = 0; i < 50; ++i) {
            living.push_back(world.spawn());
            CHECK(seen.insert(living.back().bits()).second);
        }
        for (int i = 0; i < 30; ++i) {
            world.despawn(living.front());
            living.erase(living.begin());
        }
    }
    CHECK(world.size() == living.size());
}

TEST_CASE("two worlds count their ids independently") {
    World a;
    World b;
    CHECK(a.spawn().index() == 0);
    CHECK(a.spawn().index() == 1);
    CHECK(b.spawn().index() == 0);
}
