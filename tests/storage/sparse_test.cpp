// Guards sparse storage: stable addresses, types that cannot move, no new table (architecture, storage).

#include "../base/thrown.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

using api_test::throws;
using stoa::Entity;
using stoa::Errc;
using stoa::World;

namespace {

struct Position {
    int x = 0;
};

struct Velocity {
    int x = 0;
};

struct Burning {
    int heat = 0;
    std::string cause;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

// Neither copyable nor movable.
struct Pinned {
    Pinned() = default;
    explicit Pinned(int number) : value(number) {}
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    ~Pinned() { ++destroyed; }
    int value = 7;
    const Pinned* self = this;
    static inline int destroyed = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

struct Guarded {
    std::mutex mutex;
    std::atomic<int> count{0};
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

// A move that may throw is welcome in sparse storage.
struct Clumsy {
    Clumsy() = default;
    explicit Clumsy(int number) : value(number) {}
    Clumsy(const Clumsy& other) noexcept(false) : value(other.value) {}
    Clumsy& operator=(const Clumsy& other) noexcept(false) {
        value = other.value;
        return *this;
    }
    ~Clumsy() = default;
    int value = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

}  // namespace

TEST_CASE("a sparse component behaves like any other") {
    World world;
    const Entity e = world.spawn(Position{1});
    CHECK(world.add<Burning>(e));
    CHECK_FALSE(world.add<Burning>(e));
    CHECK(world.has<Burning, Position>(e));
    world.set(e, Burning{5, "oil"});
    CHECK(world.get<const Burning>(e).cause == "oil");
    world.emplace<Burning>(e, 6, "gas").heat += 1;
    CHECK(world.find<Burning>(e)->heat == 7);
    CHECK(world.remove<Burning>(e));
    CHECK_FALSE(world.remove<Burning>(e));
    CHECK(world.find<Burning>(e) == nullptr);
    CHECK(throws(Errc::missing_component, [&] { world.get<Burning>(e); }));
    CHECK(world.get<const Position>(e).x == 1);
    world.check();
}

TEST_CASE("sparse and table components can be spawned together") {
    World world;
    const Entity a = world.spawn(Position{1}, Burning{2, "a"}, Velocity{3});
    const Entity b = world.spawn<Burning, Position>();
    CHECK(world.has<Position, Burning, Velocity>(a));
    CHECK(world.get<const Burning>(a).cause == "a");
    CHECK(world.get<const Burning>(b).heat == 0);
    std::vector<Entity> ids(100);
    world.spawn_many(std::span{ids}, Burning{9, "many"}, Position{8});
    for (const Entity e : ids) CHECK(world.get<const Burning>(e).cause == "many");
    world.check();
}

TEST_CASE("adding a sparse component makes no table and moves nothing") {
    World world;
    const Entity e = world.spawn(Position{4});
    world.spawn(Position{5});
    const auto tables = world.stats().tables;
    const Position* place = world.find<const Position>(e);
    world.add<Burning>(e);
    CHECK(world.find<const Position>(e) == place);
    world.remove<Burning>(e);
    CHECK(world.find<const Position>(e) == place);
    CHECK(world.stats().tables == tables);
}

TEST_CASE("the address of a sparse component stays whatever happens to others") {
    World world;
    const Entity e = world.spawn(Position{1});
    const Burning* place = &world.emplace<Burning>(e, 42, std::string(50, 'z'));
    std::vector<Entity> others;
    for (int i = 0; i < 3000; ++i) others.push_back(world.spawn(Burning{i, "other"}));
    CHECK(world.find<const Burning>(e) == place);
    for (std::size_t i = 0; i < others.size(); i += 3) world.despawn(others[i]);
    for (std::size_t i = 1; i < others.size(); i += 3) world.remove<Burning>(others[i]);
    CHECK(world.find<const Burning>(e) == place);
    world.add<Velocity>(e);
    world.remove<Position>(e);
    world.remove<Velocity>(e);
    CHECK(world.find<const Burning>(e) == place);
    world.spawn_many(3000, Burning{1, "more"});
    world.shrink_to_fit();
    CHECK(world.find<const Burning>(e) == place);
    World home = std::move(world);
    CHECK(home.find<const Burning>(e) == place);
    CHECK(place->heat == 42);
    CHECK(place->cause == std::string(50, 'z'));
    home.check();
}

TEST_CASE("every sparse component has a stable address through random changes") {
    World world;
    std::map<Entity, const Burning*> places;
    std::vector<Entity> made;
    unsigned random = 7;
    for (int i = 0; i < 5000; ++i) {
        random = random * 1664525U + 1013904223U;
        if (made.empty() || (random >> 16U) % 3U != 0) {
            const Entity e = world.spawn();
            places[e] = &world.emplace<Burning>(e, static_cast<int>(e.index()), "");
            made.push_back(e);
        } else {
            const std::size_t at = (random >> 8U) % made.size();
            places.erase(made[at]);
            world.despawn(made[at]);
            made[at] = made.back();
            made.pop_back();
        }
    }
    for (const auto& [e, place] : places) {
        CHECK(world.find<const Burning>(e) == place);
        CHECK(place->heat == static_cast<int>(e.index()));
    }
    world.check();
}

TEST_CASE("a type that cannot move lives in sparse storage") {
    World world;
    const Entity a = world.spawn();
    CHECK(world.add<Pinned>(a));
    const Entity b = world.spawn<Pinned, Position>();
    const Entity c = world.spawn();
    CHECK(world.emplace<Pinned>(c, 9).value == 9);
    for (int i = 0; i < 1000; ++i) world.spawn<Pinned>();
    for (const Entity e : {a, b, c}) {
        world.add<Velocity>(e);
        CHECK(world.get<const Pinned>(e).self == &world.get<const Pinned>(e));
    }
    world.check();
}

TEST_CASE("emplace replaces a value that cannot move") {
    World world;
    const Entity e = world.spawn<Pinned>();
    Pinned::destroyed = 0;
    CHECK(world.emplace<Pinned>(e, 12).value == 12);
    CHECK(Pinned::destroyed == 1);
    CHECK(world.get<const Pinned>(e).value == 12);
    CHECK(world.get<const Pinned>(e).self == &world.get<const Pinned>(e));
    world.remove<Pinned>(e);
    CHECK(Pinned::destroyed == 2);
    world.check();
}

TEST_CASE("a mutex and an atomic can be part of a component") {
    World world;
    const Entity e = world.spawn<Guarded>();
    {
        const std::lock_guard lock{world.get<Guarded>(e).mutex};
        ++world.get<Guarded>(e).count;
    }
    CHECK(world.get<const Guarded>(e).count == 1);
}

TEST_CASE("a type whose move may throw lives in sparse storage") {
    World world;
    const Entity e = world.spawn(Clumsy{3});
    world.set(e, Clumsy{4});
    CHECK(world.get<const Clumsy>(e).value == 4);
    const Entity twin = world.clone(e);
    CHECK(world.get<const Clumsy>(twin).value == 4);
}

TEST_CASE("despawning destroys sparse components and frees their place") {
    World world;
    Pinned::destroyed = 0;
    for (int i = 0; i < 100; ++i) world.despawn(world.spawn<Pinned>());
    CHECK(Pinned::destroyed == 100);
    CHECK(world.size() == 0);
    world.check();
}

TEST_CASE("a newcomer in a reused slot has no sparse component of the old one") {
    World world;
    const Entity old = world.spawn(Burning{1, "old"});
    world.despawn(old);
    const Entity newcomer = world.spawn();
    REQUIRE(newcomer.index() == old.index());
    CHECK_FALSE(world.has<Burning>(newcomer));
    CHECK_FALSE(world.has<Burning>(old));
    CHECK(world.add<Burning>(newcomer));
    CHECK(world.get<const Burning>(newcomer).cause.empty());
}

TEST_CASE("remove_all takes sparse components too") {
    World world;
    const Entity e = world.spawn(Burning{1, "x"});
    CHECK(world.remove_all(e));
    CHECK_FALSE(world.has<Burning>(e));
    CHECK(world.alive(e));
    CHECK_FALSE(world.remove_all(e));
    world.check();
}
