// Prefabs: what they make, what they cost, and what they refuse.
#include "support/components.hpp"
#include "support/fault_allocator.hpp"

#include <doctest/doctest.h>

#include <stoa/stoa.hpp>

#include <optional>
#include <string>
#include <vector>

using namespace stoa;

namespace {

struct Health {
    int points = 1;
};
struct Position {
    float x = 0, y = 0;
};
struct Name {
    std::string text;
};
struct Burning {
    float heat = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Orc {};
struct Bag {
    std::vector<int> items;
    void reset() noexcept { items.clear(); }
    static constexpr Traits stoa_traits{.pooled = true};
};
struct Grave {
    int depth = 0;
    static constexpr Traits stoa_traits{.cleanup = true};
};

template <class F>
Errc code_of(F&& f) {
    try {
        f();
    } catch (const Error& error) {
        return error.code();
    }
    FAIL("nothing was thrown");
    return {};
}

// True when rounds of the same work, once two of them have been made, allocate nothing.
template <class Round>
bool settles_without_memory(Round&& round) {
    round();
    round();
    const std::uint64_t before = stoa_test::allocations_of_thread();
    for (int i = 0; i < 5; ++i) round();
    return stoa_test::allocations_of_thread() == before;
}

}  // namespace

TEST_CASE("a prefab makes entities with copies of its values") {
    World world;
    Prefab orc{world, Health{100}, Position{1, 2}, Name{"orc of a name that is long"}, Burning{3}, Orc{}};
    CHECK(world.size() == 0);
    CHECK(world.query<Health>().empty());
    const Entity a = orc.spawn();
    world.get<Health>(a).points = 5;
    world.get<Name>(a).text = "changed";
    const Entity b = orc.spawn();
    CHECK(world.get<const Health>(b).points == 100);
    CHECK(world.get<const Position>(b).y == 2);
    CHECK(world.get<const Name>(b).text == "orc of a name that is long");
    CHECK(world.get<const Burning>(b).heat == 3);
    CHECK(world.has<Orc>(b));
    CHECK(world.size() == 2);
    world.check();
}

TEST_CASE("values given to spawn stand instead of those of the prefab, or beside them") {
    World world;
    Prefab orc{world, Health{100}, Position{}, Name{"orc"}};
    const Entity e = orc.spawn(Position{4, 2});
    CHECK(world.get<const Position>(e).x == 4);
    CHECK(world.get<const Health>(e).points == 100);
    const Entity f = orc.spawn(Burning{7}, Name{"snaga"}, Orc{}, Bag{{1, 2}});
    CHECK(world.get<const Burning>(f).heat == 7);
    CHECK(world.get<const Name>(f).text == "snaga");
    CHECK(world.get<const Bag>(f).items.size() == 2);
    CHECK(world.has<Orc, Position>(f));
    CHECK_FALSE(world.has<Burning>(e));
    // A value may lie in the world, also where rows are about to move.
    for (int i = 0; i < 40; ++i) {
        const Entity g = orc.spawn(world.get<const Name>(f), world.get<const Position>(e));
        REQUIRE(world.get<const Name>(g).text == "snaga");
        REQUIRE(world.get<const Position>(g).x == 4);
    }
    world.check();
}

TEST_CASE("values that are just bytes are exchanged in any order") {
    World world;
    Prefab spark{world, Health{100}, Position{1, 2}, Burning{3}, Orc{}};
    struct Made {
        Entity entity;
        int points;
        float x, heat;
    };
    const Made all[] = {{spark.spawn(Position{4, 5}), 100, 4, 3},
                        {spark.spawn(Burning{6}, Health{7}), 7, 1, 6},
                        {spark.spawn(Orc{}, Burning{8}, Position{9, 0}, Health{10}), 10, 9, 8},
                        {spark.spawn(Grave{11}, Health{12}), 12, 1, 3},
                        {spark.spawn(Name{"spark"}, Position{13, 0}), 100, 13, 3}};
    for (const Made& made : all) {
        CAPTURE(made.entity);
        CHECK(world.get<const Health>(made.entity).points == made.points);
        CHECK(world.get<const Position>(made.entity).x == made.x);
        CHECK(world.get<const Burning>(made.entity).heat == made.heat);
        CHECK(world.has<Orc>(made.entity));
    }
    CHECK(world.get<const Grave>(all[3].entity).depth == 11);
    CHECK(world.get<const Name>(all[4].entity).text == "spark");
    CHECK_FALSE(world.has_any<Grave, Name>(all[2].entity));
    for (int i = 0; i < 40; ++i) spark.spawn(world.get<const Position>(all[0].entity));
    CHECK(world.query<const Position>().count() == 45);
    world.check();
}

TEST_CASE("many at once") {
    World world;
    Prefab orc{world, Health{7}, Burning{1}, Name{"orc"}};
    orc.spawn_many(500);
    CHECK(world.query<const Health, const Burning, const Name>().count() == 500);
    std::vector<Entity> ids(20);
    orc.spawn_many(std::span{ids});
    for (const Entity entity : ids) CHECK(world.get<const Health>(entity).points == 7);
    orc.spawn_many(0);
    CHECK(world.size() == 520);
}

TEST_CASE("signals tell of the whole entity at once") {
    World world;
    Prefab orc{world, Health{100}, Position{}};
    int seen = 0;
    Subscription with = world.query<const Health, const Burning, const Position>().on_enter(
        [&](const Health&, const Burning& b, const Position& p) { seen = static_cast<int>(b.heat + p.x); });
    int left = 0;
    Subscription changes = world.query<const Health, Without<Burning>>().on_enter([&] { ++left; });
    orc.spawn(Burning{2}, Position{40, 0});
    CHECK(seen == 42);
    CHECK(left == 0);
}

TEST_CASE("coming and going in a steady state allocates nothing") {
    World world;
    Prefab orc{world, Health{100}, Position{}, Burning{}, Orc{}, Bag{{1, 2, 3, 4, 5}}, Grave{1}};
    std::vector<Entity> ids;
    ids.reserve(1000);
    const auto round = [&] {
        for (int i = 0; i < 300; ++i)
            ids.push_back(i % 3 == 0   ? orc.spawn(Health{5}, Name{})
                          : i % 3 == 1 ? orc.spawn()
                                       : orc.spawn(Position{1, 1}));
        for (const Entity entity : ids) {
            REQUIRE(world.get<const Bag>(entity).items.size() == 5);
            world.despawn(entity);
            world.remove<Grave>(entity);
        }
        ids.clear();
    };
    CHECK(settles_without_memory(round));
    world.check();
}

TEST_CASE("coming in bulk and going with all matches of a query allocates nothing in a steady state") {
    World world;
    Prefab orc{world, Health{100}, Position{}, Orc{}};
    std::vector<Entity> ids(200);
    const auto orcs = world.query<const Health>();
    const auto round = [&] {
        orc.spawn_many(ids);
        REQUIRE(orcs.despawn_all() == 200);
    };
    CHECK(settles_without_memory(round));
    world.check();
}

TEST_CASE("after prewarm the first ones allocate nothing either") {
    World world;
    Prefab orc{world, Health{100}, Position{}, Burning{}, Bag{{1, 2, 3, 4, 5, 6, 7, 8}}};
    orc.prewarm(500);
    CHECK(world.size() == 0);
    const std::uint64_t before = stoa_test::allocations_of_thread();
    for (int i = 0; i < 500; ++i) orc.spawn();
    CHECK(stoa_test::allocations_of_thread() == before);
    world.check();
    // What is there already does not count.
    orc.prewarm(100);
    const std::uint64_t then = stoa_test::allocations_of_thread();
    for (int i = 0; i < 100; ++i) orc.spawn();
    CHECK(stoa_test::allocations_of_thread() == then);
    // Neither does it matter whether they come one by one.
    std::vector<Entity> ids(300);
    orc.prewarm(ids.size());
    const std::uint64_t at_last = stoa_test::allocations_of_thread();
    orc.spawn_many(std::span{ids});
    CHECK(stoa_test::allocations_of_thread() == at_last);
    for (const Entity entity : ids) REQUIRE(world.get<const Bag>(entity).items.size() == 8);
    world.check();
}

TEST_CASE("a prefab follows its world, and ends with it") {
    std::optional<World> world(std::in_place);
    Prefab orc{*world, Health{100}, Name{"orc"}};
    World moved(std::move(*world));
    const Entity e = orc.spawn();
    CHECK(moved.get<const Health>(e).points == 100);
    Prefab copy = orc;
    Prefab other(std::move(orc));
    CHECK(moved.alive(copy.spawn()));
    CHECK(code_of([&] { orc.spawn(); }) == Errc::world_gone);
    { const World end(std::move(moved)); }
    CHECK(code_of([&] { copy.spawn(); }) == Errc::world_gone);
    CHECK(code_of([&] { copy.spawn(Health{}); }) == Errc::world_gone);
    CHECK(code_of([&] { other.spawn_many(3); }) == Errc::world_gone);
    CHECK(code_of([&] { other.prewarm(3); }) == Errc::world_gone);
    CHECK(code_of([&] { Prefab late(moved, Health{}); }) == Errc::world_gone);
}

TEST_CASE("spawning from a prefab is refused where spawning is") {
    World world(WorldOptions{.max_entities = 3});
    Prefab orc{world, Health{100}, Burning{}};
    orc.spawn();
    world.query<const Health>().each([&](const Health&) {
        CHECK(code_of([&] { orc.spawn(); }) == Errc::locked);
        CHECK(code_of([&] { orc.spawn(Position{}); }) == Errc::locked);
        CHECK(code_of([&] { orc.spawn_many(2); }) == Errc::locked);
        CHECK(code_of([&] { orc.prewarm(2); }) == Errc::locked);
    });
    CHECK(code_of([&] { orc.spawn_many(3); }) == Errc::capacity);
    orc.spawn(Position{});
    orc.spawn();
    CHECK(code_of([&] { orc.spawn(Position{}); }) == Errc::capacity);
    CHECK(code_of([&] { orc.spawn(); }) == Errc::capacity);
    world.check();
}

TEST_CASE("a prefab without values makes empty entities") {
    World world;
    Prefab nothing{world};
    CHECK(world.alive(nothing.spawn()));
    CHECK(world.has<Health>(nothing.spawn(Health{3})));
    CHECK(world.size() == 2);
}

namespace {

// Throws at the n-th copy.
struct Fragile {
    Fragile() = default;
    Fragile(const Fragile&) {
        if (armed-- == 0) throw 1;
        ++alive;
    }
    Fragile(Fragile&&) noexcept { ++alive; }
    Fragile& operator=(const Fragile&) = default;
    ~Fragile() { --alive; }
    static inline int armed = -1;
    static inline int alive = 0;
};
struct FragileSparse : Fragile {
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};

}  // namespace

TEST_CASE("a copy that throws leaves the world as it was") {
    World world;
    const Fragile first;
    Prefab orc{world, Name{"orc of a name that is long"}, Fragile{}, FragileSparse{}};
    orc.spawn();
    const int alive = Fragile::alive;
    for (int at = 0; at < 2; ++at) {
        Fragile::armed = at;
        CHECK_THROWS_AS(orc.spawn(), int);
        Fragile::armed = at;
        CHECK_THROWS_AS(orc.spawn(Health{}), int);
        Fragile::armed = at;
        CHECK_THROWS_AS(orc.spawn_many(5), int);
        Fragile::armed = -1;
        CHECK(world.size() == 1);
        CHECK(Fragile::alive == alive);
        world.check();
    }
    orc.spawn(Health{});
    CHECK(world.size() == 2);
}

TEST_CASE("memory that runs out leaves the world as it was") {
    for (const auto mode : {stoa_test::FaultMode::once, stoa_test::FaultMode::persistent}) {
        for (int which = 0; which < 4; ++which) {
            bool done = false;
            for (std::uint64_t nth = 0; !done && nth < 500; ++nth) {
                World world;
                Prefab orc{world, Health{100}, Name{"orc of a name that is long"}, Burning{}, Bag{{1, 2}}};
                {
                    const stoa_test::AllocationFaults faults(nth, mode);
                    try {
                        if (which == 0) orc.spawn();
                        if (which == 1) orc.spawn(Position{}, Orc{});
                        if (which == 2) orc.spawn_many(10);
                        if (which == 3) orc.prewarm(10);
                        done = !faults.fired();
                    } catch (const std::bad_alloc&) {
                        REQUIRE(world.size() == 0);
                    }
                }
                world.check();
                orc.spawn(Position{});
                orc.spawn();
            }
            CHECK(done);
        }
    }
}

TEST_CASE("a value given at the call takes the place of the stored one, which is not built") {
    using stoa_test::Counted;
    const std::int64_t before = Counted::ledger().alive;
    {
        World world;
        Prefab prefab{world, Counted(1), stoa_test::Red{}, stoa_test::Flag{}, stoa_test::SparseCounted(2)};
        const std::uint64_t copied = Counted::ledger().copied;
        const Entity one = prefab.spawn(Counted(3), stoa_test::SparseCounted(4));
        CHECK(Counted::ledger().copied == copied);
        CHECK(world.get<const Counted>(one).checked() == 3);
        CHECK(world.get<const stoa_test::SparseCounted>(one).checked() == 4);
        CHECK((world.has<stoa_test::Red, stoa_test::Flag>(one)));
        CHECK(world.query<stoa_test::Flag>().count() == 1);
        world.check();
    }
    CHECK(Counted::ledger().alive == before);
}
