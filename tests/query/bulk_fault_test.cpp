// Bulk changes that fail on the way: at the n-th allocation, and when a value cannot be built. Each entity is changed
// wholly or not at all, nothing leaks, and the same call can be made again.
#include <doctest/doctest.h>

#include <cstdint>
#include <new>
#include <stoa/stoa.hpp>

#include "support/components.hpp"
#include "support/fault_allocator.hpp"
#include "support/matches.hpp"
#include "support/values.hpp"

using namespace stoa;
using namespace stoa_test;

namespace {

constexpr int rows = 2500;  // more than a chunk in the widest table here, and a tail

struct Scene {
    World world;
    Entities ids;

    Scene() {
        for (int i = 0; i < rows; ++i) {
            ids.push_back(i % 5 != 0 ? world.spawn(make<Position>(i), make<Name>(i), make<Counted>(i))
                                     : world.spawn(make<Position>(i), make<Name>(i), make<Counted>(i), Blue{}));
        }
    }
    // Those that are alive have the values they began with.
    bool whole() const {
        for (int i = 0; i < rows; ++i) {
            const Entity e = ids[static_cast<std::size_t>(i)];
            if (!world.alive(e)) continue;
            if (!world.has<Position, Name, Counted>(e) || world.has<Blue>(e) != (i % 5 == 0)) return false;
            if (read(world.get<const Position>(e)) != i || read(world.get<const Name>(e)) != i) return false;
            if (read(world.get<const Counted>(e)) != i) return false;
        }
        return true;
    }
};

// Runs `change` with a fault at the n-th allocation, for n = 0, 1, 2 … until it comes through. `done` says whether an
// entity has been changed; `is_mixed` that it is neither as before nor as after.
template <class Change, class Done, class Mixed>
void loop(Change&& change, Done&& done, Mixed&& is_mixed) {
    std::uint64_t faults = 0;
    for (const FaultMode mode : {FaultMode::once, FaultMode::persistent}) {
        for (std::uint64_t nth = 0;; ++nth) {
            CAPTURE(nth);
            Scene scene;
            auto query = scene.world.query<const Position>();
            bool failed = false;
            {
                const AllocationFaults fault{nth, mode};
                try {
                    change(query);
                } catch (const std::bad_alloc&) {
                    failed = true;
                }
            }
            scene.world.check();
            REQUIRE(scene.whole());
            std::size_t changed = 0;
            for (const Entity e : scene.ids) {
                REQUIRE_FALSE(is_mixed(scene.world, e));
                changed += done(scene.world, e);
            }
            REQUIRE((failed || changed == scene.ids.size()));
            CHECK(change(query) == scene.ids.size() - changed);
            for (const Entity e : scene.ids) REQUIRE(done(scene.world, e));
            REQUIRE(scene.whole());
            scene.world.check();
            if (!failed) break;
            ++faults;
        }
    }
    CHECK(faults > 0);
}

bool never(World&, Entity) { return false; }

}  // namespace

TEST_CASE("add_all without memory changes each entity wholly or not at all") {
    loop([](auto& query) { return query.template add_all<Red>(); }, [](World& w, Entity e) { return w.has<Red>(e); },
         never);
    loop([](auto& query) { return query.template add_all<Velocity, Red, Flag>(); },
         [](World& w, Entity e) { return w.has<Velocity, Red, Flag>(e); },
         [](World& w, Entity e) { return w.has_any<Velocity, Red, Flag>(e) && !w.has<Velocity, Red, Flag>(e); });
}

TEST_CASE("set_all without memory changes each entity wholly or not at all") {
    std::uint64_t faults = 0;
    for (const FaultMode mode : {FaultMode::once, FaultMode::persistent}) {
        for (std::uint64_t nth = 0;; ++nth) {
            CAPTURE(nth);
            Scene scene;
            auto query = scene.world.query<const Position>();
            const Velocity velocity = make<Velocity>(3);
            const Note note = make<Note>(2);
            bool failed = false;
            {
                const AllocationFaults fault{nth, mode};
                try {
                    query.set_all(velocity, note);
                } catch (const std::bad_alloc&) {
                    failed = true;
                }
            }
            scene.world.check();
            REQUIRE(scene.whole());
            for (const Entity e : scene.ids) {
                const bool is_set = scene.world.has<Velocity>(e);
                REQUIRE((failed || is_set));
                REQUIRE(scene.world.has<Note>(e) == is_set);
                if (!is_set) continue;
                REQUIRE(read(scene.world.get<const Velocity>(e)) == 3);
                REQUIRE(read(scene.world.get<const Note>(e)) == 2);
            }
            CHECK(query.set_all(make<Velocity>(5), note) == scene.ids.size());
            for (const Entity e : scene.ids) REQUIRE(read(scene.world.get<const Velocity>(e)) == 5);
            if (!failed) break;
            ++faults;
            nth += nth / 8;  // a string an entity: the points lie close together
        }
    }
    CHECK(faults > 5);
}

