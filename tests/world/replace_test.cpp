// Guards replace: what it removes and adds for every pair of kinds of components, what it answers, what it leaves when
// it fails, and what observers, logs and indexes see of it.
#include <stoa/stoa.hpp>
#include "../base/thrown.hpp"

#include "support/components.hpp"
#include "support/type_list.hpp"
#include "support/values.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

using namespace stoa_test;
using stoa::Entity;
using stoa::Errc;
using stoa::World;

namespace {

// One of each way in which values are stored; all pairs of them are compiled.
using Kinds = TypeList<Position, Name, Red, Burning, Note, Clumsy, Flag, Bag, Grave, Tomb>;

template <class C>
bool holds(World& world, Entity e, int number) {
    const C* found = world.find<const C>(e);
    return found != nullptr && (!carries_number<C> || read(*found) == number);
}

// Calls f.operator()<A, B>() for all pairs of two kinds.
template <class F>
void each_pair(F&& f) {
    Kinds::each([&]<class A>() {
        Kinds::each([&]<class B>() {
            if constexpr (!std::is_same_v<A, B>) f.template operator()<A, B>();
        });
    });
}

std::int64_t alive_values() {
    std::int64_t sum = 0;
    Kinds::each([&]<class C>() {
        if constexpr (requires { C::ledger(); })
            sum += C::ledger().alive + static_cast<std::int64_t>(C::ledger().wrong);
    });
    return sum;
}

// Rows before and behind the entity, so that a wrong row is noticed.
template <class A, class B>
void replaces(World& world) {
    CAPTURE(world.component<A>().name);
    CAPTURE(world.component<B>().name);
    std::vector<Entity> ids;
    for (int i = 1; i <= 3; ++i) ids.push_back(world.spawn(make<Velocity>(i), make<A>(10 + i)));
    for (int i = 4; i <= 6; ++i) ids.push_back(world.spawn(make<Velocity>(i), make<A>(10 + i), make<B>(20 + i)));
    CHECK(world.replace<A>(ids[1], make<B>(99)));
    CHECK(world.replace<A>(ids[4], make<B>(98)));
    world.check();
    for (int i = 1; i <= 6; ++i) {
        const Entity e = ids[static_cast<std::size_t>(i) - 1];
        const bool replaced = i == 2 || i == 5;
        CHECK(holds<Velocity>(world, e, i));
        CHECK(world.has<A>(e) != replaced);
        CHECK(world.has<B>(e) == (replaced || i > 3));
        if (!replaced) CHECK(holds<A>(world, e, 10 + i));
        if (i > 3 && !replaced) CHECK(holds<B>(world, e, 20 + i));
    }
    CHECK(holds<B>(world, ids[1], 99));
    CHECK(holds<B>(world, ids[4], 98));
    // Without the first component nothing happens.
    CHECK_FALSE(world.replace<A>(ids[1], make<B>(97)));
    CHECK(holds<B>(world, ids[1], 99));
    // And back, now that tables and migrations are known.
    CHECK(world.replace<B>(ids[1], make<A>(96)));
    CHECK(holds<A>(world, ids[1], 96));
    CHECK_FALSE(world.has<B>(ids[1]));
    CHECK(world.replace<A>(ids[1], make<B>(95)));
    CHECK(world.replace<A>(ids[0], make<B>(94)));
    CHECK(holds<B>(world, ids[1], 95));
    CHECK(holds<B>(world, ids[0], 94));
    world.check();
    for (const Entity e : ids) world.despawn(e);
    for (const Entity e : ids) world.remove<A, B>(e);
}

}  // namespace

TEST_CASE("replace removes the one and adds or overwrites the other, for all pairs of kinds") {
    const std::int64_t before = alive_values();
    each_pair([]<class A, class B>() {
        World world;
        replaces<A, B>(world);
    });
    CHECK(alive_values() == before);
}

TEST_CASE("replace works where values are observed, tracked and logged, for all pairs of kinds") {
    const std::int64_t before = alive_values();
    each_pair([]<class A, class B>() {
        World world;
        world.keep_removed<A, B>();
        auto added = world.query<const Velocity, stoa::Added<A>>();
        auto changed = world.query<const Velocity, stoa::Changed<B>>();
        const auto watch = world.query<const Velocity, const A>().watch();
        replaces<A, B>(world);
    });
    CHECK(alive_values() == before);
}

