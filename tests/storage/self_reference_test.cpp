// Guards the move of rows: a type with a move constructor of its own is moved through it, never as plain bytes.

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <iterator>
#include <list>
#include <string>
#include <vector>

using stoa::Entity;
using stoa::World;

namespace {

struct SelfAware {
    SelfAware() = default;
    SelfAware(SelfAware&& other) noexcept : value(other.value), self(this) {}
    SelfAware& operator=(SelfAware&& other) noexcept {
        value = other.value;
        return *this;
    }
    ~SelfAware() = default;
    int value = 0;
    SelfAware* self = this;
};

struct Other {
    int value = 0;
};

}  // namespace

TEST_CASE("a component that knows its own address still knows it after every kind of move") {
    World world;
    std::vector<Entity> made;
    for (int i = 0; i < 3000; ++i) {
        made.push_back(world.spawn<SelfAware>());
        world.get<SelfAware>(made.back()).value = i;
    }
    for (std::size_t i = 0; i < made.size(); i += 2) world.add<Other>(made[i]);
    for (std::size_t i = 0; i < made.size(); i += 5) world.despawn(made[i]);
    for (std::size_t i = 0; i < made.size(); i += 6) world.remove<Other>(made[i]);
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (!world.alive(made[i])) continue;
        const SelfAware& value = world.get<const SelfAware>(made[i]);
        REQUIRE(value.self == &value);
        REQUIRE(value.value == static_cast<int>(i));
    }
    world.check();
}

TEST_CASE("short strings and lists, which point into themselves, survive every kind of move") {
    World world;
    std::vector<Entity> made;
    for (int i = 0; i < 500; ++i) made.push_back(world.spawn(std::to_string(i), std::list<int>{i, i + 1}));
    for (std::size_t i = 0; i < made.size(); i += 2) world.add<Other>(made[i]);
    for (std::size_t i = 1; i < made.size(); i += 4) world.despawn(made[i]);
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (!world.alive(made[i])) continue;
        REQUIRE(world.get<const std::string>(made[i]) == std::to_string(i));
        REQUIRE(world.get<const std::list<int>>(made[i]).back() == static_cast<int>(i) + 1);
    }
    world.check();
}

TEST_CASE("an iterator into a list component stays good while its entity moves") {
    World world;
    const Entity e = world.spawn(std::list<int>{1, 2, 3});
    auto second = std::next(world.get<std::list<int>>(e).begin());
    world.add<Other>(e);
    *second = 20;
    CHECK(*std::next(world.get<const std::list<int>>(e).begin()) == 20);
}
