// Indexes that are asked inside systems: there, what is written counts as written at the moment of the system, and
// lookups still see every write.
#include <doctest/doctest.h>

#include <stoa/stoa.hpp>

#include <functional>
#include <span>
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
        .add("first",
             [&](Query<Unit, Loose> units) {
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

namespace {

// Every way to walk and write, with something to do before and after each write.
using Step = std::function<void(bool written)>;
struct Way {
    bool by_row;  // else a run of rows counts as written when it begins and when it ends
    void (*walk)(Query<Unit, Loose>, int value, const Step&);
};

const Way ways[] = {
    {false,
     [](Query<Unit, Loose> q, int value, const Step& step) {
         q.each([&](Unit& unit, Loose& loose) {
             step(false);
             unit.level = loose.value = value;
             step(true);
         });
     }},
    {true,
     [](Query<Unit, Loose> q, int value, const Step& step) {
         q.reversed().each([&](Unit& unit, Loose& loose) {
             step(false);
             unit.level = loose.value = value;
             step(true);
         });
     }},
    {true,
     [](Query<Unit, Loose> q, int value, const Step& step) {
         q.each_until([&](Unit& unit, Loose& loose) {
             step(false);
             unit.level = loose.value = value;
             step(true);
             return false;
         });
     }},
    {true,
     [](Query<Unit, Loose> q, int value, const Step& step) {
         for (auto [entity, unit, loose] : q) {
             step(false);
             unit.level = loose.value = value;
             step(true);
         }
     }},
    {true,
     [](Query<Unit, Loose> q, int value, const Step& step) {
         q.each_chunk([&](std::span<Unit> units, std::span<Loose> loose) {
             for (std::size_t i = 0; i < units.size(); ++i) {
                 step(false);
                 units[i].level = loose[i].value = value;
                 step(true);
             }
         });
     }},
    {false,
     [](Query<Unit, Loose> q, int value, const Step& step) {
         try {
             std::size_t left = q.count();
             q.each([&](Unit& unit, Loose& loose) {
                 step(false);
                 unit.level = loose.value = value;
                 step(true);
                 if (--left == 0) throw 1;
             });
         } catch (int) {
         }
     }},
};

// One index is asked: before each write or not, and after some. Afterwards it has seen them all.
template <class Index>
void check_lookups(const Way& way, bool stamped_by_row) {
    World world;
    world.spawn_many(30, Unit{}, Loose{});
    Index index{world};
    int value = 0;
    const auto walk = [&](Query<Unit, Loose> units, bool before, std::size_t every) {
        ++value;
        std::size_t written = 0;
        std::size_t wrong = 0;
        way.walk(units, value, [&](bool after) {
            written += after;
            if (!after && before) wrong += index.count(value) > written;
            if (!after || written % every != 0) return;
            const std::size_t found = index.count(value);
            wrong += found > written || found < (before ? 0 : stamped_by_row ? written : every);
        });
        CHECK(written == 30);
        CHECK(wrong == 0);
        CHECK(index.count(value) == 30);
    };
    Schedule schedule{world};
    schedule.add_phase("p").add("walk", [&](Query<Unit, Loose> units) {
        // Each lookup is a look for changes; from the third walk on the system has no moments left for them.
        for (const std::size_t every : {1u, 4u, 31u, 1u, 7u}) walk(units, false, every);
    });
    for (int frame = 0; frame < 3; ++frame) {
        schedule.update(0);
        for (const std::size_t every : {1u, 4u, 31u}) {
            walk(world.query<Unit, Loose>(), false, every);
            walk(world.query<Unit, Loose>(), true, every);
        }
    }
}

}  // namespace

TEST_CASE("an index that is asked inside a walk sees the writes of that walk, inside systems and outside") {
    for (const Way& way : ways) {
        CAPTURE(&way - ways);
        check_lookups<HashIndex<&Unit::level>>(way, way.by_row);
        check_lookups<OrderedIndex<&Loose::value>>(way, true);
    }
}
