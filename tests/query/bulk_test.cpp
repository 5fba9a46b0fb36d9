// Bulk changes: how many entities they say they changed, and that every entity is afterwards what it should be,
// whatever its components are made of and however its rows fall into chunks.
#include <doctest/doctest.h>

#include <cstddef>
#include <span>
#include <stoa/stoa.hpp>
#include <type_traits>
#include <vector>

#include "support/components.hpp"
#include "support/matches.hpp"
#include "support/values.hpp"

using namespace stoa;
using namespace stoa_test;

namespace {

// One entity for each number from `first` on; each component carries that number.
template <class... Cs>
void fill(World& world, Entities& ids, std::size_t count, int first = 0) {
    for (std::size_t i = 0; i < count; ++i) ids.push_back(world.spawn(make<Cs>(first + static_cast<int>(i))...));
}

// How many of the entities do not have exactly these components with their numbers.
template <class... Cs>
std::size_t spoilt(World& world, const Entities& ids, std::size_t components, int first = 0) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const int number = first + static_cast<int>(i);
        const auto carries = [&]<class C>(const C* value) {
            return value != nullptr && (std::is_empty_v<C> || read(*value) == number);
        };
        wrong += !(carries(world.find<const Cs>(ids[i])) && ...) || world.components(ids[i]).size() != components;
    }
    return wrong;
}

// Rows of a full chunk of a table with these components.
template <class... Cs>
std::size_t rows_of_chunk() {
    World world;
    Entities ids;
    fill<Cs...>(world, ids, 5000);
    std::size_t rows = 0;
    world.query<const Cs...>().each_chunk(
        [&](std::span<const Entity> chunk, auto...) { rows = std::max(rows, chunk.size()); });
    REQUIRE(rows < 5000);
    return rows;
}

// add_all and remove_all of E there and back, for a number of rows in the source and in the target before.
template <class E, class... Cs>
void there_and_back(std::size_t rows, std::size_t before) {
    CAPTURE(rows);
    CAPTURE(before);
    World world;
    Entities ids;
    Entities old;
    constexpr int old_first = 100'000;
    fill<Cs...>(world, ids, rows);
    fill<Cs..., E>(world, old, before, old_first);
    auto all = world.query<Position>();
    auto bare = world.query<Position, Without<E>>();
    auto full = world.query<Position, With<E>>();
    for (int round = 0; round < 2; ++round) {
        CHECK(all.template add_all<E>() == rows);
        world.check();
        CHECK((bare.count() == 0 && full.count() == rows + before && all.count() == rows + before));
        CHECK(spoilt<Cs...>(world, ids, sizeof...(Cs) + 1) == 0);
        CHECK(spoilt<Cs..., E>(world, old, sizeof...(Cs) + 1, old_first) == 0);
        CHECK(all.template add_all<E>() == 0);
        for (const Entity e : ids) REQUIRE(read(world.get<const E>(e)) == 0);
        // The old ones go too, and are given their value back.
        CHECK(all.template remove_all<E>() == rows + before);
        world.check();
        CHECK((full.count() == 0 && bare.count() == rows + before));
        CHECK(spoilt<Cs...>(world, ids, sizeof...(Cs)) == 0);
        CHECK(spoilt<Cs...>(world, old, sizeof...(Cs), old_first) == 0);
        CHECK(all.template remove_all<E>() == 0);
        for (std::size_t i = 0; i < old.size(); ++i) world.set(old[i], make<E>(old_first + static_cast<int>(i)));
    }
}

template <class E, class... Cs>
void in_all_sizes() {
    const std::size_t chunk = rows_of_chunk<Cs...>();
    for (const std::size_t before : {std::size_t{0}, std::size_t{3}, chunk, chunk + 9}) {
        for (const std::size_t rows :
             {std::size_t{0}, std::size_t{1}, std::size_t{5}, chunk - 1, chunk, chunk + 1, 2 * chunk + 7}) {
            there_and_back<E, Cs...>(rows, before);
        }
    }
}

}  // namespace

TEST_CASE("a tag is added to and removed from plain rows, in every size") { in_all_sizes<Red, Position>(); }

TEST_CASE("a column is added to and removed from plain rows, in every size") { in_all_sizes<Velocity, Position>(); }

TEST_CASE("a tag is added to and removed from rows of every kind of column, in every size") {
    in_all_sizes<Red, Position, Name, Owner, Wide, Bag>();
}

TEST_CASE("a string is added to and removed from rows of every kind of column") {
    const std::size_t chunk = rows_of_chunk<Position, Owner, Wide>();
    for (const std::size_t rows : {std::size_t{1}, chunk, 2 * chunk + 7})
        there_and_back<Name, Position, Owner, Wide>(rows, 3);
}

