// Indexes that are asked inside systems: there, what is written counts as written at the moment of the system, and lookups still
// see every write.
#include <doctest/doctest.h>

#include <stoa/stoa.hpp>

#include <vector>

using namespace stoa;

namespace {

struct Unit {
    int level = 0;
};
struct Loose {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};

}  // namespace

TEST_CASE("a system that writes, asks, and writes again is answered right each time") {
    World world;
    std::vector<Entity> ids;
    for (int i = 0; i < 10; ++i) ids.push_back(world.spawn(Unit{i}, Loose{i}));
    HashIndex<&Unit::level> by_level{world};
    OrderedIndex<&Loose::value> by_value{world};
    const auto agree = [&] {
        for (const Entity entity : ids) {
            REQUIRE(by_level.find(world.get<const Unit>(entity).level) == entity);
            REQUIRE(by_value.find(world.get<const Loose>(entity).value) == entity);
        }
        REQUIRE(by_level.count(-1) == 0);
    };
    Schedule schedule{world};
    schedule.add_phase("p")
        .add("first", [&](Query<Unit, Loose> units) {
            for (int round = 0; round < 200; ++round) {
                units.each([](Unit& unit, Loose& loose) {
                    unit.level += 1000;
                    loose.value += 1000;
                });
                agree();
                for (auto [entity, unit, loose] : units) unit.level -= 999;
                agree();
                world.get<Unit>(ids[3]).level += 5000;
                agree();
                world.get<Unit>(ids[3]).level += 5000;
                agree();
            }
        })
        .add("second", [&](Query<Mut<Unit>> units) {
            agree();
            units.each([&](Mut<Unit> unit) {
                unit.write().level += 70;
                REQUIRE(by_level.count(unit->level) == 1);
            });
            agree();
        });
    for (int frame = 0; frame < 3; ++frame) {
        schedule.update(0);
        agree();
        world.get<Unit>(ids[3]).level += 9000;
        agree();
    }
}

TEST_CASE("a query for changes finds in one run of a system what was written since its last walk") {
    World world;
    const Entity entity = world.spawn(Unit{1});
    world.spawn(Unit{2});
    Schedule schedule{world};
    const auto changed = world.query<const Unit, Changed<Unit>>();
    schedule.add_phase("p").add("look", [&](Query<Unit> units) {
        changed.each([](const Unit&) {});
        for (int round = 0; round < 100; ++round) {
            if (round < 20) REQUIRE(changed.count() == 0);
            units.fetch(entity, [](Unit& unit) { ++unit.level; });
            int found = 0;
            changed.each([&](const Unit&) { ++found; });
            REQUIRE(found == 1);
        }
    });
    schedule.update(0);
    schedule.update(0);
    CHECK(world.get<const Unit>(entity).level == 201);
}
