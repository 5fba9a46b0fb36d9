// The verbs that give things up never fail for lack of memory: despawn, remove, remove_all, clear and the end of a
// world, also when the table that an entity moves to does not exist yet.
#include "../support/loop_faults.hpp"
#include "../support/type_list.hpp"
#include "../support/values.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <new>
#include <optional>
#include <vector>

using namespace stoa_test;

namespace {

// Thrown when a verb gives the wrong answer; asserting inside the loop could itself need memory.
struct WrongAnswer {};

void must(bool right) {
    if (!right) {
        throw WrongAnswer{};
    }
}

// Returns how many allocations failed on the way. They must not reach the caller.
std::uint64_t sweep(const char* verb, const Operation& operation, const Verify& verify = {}) {
    return sweep_faults(verb, Promise::must_succeed, operation, verify).points();
}

}  // namespace

TEST_SUITE("verbs that never fail for lack of memory") {
    TEST_CASE("despawn") {
        sweep("despawn(plain)", [](Scene& s) { must(s.world.despawn(s.plain)); });
        sweep("despawn(rich)", [](Scene& s) { must(s.world.despawn(s.rich)); });
        sweep("despawn(stuck)", [](Scene& s) { must(s.world.despawn(s.stuck)); });
        sweep("despawn(empty)", [](Scene& s) { must(s.world.despawn(s.empty)); });
    }

    TEST_CASE("despawn that leaves a ghost") {
        sweep(
            "despawn(marked)", [](Scene& s) { must(s.world.despawn(s.marked)); },
            [](Scene& s) {
                CHECK(!s.world.alive(s.marked));
                CHECK(s.world.has<Grave, Tomb, Haunted>(s.marked));
                CHECK(!s.world.has_any<Position, Name>(s.marked));
            });
    }

    TEST_CASE("despawn of the dead, of ghosts and of null") {
        sweep("despawn(dead)", [](Scene& s) { must(!s.world.despawn(s.dead)); });
        sweep("despawn(ghost)", [](Scene& s) { must(!s.world.despawn(s.ghost)); });
        sweep("despawn(null)", [](Scene& s) { must(!s.world.despawn(stoa::Entity{})); });
    }

    TEST_CASE("remove of one, also when the table it leads to does not exist yet") {
        sweep("remove<Velocity>", [](Scene& s) { must(s.world.remove<Velocity>(s.plain)); });
        sweep("remove<Name>", [](Scene& s) { must(s.world.remove<Name>(s.rich)); });
        sweep("remove<Red>", [](Scene& s) { must(s.world.remove<Red>(s.rich)); });
        sweep("remove<Bag>", [](Scene& s) { must(s.world.remove<Bag>(s.rich)); });
        sweep("remove<Owner>", [](Scene& s) { must(s.world.remove<Owner>(s.stuck)); });
        sweep("remove<Grave>", [](Scene& s) { must(s.world.remove<Grave>(s.marked)); });
    }

    TEST_CASE("remove of several") {
        sweep("remove<Position, Velocity>", [](Scene& s) { must(s.world.remove<Position, Velocity>(s.plain)); });
        sweep("remove<Position, Counted, Burning>",
              [](Scene& s) { must(s.world.remove<Position, Counted, Burning>(s.rich)); });
        sweep("remove<Name, Velocity, Wide> where one is absent",
              [](Scene& s) { must(s.world.remove<Name, Velocity, Wide>(s.rich)); });
    }

    TEST_CASE("remove of sparse components") {
        sweep("remove<Burning>", [](Scene& s) { must(s.world.remove<Burning>(s.rich)); });
        sweep("remove<Note, SparseCounted>", [](Scene& s) { must(s.world.remove<Note, SparseCounted>(s.rich)); });
        sweep("remove<Pinned>", [](Scene& s) { must(s.world.remove<Pinned>(s.stuck)); });
    }

    TEST_CASE("remove of what is not there") {
        sweep("remove<Wide>", [](Scene& s) { must(!s.world.remove<Wide>(s.plain)); });
        sweep("remove<Clumsy>", [](Scene& s) { must(!s.world.remove<Clumsy>(s.plain)); });
        sweep("remove from the dead", [](Scene& s) { must(!s.world.remove<Name>(s.dead)); });
    }

    TEST_CASE("remove of the last component of a ghost, which frees its id") {
        sweep(
            "remove<Grave> of a ghost", [](Scene& s) { must(s.world.remove<Grave>(s.ghost)); },
            [](Scene& s) { CHECK(!s.world.has<Grave>(s.ghost)); });
    }

    TEST_CASE("remove of one of several components of a ghost") {
        const MakeScene make = [] {
            Scene scene = make_scene({.name = "two ghosts"});
            scene.world.despawn(scene.marked);
            return scene;
        };
        for (const FaultKind kind : {FaultKind::allocation_once, FaultKind::allocation_persistent}) {
            loop_faults(kind, Promise::must_succeed, make,
                        [](Scene& s) { must(s.world.remove<Grave, Haunted>(s.marked)); });
            loop_faults(kind, Promise::must_succeed, make, [](Scene& s) { must(s.world.remove<Tomb>(s.marked)); });
        }
    }

    TEST_CASE("remove_all") {
        sweep("remove_all(rich)", [](Scene& s) { must(s.world.remove_all(s.rich)); });
        sweep("remove_all(marked)", [](Scene& s) { must(s.world.remove_all(s.marked)); });
        sweep("remove_all(empty)", [](Scene& s) { must(!s.world.remove_all(s.empty)); });
        sweep("remove_all(stuck)", [](Scene& s) { must(s.world.remove_all(s.stuck)); });
    }

    TEST_CASE("clear") {
        sweep(
            "clear()", [](Scene& s) { s.world.clear(); },
            [](Scene& s) {
                CHECK(s.world.size() == 0);
                CHECK(!s.world.alive(s.rich));
                CHECK(!s.world.has<Grave>(s.ghost));
            });
    }

    TEST_CASE("the end of a world") {
        for (const SceneSettings& settings : all_scenes()) {
            CAPTURE(settings.name);
            static_cast<void>(make_scene(settings));  // what the process keeps for good: the ids of the types
            const std::int64_t blocks = live_blocks();
            auto scene = std::make_unique<Scene>(make_scene(settings));
            {
                AllocationFaults faults{0, FaultMode::persistent};
                scene.reset();
            }
            CHECK(live_blocks() == blocks);
        }
    }

    TEST_CASE("many in a row without any memory: the first succeeds, and none does half of its work") {
        for (const SceneSettings& settings : all_scenes()) {
            CAPTURE(settings.name);
            Scene scene = make_scene(settings);
            const std::vector<Operation> row{
                [](Scene& s) { s.world.remove<Name>(s.rich); },
                [](Scene& s) { s.world.remove<Velocity>(s.plain); },
                [](Scene& s) { s.world.remove<Wide>(s.rich); },
                [](Scene& s) { s.world.despawn(s.marked); },
                [](Scene& s) { s.world.remove<Owner>(s.stuck); },
                [](Scene& s) { s.world.remove<Grave>(s.marked); },
                [](Scene& s) { s.world.remove_all(s.rich); },
                [](Scene& s) { s.world.remove<Grave>(s.ghost); },
                [](Scene& s) { s.world.despawn(s.rich); },
                [](Scene& s) { s.world.despawn(s.plain); },
                [](Scene& s) { s.world.clear(); },
            };
            for (std::size_t i = 0; i < row.size(); ++i) {
                CAPTURE(i);
                const Snapshot before = take_snapshot(scene.world, scene.indices);
                bool failed = false;
                {
                    AllocationFaults faults{0, FaultMode::persistent};
                    try {
                        row[i](scene);
                    } catch (const std::bad_alloc&) {
                        failed = true;
                    }
                }
                CHECK_NOTHROW(scene.world.check());
                if (failed) {
                    CHECK(i != 0);
                    CHECK(difference(before, take_snapshot(scene.world, scene.indices)) == "");
                    row[i](scene);
                }
            }
            CHECK(scene.world.size() == 0);
        }
    }
}