TEST_CASE("remove_all and despawn_all without memory change each entity wholly or not at all") {
    Counted::ledger().reset();
    for (std::uint64_t nth = 0; nth < 30; ++nth) {
        Scene scene;
        auto query = scene.world.query<const Position>();
        CHECK(query.add_all<Velocity>() == scene.ids.size());
        {
            const AllocationFaults fault{nth, FaultMode::persistent};
            try {
                query.remove_all<Velocity>();
            } catch (const std::bad_alloc&) {
            }
        }
        scene.world.check();
        REQUIRE(scene.whole());
        query.remove_all<Velocity>();
        CHECK(scene.world.query<With<Velocity>>().empty());
        {
            const AllocationFaults fault{nth, FaultMode::persistent};
            try {
                query.despawn_all();
            } catch (const std::bad_alloc&) {
            }
        }
        scene.world.check();
        REQUIRE(scene.whole());
        query.despawn_all();
        CHECK(scene.world.size() == 0);
    }
    CHECK(Counted::ledger().alive == 0);
    CHECK(Counted::ledger().wrong == 0);
}

TEST_CASE("a copy that throws in set_all leaves each entity as before or as after") {
    for (const std::uint64_t nth : {0u, 1u, 2u, 700u, 1999u, 2000u, 2400u, 2600u, 4000u}) {
        CAPTURE(nth);
        Counted::ledger().reset();
        Counted2::ledger().reset();
        {
            Scene scene;
            auto query = scene.world.query<const Position>();
            CHECK((scene.world.query<const Position, Blue>().set_all(Counted2(1)) == rows / 5));
            bool failed = false;
            {
                const Counted2 value(7);
                const ConstructionFaults fault{nth};
                try {
                    query.set_all(make<Velocity>(1), value);
                } catch (const PlannedFault&) {
                    failed = true;
                }
                CHECK(failed == fault.fired());
            }
            scene.world.check();
            REQUIRE(scene.whole());
            for (std::size_t i = 0; i < scene.ids.size(); ++i) {
                const Entity e = scene.ids[i];
                const Counted2* value = scene.world.find<const Counted2>(e);
                const int before = i % 5 == 0 ? 1 : -1;
                const int now = value != nullptr ? read(*value) : -1;
                REQUIRE((now == before || now == 7));
                REQUIRE(scene.world.has<Velocity>(e) == (now == 7));
                REQUIRE((failed || now == 7));
            }
            CHECK(Counted2::ledger().alive == static_cast<std::int64_t>(scene.world.query<With<Counted2>>().count()));
            CHECK(query.set_all(Counted2(8)) == rows);
        }
        CHECK((Counted::ledger().alive == 0 && Counted2::ledger().alive == 0));
        CHECK((Counted::ledger().wrong == 0 && Counted2::ledger().wrong == 0));
    }
}

TEST_CASE("a constructor that throws in add_all leaves each entity as before or as after") {
    for (const std::uint64_t nth : {0u, 1u, 699u, 2047u, 2499u, 2500u}) {
        CAPTURE(nth);
        Counted2::ledger().reset();
        {
            Scene scene;
            auto query = scene.world.query<const Position>();
            bool failed = false;
            {
                const ConstructionFaults fault{nth};
                try {
                    query.add_all<Velocity, Counted2, Red>();
                } catch (const PlannedFault&) {
                    failed = true;
                }
            }
            CHECK(failed == (nth < rows));
            scene.world.check();
            REQUIRE(scene.whole());
            const std::size_t changed = scene.world.query<With<Velocity, Counted2, Red>>().count();
            CHECK(scene.world.query<AnyOf<Velocity, Counted2, Red>>().count() == changed);
            CHECK(Counted2::ledger().alive == static_cast<std::int64_t>(changed));
            CHECK((query.add_all<Velocity, Counted2, Red>() == rows - changed));
            REQUIRE(scene.whole());
        }
        CHECK((Counted2::ledger().alive == 0 && Counted2::ledger().wrong == 0));
    }
}