TEST_CASE("replace is one change for who observes, for all pairs of kinds") {
    each_pair([]<class A, class B>() {
        World world;
        CAPTURE(world.component<A>().name);
        CAPTURE(world.component<B>().name);
        const Entity absent = world.spawn(make<Velocity>(1), make<A>(1));
        const Entity present = world.spawn(make<Velocity>(2), make<A>(2), make<B>(3));
        std::string told;
        const auto both = world.query<stoa::With<Velocity>>().on_enter([&] { told += "enter "; });
        const auto both_leave = world.query<stoa::With<Velocity>>().on_leave([&] { told += "leave "; });
        const auto leave = world.query<stoa::With<A>>().on_leave([&](Entity e) {
            CHECK(world.has<A>(e));
            told += "A ";
        });
        const auto enter = world.query<stoa::With<B>>().on_enter([&](Entity e) {
            CHECK(world.has<B>(e));
            CHECK_FALSE(world.has<A>(e));
            told += "B ";
        });
        const auto either = world.query<stoa::AnyOf<A, B>>().on_leave([&] { told += "neither "; });
        const auto with_b = world.query<stoa::With<Velocity>, stoa::With<B>>().cache();
        world.replace<A>(absent, make<B>(5));
        CHECK(told == "A B ");
        CHECK(with_b.size() == 2);
        told.clear();
        world.replace<A>(present, make<B>(6));
        CHECK(told == "A ");
        told.clear();
        world.replace<A>(present, make<B>(7));
        CHECK(told.empty());
        CHECK(with_b.size() == 2);
    });
}

TEST_CASE("watches list a replacement once") {
    World world;
    const Entity e = world.spawn(Position{1, -1}, Velocity{});
    auto watch = world.query<const Velocity>().watch();
    auto gains = world.query<const Name>().watch();
    auto losses = world.query<const Position>().watch();
    world.replace<Position>(e, Name{"name"});
    CHECK((watch.added().empty() && watch.removed().empty() && watch.changed().empty()));
    CHECK((gains.added().size() == 1 && gains.removed().empty()));
    CHECK((losses.removed().size() == 1 && losses.added().empty()));
}

TEST_CASE("Changed and Added see what replace writes") {
    World world;
    const Entity e = world.spawn(Position{1, -1}, Velocity{1, 2});
    const Entity f = world.spawn(Position{2, -2});
    auto changed = world.query<stoa::Changed<Velocity>>();
    auto added = world.query<stoa::Added<Velocity>>();
    auto untouched = world.query<stoa::Changed<Wide>>();
    const auto drain = [](auto& query) {
        std::vector<Entity> seen;
        query.each([&](Entity one) { seen.push_back(one); });
        return seen;
    };
    drain(changed);
    drain(added);
    world.replace<Position>(e, Velocity{3, 6});
    world.replace<Position>(f, Velocity{4, 8});
    CHECK(drain(changed) == std::vector{e, f});
    CHECK(drain(added) == std::vector{f});
    CHECK(drain(untouched).empty());
}

TEST_CASE("an index follows what replace removes and adds") {
    World world;
    stoa::HashIndex<&Wide::number> wide{world};
    stoa::HashIndex<&Burning::heat> heat{world};
    const Entity e = world.spawn(Wide{7});
    CHECK(wide.find(7) == e);
    CHECK(world.replace<Wide>(e, Burning{8}));
    CHECK(!wide.find(7));
    CHECK(heat.find(8) == e);
    CHECK(world.replace<Burning>(e, Wide{9}));
    CHECK(!heat.find(8));
    CHECK(wide.find(9) == e);
}

TEST_CASE("a replaced value is kept until the frame ends, where removed values are") {
    World world{stoa::WorldOptions{.keep_removed = true}};
    each_pair([&]<class A, class B>() {
        const Entity e = world.spawn(make<A>(5));
        REQUIRE(world.replace<A>(e, make<B>(6)));
        const A* removed = world.find_removed<A>(e);
        REQUIRE(removed != nullptr);
        CHECK((!carries_number<A> || read(*removed) == 5));
        CHECK(world.find_removed<B>(e) == nullptr);
        world.despawn(e);
        world.remove<A, B>(e);
        world.end_frame();
    });
}

TEST_CASE("replace takes its value out of the world itself") {
    World world;
    std::vector<Entity> ids;
    for (int i = 1; i <= 200; ++i) ids.push_back(world.spawn(make<Name>(i), make<Wide>(i)));
    const Entity from = world.spawn(make<Position>(5), make<Note>(6), make<Burning>(7));
    for (std::size_t i = 0; i < ids.size(); ++i) {
        switch (i % 4) {
            case 0:
                world.replace<Name>(ids[i], world.get<const Position>(from));
                break;
            case 1:
                world.replace<Wide>(ids[i], world.get<const Note>(from));
                break;
            case 2:
                world.replace<Name>(ids[i], world.get<const Burning>(from));
                break;
            default:
                world.replace<Wide>(ids[i], world.get<const Name>(ids[i]));
        }
    }
    world.check();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const int number = static_cast<int>(i) + 1;
        if (i % 4 == 0) CHECK(holds<Position>(world, ids[i], 5));
        if (i % 4 == 1) CHECK(holds<Note>(world, ids[i], 6));
        if (i % 4 == 2) CHECK(holds<Burning>(world, ids[i], 7));
        if (i % 4 == 3) CHECK((holds<Name>(world, ids[i], number) && !world.has<Wide>(ids[i])));
    }
    CHECK((holds<Position>(world, from, 5) && holds<Note>(world, from, 6) && holds<Burning>(world, from, 7)));
}

