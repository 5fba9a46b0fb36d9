// Guards tags: empty trivial types that take no storage and run no constructor (SY-31).

#include "../base/thrown.hpp"

#include <doctest/doctest.h>

#include <span>

using api_test::throws;
using stoa::Entity;
using stoa::Errc;
using stoa::World;

namespace {

struct Frozen {};
struct Visible {};

struct Position {
    double x = 0;
    double y = 0;
};

// Empty, yet with special members that do something: an ordinary component.
struct Counted {
    Counted() noexcept { ++alive; }
    Counted(const Counted&) noexcept { ++alive; }
    Counted(Counted&&) noexcept { ++alive; }
    Counted& operator=(const Counted&) noexcept = default;
    Counted& operator=(Counted&&) noexcept = default;
    ~Counted() { --alive; }
    static inline int alive = 0;
};

struct SparseTag {
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

}  // namespace

TEST_CASE("a tag can be added, asked for and removed") {
    World world;
    const Entity e = world.spawn();
    CHECK(world.add<Frozen>(e));
    CHECK(world.has<Frozen>(e));
    CHECK_FALSE(world.has<Visible>(e));
    CHECK_FALSE(world.add<Frozen>(e));
    CHECK(world.remove<Frozen>(e));
    CHECK_FALSE(world.has<Frozen>(e));
    CHECK_FALSE(world.remove<Frozen>(e));
    world.check();
}

TEST_CASE("a tag can be part of every kind of spawn") {
    World world;
    CHECK(world.has<Frozen, Position>(world.spawn(Frozen{}, Position{})));
    CHECK(world.has<Frozen, Position>(world.spawn<Position, Frozen>()));
    CHECK(world.has<Frozen>(world.spawn<Frozen>()));
    CHECK(world.has<Frozen>(world.spawn(Frozen{})));
    Entity ids[3];
    world.spawn_many(std::span{ids}, Frozen{}, Position{4, 5});
    for (const Entity e : ids) CHECK(world.has<Frozen, Position>(e));
    world.check();
}

TEST_CASE("get and find work for a tag") {
    World world;
    const Entity e = world.spawn(Frozen{});
    [[maybe_unused]] Frozen& frozen = world.get<Frozen>(e);
    [[maybe_unused]] const Frozen& read = world.get<const Frozen>(e);
    CHECK(world.find<Frozen>(e) != nullptr);
    CHECK(world.find<const Frozen>(e) != nullptr);
    CHECK(world.find<Visible>(e) == nullptr);
    CHECK(throws(Errc::missing_component, [&] { world.get<Visible>(e); }));
}

TEST_CASE("set and emplace work for a tag") {
    World world;
    const Entity e = world.spawn();
    world.set(e, Frozen{});
    CHECK(world.has<Frozen>(e));
    world.set(e, Frozen{});
    [[maybe_unused]] Visible& visible = world.emplace<Visible>(e);
    CHECK(world.has<Frozen, Visible>(e));
    world.check();
}

TEST_CASE("adding a tag keeps the values of the others") {
    World world;
    const Entity e = world.spawn(Position{3, 4});
    const Entity other = world.spawn(Position{5, 6});
    world.add<Frozen>(e);
    world.add<Visible>(e);
    world.remove<Frozen>(e);
    CHECK(world.get<const Position>(e).x == 3);
    CHECK(world.get<const Position>(e).y == 4);
    CHECK(world.get<const Position>(other).x == 5);
}

TEST_CASE("a tag takes no storage") {
    World with;
    World without;
    with.spawn_many(100000, Position{}, Frozen{});
    without.spawn_many(100000, Position{});
    CHECK(with.stats().bytes_used < without.stats().bytes_used + 10000);
}

TEST_CASE("an entity with tags only is as alive as any") {
    World world;
    const Entity a = world.spawn<Frozen, Visible>();
    const Entity b = world.spawn<Frozen, Visible>();
    world.despawn(a);
    CHECK(world.has<Frozen, Visible>(b));
    CHECK(world.size() == 1);
    world.check();
}

TEST_CASE("an empty type whose constructors do something is an ordinary component") {
    Counted::alive = 0;
    {
        World world;
        const Entity e = world.spawn<Counted>();
        CHECK(Counted::alive == 1);
        world.add<Position>(e);
        CHECK(Counted::alive == 1);
        world.spawn_many(10, Counted{});
        CHECK(Counted::alive == 11);
        world.remove<Counted>(e);
        CHECK(Counted::alive == 10);
    }
    CHECK(Counted::alive == 0);
}

TEST_CASE("a tag can live in sparse storage") {
    World world;
    const Entity e = world.spawn(Position{1, 2});
    CHECK(world.add<SparseTag>(e));
    CHECK(world.has<SparseTag>(e));
    CHECK(world.find<SparseTag>(e) != nullptr);
    CHECK_FALSE(world.add<SparseTag>(e));
    CHECK(world.remove<SparseTag>(e));
    CHECK_FALSE(world.has<SparseTag>(e));
    world.check();
}