TEST_CASE("set_all adds and replaces, and says how many it changed") {
    World world;
    Entities with;
    Entities without;
    fill<Position, Name>(world, without, 6000);
    fill<Position, Name, Velocity>(world, with, 5000, 50'000);
    auto all = world.query<const Position>();
    CHECK(all.set_all(make<Velocity>(7)) == 11'000);
    world.check();
    CHECK(spoilt<Position, Name>(world, without, 3) == 0);
    CHECK(spoilt<Position, Name>(world, with, 3, 50'000) == 0);
    CHECK(all.set_all(make<Name>(9), make<Wide>(8)) == 11'000);
    world.check();
    std::size_t right = 0;
    world.query<const Velocity, const Name, const Wide>().each([&](const Velocity& v, const Name& n, const Wide& w) {
        right += read(v) == 7 && read(n) == 9 && read(w) == 8;
    });
    CHECK(right == 11'000);
    CHECK(spoilt<Position>(world, with, 4, 50'000) == 0);
}

TEST_CASE("the value of set_all may lie in the world that it changes") {
    World world;
    Entities ids;
    fill<Position, Name>(world, ids, 5000, 1);
    const Entity source = ids[17];
    CHECK(world.query<const Position>().set_all(world.get<const Name>(source)) == 5000);
    for (const Entity e : ids) REQUIRE(read(world.get<const Name>(e)) == 18);
    CHECK(world.query<With<Position>, Without<Velocity>>().set_all(Velocity{1, 2}, world.get<const Name>(source)) ==
          5000);
    for (const Entity e : ids) REQUIRE(read(world.get<const Name>(e)) == 18);
    world.check();
}

TEST_CASE("several tables flow into one, and one query sees them there") {
    World world;
    Entities plain;
    Entities red;
    Entities blue;
    Entities both;
    fill<Position>(world, plain, 5000);
    fill<Position, Red>(world, red, 4500, 10'000);
    fill<Position, Blue>(world, blue, 10, 20'000);
    fill<Position, Red, Blue>(world, both, 4100, 30'000);
    auto target = world.query<With<Position, Red, Blue>>();
    CHECK(target.count() == 4100);
    CHECK((world.query<const Position>().add_all<Red, Blue>() == 9510));
    CHECK(target.count() == 13'610);
    world.check();
    CHECK(spoilt<Position>(world, plain, 3) == 0);
    CHECK(spoilt<Position>(world, red, 3, 10'000) == 0);
    CHECK(spoilt<Position>(world, blue, 3, 20'000) == 0);
    CHECK(spoilt<Position>(world, both, 3, 30'000) == 0);
    CHECK((world.query<Red>().remove_all<Red, Blue>() == 13'610));
    CHECK(target.empty());
    CHECK(world.query<Without<Red, Blue>>().count() == 13'610);
    world.check();
}

TEST_CASE("despawn_all ends whole tables, parts of them and what they own") {
    Counted::ledger().reset();
    {
        World world;
        Entities ids;
        Entities kept;
        fill<Position, Counted, Name>(world, ids, 9000);
        fill<Position, Counted, Red>(world, kept, 100, 50'000);
        CHECK(world.query<const Counted, Without<Red>>().despawn_all() == 9000);
        world.check();
        CHECK(world.size() == 100);
        CHECK(Counted::ledger().alive == 100);
        for (const Entity e : ids) REQUIRE_FALSE(world.alive(e));
        CHECK(spoilt<Position, Counted>(world, kept, 3, 50'000) == 0);
        const Entity heir = world.spawn();
        CHECK((!world.alive(ids[heir.index()]) && heir != ids[heir.index()]));
        CHECK(world.query<>().despawn_all() == 101);
        CHECK(world.query<>().despawn_all() == 0);
        CHECK(world.size() == 0);
        world.check();
    }
    CHECK(Counted::ledger().alive == 0);
    CHECK(Counted::ledger().wrong == 0);
}

TEST_CASE("sparse components are conditions, are added, set and removed") {
    World world;
    Entities ids;
    fill<Position>(world, ids, 3000);
    for (std::size_t i = 0; i < ids.size(); i += 3) world.set(ids[i], make<Burning>(static_cast<int>(i)));
    auto hot = world.query<const Position, const Burning>();
    CHECK(hot.add_all<Red>() == 1000);
    CHECK((world.query<const Position, Without<Burning>>().add_all<Flag, Blue>() == 2000));
    world.check();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const bool is_hot = i % 3 == 0;
        REQUIRE(world.has<Red>(ids[i]) == is_hot);
        REQUIRE(world.has<Flag, Blue>(ids[i]) != is_hot);
        if (is_hot) REQUIRE(world.get<const Burning>(ids[i]).heat == static_cast<int>(i));
    }
    CHECK(world.query<const Position>().set_all(Burning{5}) == 3000);
    CHECK(hot.count() == 3000);
    CHECK(world.query<Flag>().remove_all<Burning>() == 2000);
    CHECK(hot.count() == 1000);
    CHECK((hot.remove_all<Burning, Red>() == 1000));
    CHECK(hot.remove_all<Burning>() == 0);
    CHECK((world.query<Flag, Blue>().despawn_all() == 2000));
    CHECK(spoilt<Position>(world, Entities{ids[0]}, 1) == 0);
    CHECK(world.size() == 1000);
    world.check();
}

TEST_CASE("cleanup components stay, and ghosts among the matches are treated as dead") {
    World world;
    Entities ids;
    fill<Position, Grave>(world, ids, 4200, 1);
    Entities ghosts(ids.begin(), ids.begin() + 100);
    for (const Entity e : ghosts) world.despawn(e);
    auto graves = world.query<const Grave>();
    CHECK(graves.count() == 4200);
    CHECK(graves.add_all<Red>() == 4100);
    CHECK(graves.set_all(make<Velocity>(3)) == 4100);
    CHECK(graves.despawn_all() == 4100);
    CHECK(world.size() == 0);
    CHECK(graves.count() == 4200);
    world.check();
    for (std::size_t i = 0; i < ids.size(); ++i)
        REQUIRE(read(world.get<const Grave>(ids[i])) == static_cast<int>(i) + 1);
    CHECK(graves.despawn_all() == 0);
    CHECK(graves.remove_all<Red>() == 0);
    CHECK(graves.remove_all<Grave>() == 4200);
    CHECK(graves.empty());
    for (const Entity e : ids) REQUIRE_FALSE(world.has<Grave>(e));
    world.check();
    CHECK(world.spawn().generation() > 1);  // the ids of the ghosts are free again
}

TEST_CASE("queries that exist are never stale, and new rows keep coming to where the bulk went") {
    World world;
    Entities ids;
    fill<Position>(world, ids, 6000);
    auto red = world.query<const Position, Red>();
    auto not_red = world.query<const Position, Without<Red>>();
    auto any = world.query<AnyOf<Red, Blue>>();
    CHECK((red.empty() && not_red.count() == 6000 && any.empty()));
    CHECK(not_red.add_all<Red>() == 6000);
    CHECK((red.count() == 6000 && not_red.empty() && any.count() == 6000));
    fill<Position>(world, ids, 50, 6000);
    fill<Position, Red>(world, ids, 50, 6050);
    CHECK((red.count() == 6050 && not_red.count() == 50));
    CHECK(not_red.add_all<Red>() == 50);
    CHECK(spoilt<Position>(world, ids, 2) == 0);
    for (const Entity e : ids) REQUIRE((red.contains(e) && any.contains(e) && !not_red.contains(e)));
    world.shrink_to_fit();
    CHECK(red.count() == 6100);
    for (std::size_t i = 0; i < 100; ++i) world.despawn(ids[i * 60]);
    CHECK(red.remove_all<Red>() == 6000);
    CHECK((red.empty() && not_red.count() == 6000));
    world.check();
}

TEST_CASE("bulk changes are refused while a query is walked, and change nothing then") {
    World world;
    Entities ids;
    fill<Position>(world, ids, 20);
    auto query = world.query<Position>();
    const auto is_locked = [](auto&& change) {
        try {
            change();
        } catch (const Error& error) {
            return error.code() == Errc::locked;
        }
        return false;
    };
    const auto try_all = [&] {
        CHECK(is_locked([&] { query.despawn_all(); }));
        CHECK(is_locked([&] { query.add_all<Red>(); }));
        CHECK(is_locked([&] { query.add_all<Flag>(); }));
        CHECK(is_locked([&] { query.remove_all<Position>(); }));
        CHECK(is_locked([&] { query.set_all(make<Velocity>(1)); }));
    };
    query.each([&](Position&) { try_all(); });
    query.each_chunk([&](std::span<Position>) { try_all(); });
    query.fetch(ids[3], [&](Position&) { try_all(); });
    for ([[maybe_unused]] auto row : query) try_all();
    CHECK(spoilt<Position>(world, ids, 1) == 0);
    CHECK(query.add_all<Red>() == 20);
}

TEST_CASE("bulk changes work inside the unlocked walk") {
    World world;
    Entities ids;
    fill<Position>(world, ids, 4500);
    fill<Position, Blue>(world, ids, 10, 4500);
    std::size_t tables = 0;
    world.query<const Position, Without<Red>>().each_table([&](auto& rows) {
        ++tables;
        if (rows.size() == 4500) CHECK(world.query<const Position, Without<Blue, Red>>().add_all<Red>() == 4500);
    });
    CHECK(tables == 2);
    CHECK(world.query<Red>().count() == 4500);
    CHECK(spoilt<Position>(world, ids, 2) == 0);
    world.check();
}
