// Guards despawn_many against despawning one by one, for entities of many tables, in any order, with repetitions.
#include "../support/seeds.hpp"

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

using stoa::Entity;
using stoa::World;

namespace {

struct A {
    int value = 0;
};
struct B {
    std::string text;
};
struct C {};
struct Sparse {
    int value = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};
struct Grave {
    static constexpr stoa::Traits stoa_traits{.cleanup = true};
};

Entity spawn_kind(World& world, std::uint32_t kind, int number) {
    switch (kind) {
        case 0:
            return world.spawn(A{number});
        case 1:
            return world.spawn(A{number}, C{});
        case 2:
            return world.spawn(B{std::to_string(number)});
        case 3:
            return world.spawn(A{number}, Sparse{number});
        case 4:
            return world.spawn(A{number}, Grave{});
        default:
            return world.spawn();
    }
}

}  // namespace

TEST_CASE("despawn_many despawns what is alive and counts it") {
    World world;
    const Entity a = world.spawn(A{1});
    const Entity b = world.spawn(A{2});
    const Entity c = world.spawn(A{3});
    world.despawn(b);
    CHECK(world.despawn_many(std::array{a, b, a, Entity{}}) == 1);
    CHECK_FALSE(world.alive(a));
    CHECK(world.get<const A>(c).value == 3);
    CHECK(world.despawn_many({}) == 0);
    world.check();
}

TEST_CASE("despawn_many agrees with despawn for any entities") {
    stoa_test::for_each_seed(8, [](stoa_test::Random& random) {
        World world;
        std::vector<Entity> all;
        for (int i = 0; i < 3000; ++i) all.push_back(spawn_kind(world, random.below(6), i));
        const auto told = random.one_in(3) ? world.query<C>().on_leave([](Entity) {}) : stoa::Subscription();
        std::vector<bool> goes(all.size());
        std::vector<Entity> going;
        const std::uint32_t share = 1 + random.below(10);
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (random.below(10) >= share) continue;
            goes[i] = true;
            going.push_back(all[i]);
            if (random.one_in(20)) going.push_back(all[i]);
        }
        if (random.one_in(2)) {
            for (std::size_t i = going.size(); i > 1; --i)
                std::swap(going[i - 1], going[random.below(static_cast<std::uint32_t>(i))]);
        }
        const auto expected = static_cast<std::size_t>(std::count(goes.begin(), goes.end(), true));
        CHECK(world.despawn_many(going) == expected);
        CHECK_NOTHROW(world.check());
        CHECK(world.size() == all.size() - expected);
        for (std::size_t i = 0; i < all.size(); ++i) {
            REQUIRE(world.alive(all[i]) != goes[i]);
            const A* a = world.find<const A>(all[i]);
            if (a != nullptr) REQUIRE(a->value == static_cast<int>(i));
        }
    });
}

TEST_CASE("despawn_many leaves ghosts and notifies observers") {
    World world;
    std::vector<Entity> left;
    const auto told = world.query<A>().on_leave([&](Entity entity) { left.push_back(entity); });
    const Entity ghost = world.spawn(A{}, Grave{});
    const Entity plain = world.spawn(A{});
    CHECK(world.despawn_many(std::array{ghost, plain}) == 2);
    CHECK(left == std::vector{ghost, plain});
    CHECK(world.has<Grave>(ghost));
}
