// Guards what several threads may do at once: read one world while nobody writes, and work in worlds of their own, with
// types that no thread has used before.

#include "support/in_threads.hpp"

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <utility>
#include <vector>

using stoa::Entity;
using stoa::World;
using stoa_test::in_threads;

namespace {

struct Position {
    int x = 0;
};

struct Name {
    std::string text;
};

struct Burning {
    int heat = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

template <int N>
struct FirstUse {
    int value = N;
};

struct NeverStored {
    int value = 0;
};

template <int... Ns>
int use_all(World& world, std::integer_sequence<int, Ns...>) {
    const Entity e = world.spawn();
    (world.add<FirstUse<Ns>>(e), ...);
    return (world.get<const FirstUse<Ns>>(e).value + ...);
}

}  // namespace

TEST_CASE("several threads may read one world at the same time") {
    World world;
    std::vector<Entity> made;
    for (int i = 0; i < 500; ++i) made.push_back(world.spawn(Position{i}, Name{std::to_string(i)}, Burning{i}));
    world.despawn(made[7]);
    const World& read = world;
    std::atomic<int> wrong{0};
    in_threads([&](int) {
        for (int i = 0; i < 500; ++i) {
            const Entity e = made[static_cast<std::size_t>(i)];
            if (i == 7) {
                wrong += read.alive(e) || read.find<const Position>(e) != nullptr;
                continue;
            }
            wrong += !read.alive(e) || !read.has<Position, Name, Burning>(e);
            wrong += read.get<const Position>(e).x != i || read.find<const Burning>(e)->heat != i;
            wrong += read.get<const Name>(e).text != std::to_string(i);
            wrong += read.components(e).size() != 3;
        }
        wrong += read.size() != 499 || read.stats().entities != 499;
    });
    CHECK(wrong == 0);
}

TEST_CASE("several threads may ask for a type that the world has never seen") {
    World world;
    const Entity e = world.spawn(Position{1});
    const World& read = world;
    std::atomic<int> wrong{0};
    in_threads([&](int) {
        wrong += read.has<NeverStored>(e) || read.has_any<NeverStored>(e);
        wrong += read.find<const NeverStored>(e) != nullptr;
    });
    CHECK(wrong == 0);
}

TEST_CASE("several threads may read resources at the same time") {
    World world;
    world.set_resource(Name{"one for all"});
    world.emplace_resource<Position>(7);
    const World& read = world;
    std::atomic<int> wrong{0};
    in_threads([&](int) {
        for (int i = 0; i < 500; ++i) {
            wrong += read.resource<const Name>().text != "one for all";
            wrong += read.find_resource<const Position>()->x != 7;
            wrong += !read.has_resource<Name, Position>() || read.has_resource<Burning>();
            wrong += read.find_resource<const NeverStored>() != nullptr;
        }
    });
    CHECK(wrong == 0);
}

TEST_CASE("several threads may set resources of the same new types in worlds of their own") {
    std::atomic<int> wrong{0};
    in_threads([&](int thread) {
        World world;
        const auto set = [&]<int... Ns>(std::integer_sequence<int, Ns...>) {
            (world.set_resource(FirstUse<Ns + 100>{thread}), ...);
            wrong += ((world.resource<const FirstUse<Ns + 100>>().value != thread) || ...);
            wrong += !(world.remove_resource<FirstUse<Ns + 100>>() && ...);
        };
        set(std::make_integer_sequence<int, 40>{});
        world.check();
    });
    CHECK(wrong == 0);
}

TEST_CASE("several threads may work in worlds of their own with the same new types") {
    std::atomic<int> wrong{0};
    in_threads([&](int) {
        World world;
        wrong += use_all(world, std::make_integer_sequence<int, 40>{}) != 39 * 40 / 2;
        world.check();
    });
    CHECK(wrong == 0);
}
