// Filtered queries: what passes, in which order, by which plan, and what is refused.
#include <doctest/doctest.h>

#include <stoa/stoa.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace stoa;

namespace {

struct Unit {
    int team = 0;
    int level = 0;
};
struct Position {
    float x = 0;
};
struct Loose {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Frozen {};
struct Painter {};

using Ids = std::vector<Entity>;

template <class Q>
Ids walked(const Q& query) {
    Ids found;
    query.collect(found);
    return found;
}

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

struct Scene {
    World world;
    HashIndex<&Unit::team> by_team{world};
    OrderedIndex<&Unit::level> by_level{world};
    Ids ids;

    Scene() {
        for (int i = 0; i < 60; ++i) ids.push_back(world.spawn(Unit{i % 3, i}, Position{static_cast<float>(i)}));
        for (int i = 0; i < 60; i += 5) world.add<Frozen>(ids[static_cast<std::size_t>(i)]);
        for (int i = 0; i < 60; i += 7) world.set(ids[static_cast<std::size_t>(i)], Loose{i});
        world.spawn(Position{});
    }
    // By hand, in the order of the query.
    template <class Q, class Passes>
    static Ids by_hand(const Q& query, Passes&& passes) {
        Ids found;
        query.each([&](Entity entity, const Unit& unit, const auto&...) {
            if (passes(unit)) found.push_back(entity);
        });
        return found;
    }
};

}  // namespace

TEST_CASE_FIXTURE(Scene, "a walk over a filtered query visits those that pass, in the order of the query") {
    const auto query = world.query<const Unit, const Position>();
    const auto red = query.where(by_team == 1);
    const Ids expected = by_hand(query, [](const Unit& unit) { return unit.team == 1; });
    CHECK(walked(red) == expected);
    Ids found;
    red.each([&](Entity entity, const Unit&, const Position&) { found.push_back(entity); });
    CHECK(found == expected);
    found.clear();
    for (auto [entity, unit, position] : red) {
        CHECK(unit.team == 1);
        found.push_back(entity);
    }
    CHECK(found == expected);
    found.clear();
    for (auto [entity, unit, position] : query.where(by_team == 1, by_level < 30)) found.push_back(entity);
    CHECK(found.size() == 10);
    CHECK(red.count() == 20);
    CHECK_FALSE(red.empty());
    CHECK(red.first() == expected.front());
    CHECK(walked(red.reversed()) == Ids(expected.rbegin(), expected.rend()));
    CHECK(red.reversed().first() == expected.back());
    Ids sorted = expected;
    std::sort(sorted.begin(), sorted.end());
    CHECK(walked(red.ordered()) == sorted);
    CHECK(walked(query.ordered().where(by_team == 1)) == sorted);
    CHECK(walked(red.ordered().reversed()) == Ids(sorted.rbegin(), sorted.rend()));
    found.clear();
    red.each_chunk([&](std::span<const Entity> run, std::span<const Unit> units, std::span<const Position>) {
        REQUIRE(run.size() == units.size());
        for (const Unit& unit : units) CHECK(unit.team == 1);
        found.insert(found.end(), run.begin(), run.end());
    });
    CHECK(found == expected);
    int until = 0;
    CHECK(red.each_until([&](const Unit&, const Position&) { return ++until == 4; }));
    CHECK(until == 4);
    CHECK(red.contains(ids[1]));
    CHECK_FALSE(red.contains(ids[2]));
    CHECK_FALSE(red.contains(Entity{}));
    CHECK(red.fetch(ids[4], [](const Unit& unit, const Position&) { CHECK(unit.level == 4); }));
    CHECK_FALSE(red.fetch(ids[5], [](const Unit&, const Position&) { FAIL("it does not match"); }));
    CHECK(query.where(by_level == 8).single() == ids[8]);
    CHECK(code_of([&] { red.single(); }) == Errc::not_single);
    CHECK(code_of([&] { query.where(by_level == 99).single(); }) == Errc::not_single);
    CHECK_FALSE(query.where(by_level == 99).first());
}

TEST_CASE_FIXTURE(Scene, "filters combine, and the query that is asked stays as it was") {
    const auto query = world.query<const Unit>();
    const auto count = [&](const Filter& filter, auto&& passes) {
        CHECK(walked(query.where(filter)) == by_hand(query, passes));
        return query.where(filter).count();
    };
    CHECK(count(by_level >= 10 && by_level < 20, [](const Unit& u) { return u.level >= 10 && u.level < 20; }) == 10);
    CHECK(count(by_level.between(10, 20), [](const Unit& u) { return u.level >= 10 && u.level <= 20; }) == 11);
    CHECK(count(by_level.between(20, 10), [](const Unit&) { return false; }) == 0);
    CHECK(count(by_level <= 3 || by_level > 57 || by_team == 7,
                [](const Unit& u) { return u.level <= 3 || u.level > 57; }) == 6);
    CHECK(count(by_level <= 30 || by_team == 1, [](const Unit& u) { return u.level <= 30 || u.team == 1; }) == 41);
    CHECK(count(by_team != 1, [](const Unit& u) { return u.team != 1; }) == 40);
    CHECK(count(!(by_team == 1 && by_level > 30), [](const Unit& u) { return !(u.team == 1 && u.level > 30); }) == 50);
    CHECK(count(!(by_team != 1 || by_level > 30), [](const Unit& u) { return u.team == 1 && u.level <= 30; }) == 10);
    CHECK(count(by_team.in({0, 2, 2, 9}), [](const Unit& u) { return u.team != 1; }) == 40);
    CHECK(count(by_team.in({}), [](const Unit&) { return false; }) == 0);
    CHECK(count(!by_team.in({0, 2}), [](const Unit& u) { return u.team == 1; }) == 20);
    CHECK(query.where(by_team == 1).where(by_level < 9).count() == 3);
    CHECK(query.where(by_team == 1, by_level < 9).count() == 3);
    CHECK(query.where().count() == 60);
    CHECK(query.count() == 60);
    const auto red = query.where(by_team == 1);
    static_cast<void>(red.where(by_level == 1));
    CHECK(red.count() == 20);
}

TEST_CASE_FIXTURE(Scene,
                  "an index of a component outside the query filters too, and never lets those without it pass") {
    CHECK(world.query<const Position>().where(by_team == 1).count() == 20);
    CHECK(world.query<>().where(by_team != 1).count() == 40);
    CHECK(world.query<const Position>().where(!(by_team == 1)).count() == 40);
    CHECK(world.query<Frozen>().where(by_level < 20).count() == 4);
    CHECK(world.query<const Loose>().where(by_level < 20).count() == 3);
    HashIndex<&Loose::value> by_loose{world};
    CHECK(world.query<const Unit, Without<Frozen>>().where(by_loose == 14).count() == 1);
    CHECK(world.query<const Unit>().where(by_loose != 14).count() == 8);
    CHECK(world.query<const Unit>().where(!(by_loose == 14) && by_team == 0).count() == 3);
}

TEST_CASE_FIXTURE(Scene, "the smallest drives the walk") {
    const auto query = world.query<const Unit>();
    const auto says = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    CHECK(says(query.where(by_level == 3).explain(), "driven by the filter"));
    CHECK(says(query.where(by_level == 3).explain(), "at most 1,"));
    CHECK(says(query.where(by_level >= 0, by_team == 2).explain(), "at most 20,"));
    CHECK(says(query.where().explain(), "driven by the tables"));
    CHECK(says(query.where().explain(), "60 rows in 2 tables"));
    CHECK(says(world.query<const Unit, Frozen>().where(by_level >= 0).explain(), "driven by the tables"));
    CHECK(says(world.query<const Unit, const Loose>().where(by_level >= 0).explain(), "driven by a sparse set"));
    CHECK(says(world.query<const Unit, const Loose>().where(by_level == 0).explain(), "driven by the filter"));
    world.query<const Unit, const Loose>().where(by_level >= 0).each([](const Unit& unit, const Loose& loose) {
        CHECK(unit.level == loose.value);
    });
}

TEST_CASE_FIXTURE(Scene, "what a walk writes does not change whom it visits") {
    int visited = 0;
    world.query<Unit>().where(by_team == 1).each([&](Unit& unit) {
        unit.team = 2;
        ++visited;
    });
    CHECK(visited == 20);
    CHECK(by_team.count(1) == 0);
    CHECK(by_team.count(2) == 40);
    visited = 0;
    for (auto [entity, unit] : world.query<Unit>().where(by_level >= 0)) {
        unit.level += 1000;
        ++visited;
        if (visited == 7) break;
    }
    CHECK(visited == 7);
    CHECK(world.query<Unit>().where(by_level >= 1000).count() == 7);
}

TEST_CASE_FIXTURE(Scene, "structure is locked while a filtered query is walked, and free afterwards") {
    const auto red = world.query<const Unit>().where(by_team == 1);
    red.each([&](Entity entity, const Unit&) { CHECK(code_of([&] { world.despawn(entity); }) == Errc::locked); });
    CHECK_THROWS_AS(red.each([](const Unit&) { throw 1; }), int);
    by_team.each(1, [&](Entity entity) { CHECK(code_of([&] { world.despawn(entity); }) == Errc::locked); });
    for (auto row : red) {
        static_cast<void>(row);
        break;
    }
    CHECK(world.despawn(ids[1]));
    CHECK(red.count() == 19);
}

TEST_CASE_FIXTURE(Scene, "changes to all that pass") {
    const auto red = world.query<const Unit>().where(by_team == 1);
    CHECK(red.set_all(Position{7}) == 20);
    CHECK(world.get<const Position>(ids[1]).x == 7);
    CHECK(red.add_all<Frozen>() == 16);
    CHECK(red.remove_all<Position, Frozen>() == 20);
    CHECK(red.despawn_all() == 20);
    CHECK(world.query<Unit>().count() == 40);
    red.each([](const Unit&) { FAIL("they are gone"); });
    CHECK(code_of([&] { world.query<Unit>().each([&](Unit&) { red.despawn_all(); }); }) == Errc::locked);
    world.check();
}

TEST_CASE_FIXTURE(Scene, "changes since the last walk, filtered") {
    auto changed = world.query<const Unit, Changed<Unit>>().where(by_team == 1);
    CHECK(walked(changed).size() == 20);
    CHECK(walked(changed).empty());
    world.get<Unit>(ids[1]).level = 5;
    world.get<Unit>(ids[2]).level = 5;
    CHECK(changed.count() == 1);
    CHECK(changed.contains(ids[1]));
    CHECK(walked(changed) == Ids{ids[1]});
    CHECK(walked(changed).empty());
    world.get<Unit>(ids[2]).team = 1;
    CHECK(walked(changed) == Ids{ids[2]});
    world.get<Unit>(ids[4]).level = 5;
    Ids found;
    for (auto [entity, unit] : changed) found.push_back(entity);
    for (auto [entity, unit] : changed) found.push_back(entity);
    CHECK(found == Ids{ids[4]});
}

TEST_CASE_FIXTURE(Scene, "a family is walked while it is active") {
    const auto family = world.query<const Unit, Needs<Painter>>().where(by_team == 1);
    CHECK(family.count() == 20);
    CHECK(walked(family).empty());
    CHECK_FALSE(family.first());
    CHECK_FALSE(family.fetch(ids[1], [](const Unit&) {}));
    CHECK_FALSE(family.active());
    CHECK_FALSE(family.setup([](Painter&) { FAIL("it is not active"); }));
    family.each_chunk([](std::span<const Unit>) { FAIL("it is not active"); });
    CHECK(family.despawn_all() == 0);
    CHECK(family.explain().find("missing") != std::string::npos);
    world.set_resource(Painter{});
    CHECK(walked(family).size() == 20);
    bool called = false;
    CHECK(family.setup([&](Painter&) { called = true; }));
    CHECK(called);
}

TEST_CASE_FIXTURE(Scene, "each_chunk of a filtered query writes those that pass, and no others") {
    auto changed = world.query<const Unit, Changed<Unit>>();
    static_cast<void>(walked(changed));
    const Ids expected = walked(world.query<const Unit>().where(by_team == 1));
    world.query<Unit>().where(by_team == 1).each_chunk([](std::span<Unit> units) {
        for (Unit& unit : units) unit.level += 100;
    });
    CHECK(walked(changed) == expected);
    CHECK(world.query<const Unit>().where(by_level >= 100).count() == expected.size());
    // Sparse values come one by one.
    Ids loose;
    world.query<const Loose>()
        .where(by_team == 0)
        .each_chunk([&](std::span<const Entity> run, std::span<const Loose> values) {
            CHECK(run.size() == 1);
            CHECK(values[0].value == static_cast<int>(run[0].index()));
            loose.push_back(run[0]);
        });
    CHECK(loose == walked(world.query<const Loose>().where(by_team == 0)));
    CHECK(loose.size() == 3);
}

TEST_CASE_FIXTURE(Scene, "filters belong to one world, and end with it") {
    World other;
    CHECK(code_of([&] { static_cast<void>(other.query<Unit>().where(by_team == 1)); }) == Errc::conflict);
    auto red = world.query<const Unit>().where(by_team == 1);
    World moved(std::move(world));
    CHECK(red.count() == 20);
    { const World end(std::move(moved)); }
    CHECK(code_of([&] { static_cast<void>(red.count()); }) == Errc::world_gone);
    CHECK(code_of([&] { static_cast<void>(red.explain()); }) == Errc::world_gone);
}

TEST_CASE("many rows in many tables come in the order of the query") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    OrderedIndex<&Unit::level> by_level{world};
    for (int i = 0; i < 30'000; ++i) {
        const Entity e = world.spawn(Unit{i % 4, i});
        if (i % 3 == 0) world.add<Frozen>(e);
        if (i % 5 == 0) world.add<Position>(e);
    }
    for (int i = 0; i < 3000; ++i) world.despawn(by_level.find(i * 7));
    const auto query = world.query<const Unit>();
    CHECK(walked(query.where(by_team == 1)) == Scene::by_hand(query, [](const Unit& u) { return u.team == 1; }));
    CHECK(walked(query.where(by_level.between(900, 1100))) ==
          Scene::by_hand(query, [](const Unit& u) { return u.level >= 900 && u.level <= 1100; }));
    CHECK(walked(query.where(by_team == 1 || by_team == 1 || by_level >= 5000)) ==
          Scene::by_hand(query, [](const Unit& u) { return u.team == 1 || u.level >= 5000; }));
    CHECK(walked(world.query<const Unit, With<Frozen>>().where(by_level < 9000)) ==
          Scene::by_hand(world.query<const Unit, With<Frozen>>(), [](const Unit& u) { return u.level < 9000; }));
    CHECK(detail::IndexAccess::field_index(by_level)->check() == nullptr);
}