TEST_CASE("replace answers false for the dead, and a ghost keeps what it has") {
    World world;
    const Entity dead = world.spawn(Position{});
    world.despawn(dead);
    const Entity ghost = world.spawn(make<Grave>(3), make<Tomb>(4));
    world.despawn(ghost);
    CHECK_FALSE(world.replace<Position>(dead, Name{}));
    CHECK_FALSE(world.replace<Position>(Entity{}, Name{}));
    CHECK_FALSE(world.replace<Grave>(ghost, Name{}));
    CHECK_FALSE(world.replace<Tomb>(ghost, Flag{}));
    CHECK_FALSE(world.replace<Grave>(ghost, Position{}));
    CHECK((holds<Grave>(world, ghost, 3) && holds<Tomb>(world, ghost, 4)));
    world.check();
}

TEST_CASE("replace is refused while the structure is locked, if there is something to replace") {
    World world;
    const Entity e = world.spawn(Position{}, Burning{}, Name{});
    world.query<const Position>().each([&](const Position&) {
        CHECK(api_test::throws(Errc::locked, [&] { world.replace<Position>(e, Velocity{}); }));
        CHECK(api_test::throws(Errc::locked, [&] { world.replace<Position>(e, Name{}); }));
        CHECK(api_test::throws(Errc::locked, [&] { world.replace<Burning>(e, Flag{}); }));
        CHECK(api_test::throws(Errc::locked, [&] { world.replace<Burning>(e, Name{}); }));
        CHECK_FALSE(world.replace<Velocity>(e, Position{}));
        CHECK_FALSE(world.replace<Flag>(e, Burning{}));
    });
    CHECK((world.has<Position, Burning, Name>(e)));
}

TEST_CASE("replace chains through an EntityRef") {
    World world;
    const Entity e = world.spawn(Position{1, -1}, Red{});
    world.entity(e).replace<Position>(make<Name>(2)).replace<Red>(Blue{}).replace<Red>(make<Wide>(1)).add<Flag>();
    CHECK((world.has<Name, Blue, Flag>(e) && !world.has_any<Position, Red, Wide>(e)));
    world.despawn(e);
    CHECK_FALSE(world.entity(e).replace<Name>(Red{}).alive());
}

namespace {

// Looks at the world when it ends.
struct Witness {
    Witness() = default;
    Witness(World& watched, Entity owner) : world(&watched), entity(owner) {}
    Witness(Witness&& other) noexcept : world(std::exchange(other.world, nullptr)), entity(other.entity) {}
    Witness& operator=(Witness&&) = delete;
    ~Witness() {
        if (world == nullptr) return;
        had_witness = world->has<Witness>(entity);
        heat = world->has<Burning>(entity) ? world->get<const Burning>(entity).heat : -1;
    }
    static inline bool had_witness = false;
    static inline int heat = 0;

    World* world = nullptr;
    Entity entity;
};

}  // namespace

TEST_CASE("the destructor of a replaced value finds the change complete") {
    World world;
    const Entity e = world.spawn();
    world.emplace<Witness>(e, world, e);
    REQUIRE(world.replace<Witness>(e, Burning{4}));
    CHECK_FALSE(Witness::had_witness);
    CHECK(Witness::heat == 4);
    world.emplace<Witness>(e, world, e);
    REQUIRE(world.replace<Witness>(e, Burning{5}));
    CHECK(Witness::heat == 5);
}

TEST_CASE("a callback that throws leaves the replacement") {
    World world;
    const Entity e = world.spawn(make<Name>(3));
    const auto thrower = world.query<const Note>().on_enter([] { throw std::runtime_error("callback"); });
    CHECK_THROWS_AS(world.replace<Name>(e, make<Note>(4)), std::runtime_error);
    CHECK((holds<Note>(world, e, 4) && !world.has<Name>(e)));
    world.check();
}

TEST_CASE("replace of plain components allocates nothing once tables are known") {
    World world;
    std::vector<Entity> ids(300);
    world.spawn_many(ids, Position{1, -1}, Velocity{});
    for (const Entity e : ids) world.replace<Velocity>(e, Wide{1});
    for (const Entity e : ids) world.replace<Wide>(e, Velocity{});
    const std::size_t bytes = world.stats().bytes_reserved;
    for (int round = 0; round < 10; ++round) {
        for (const Entity e : ids) world.replace<Velocity>(e, Wide{round});
        for (const Entity e : ids) world.replace<Wide>(e, Velocity{});
    }
    CHECK(world.stats().bytes_reserved == bytes);
    CHECK(std::all_of(ids.begin(), ids.end(), [&](Entity e) { return holds<Position>(world, e, 1); }));
    world.check();
}
