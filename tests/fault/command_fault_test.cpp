// Commands while memory runs out or a value throws. Recording fails without a trace. A flush that fails has applied the
// commands before the one that failed, and no other; nothing leaks, and nothing is destroyed twice.
#include "../support/loop_faults.hpp"
#include "../support/type_list.hpp"
#include "../support/values.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace stoa_test;
using stoa::Commands;
using stoa::Entity;
using stoa::World;

namespace {

std::uint64_t sweep(const char* verb, const Operation& operation) {
    return sweep_faults(verb, Promise::may_throw, operation).points();
}

std::int64_t watched() {
    std::int64_t sum = 0;
    AllComponents::each([&]<class C>() {
        if constexpr (requires { C::ledger(); })
            sum += C::ledger().alive + static_cast<std::int64_t>(C::ledger().wrong);
    });
    return sum;
}

using Step = void (*)(Scene&, Commands&);

// One command each; the second list names entities again and again, so that edits fold.
const std::vector<Step> apart{
    [](Scene& s, Commands& c) { c.add<Counted, Red>(s.empty); },
    [](Scene& s, Commands& c) { c.set(s.plain, make<Name>(40), make<Counted2>(41)); },
    [](Scene& s, Commands& c) { c.remove<Counted, Position>(s.rich); },
    [](Scene& s, Commands& c) { c.set(s.stuck, make<SparseCounted>(42), make<Note>(43)); },
    [](Scene& s, Commands& c) { c.despawn(s.marked); },
    [](Scene& s, Commands& c) { c.remove<Grave>(s.ghost); },
    [](Scene& s, Commands& c) { c.set(s.dead, make<Counted>(44)); },
    [](Scene& s, Commands& c) { c.replace<Name>(s.plain, make<SparseCounted>(45)); },
    [](Scene& s, Commands& c) { c.replace<Name>(s.rich, make<Counted>(46)); },
    [](Scene& s, Commands& c) { c.replace<Name>(s.rich, make<Counted2>(47)); },
    [](Scene& s, Commands& c) { c.copy(s.plain, s.empty); },
    [](Scene& s, Commands& c) { c.remove_all(s.plain); },
};
const std::vector<Step> again{
    [](Scene& s, Commands& c) { c.set(s.empty, make<Position>(50)); },
    [](Scene& s, Commands& c) { c.set(s.plain, make<Name>(51)); },
    [](Scene& s, Commands& c) { c.add<Velocity>(s.empty); },
    [](Scene& s, Commands& c) { c.add<Counted>(s.plain); },
    [](Scene& s, Commands& c) { c.remove<Counted>(s.rich); },
    [](Scene& s, Commands& c) { c.set(s.empty, make<Name>(52), Blue{}); },
    [](Scene& s, Commands& c) { c.add<Counted2, Wide>(s.empty); },
    [](Scene& s, Commands& c) { c.set(s.rich, make<Owner>(53)); },
    [](Scene& s, Commands& c) { c.set(s.plain, make<Clumsy>(54)); },
    [](Scene& s, Commands& c) { c.replace<Velocity>(s.empty, make<Clumsy>(56)); },
    [](Scene& s, Commands& c) { c.remove<Velocity>(s.plain); },
    [](Scene& s, Commands& c) { c.despawn(s.empty); },
    [](Scene& s, Commands& c) { c.add<PooledCounted>(s.rich); },
    [](Scene& s, Commands& c) { c.set(s.plain, make<Counted>(55)); },
};

// The world after each number of commands.
std::vector<Snapshot> prefixes(const SceneSettings& settings, const std::vector<Step>& steps) {
    std::vector<Snapshot> all;
    Scene scene = make_scene(settings);
    all.push_back(take_snapshot(scene.world, scene.indices));
    for (const Step step : steps) {
        Commands one{scene.world};
        step(scene, one);
        one.flush();
        all.push_back(take_snapshot(scene.world, scene.indices));
    }
    return all;
}

// Fails the n-th construction or allocation of a flush, for every n. Returns how often the flush threw.
template <class MakeFaults>
std::uint64_t loop_flush(const SceneSettings& settings, const std::vector<Step>& steps, bool exact,
                         MakeFaults&& make_faults) {
    const std::vector<Snapshot> expected = prefixes(settings, steps);
    std::uint64_t thrown = 0;
    for (std::uint64_t nth = 0; nth < 2000; ++nth) {
        CAPTURE(nth);
        const std::int64_t before = watched();
        const std::int64_t blocks = live_blocks();
        bool fired = false;
        {
            Scene scene = make_scene(settings);
            Commands own{scene.world};
            for (const Step step : steps) step(scene, own);
            bool threw = false;
            {
                auto faults = make_faults(nth);
                try {
                    own.flush();
                } catch (const std::bad_alloc&) {
                    threw = true;
                } catch (const PlannedFault&) {
                    threw = true;
                }
                fired = faults.fired();
            }
            thrown += threw;
            CHECK(own.empty());
            scene.world.check();
            const Snapshot now = take_snapshot(scene.world, scene.indices);
            if (!threw) {
                CHECK(difference(expected.back(), now) == "");
            } else if (exact) {
                bool known = false;
                for (std::size_t i = 0; i < steps.size(); ++i) known |= now == expected[i];
                CHECK_MESSAGE(known, "the world is not what some of the commands, in order, make of it");
            }
            // The world works on.
            for (const Step step : steps) step(scene, own);
            own.flush();
            scene.world.check();
        }
        CHECK(watched() == before);
        CHECK(live_blocks() == blocks);
        if (!fired) return thrown;
    }
    FAIL("the fault loop does not end");
    return thrown;
}

struct OneAllocation : AllocationFaults {
    explicit OneAllocation(std::uint64_t nth) : AllocationFaults(nth, FaultMode::once) {}
};
struct AllAllocations : AllocationFaults {
    explicit AllAllocations(std::uint64_t nth) : AllocationFaults(nth, FaultMode::persistent) {}
};

}  // namespace

TEST_SUITE("faults in commands") {
    TEST_CASE("recording that fails leaves no trace") {
        CHECK(sweep("record", [a = make<Counted>(5), b = make<Name>(7)](Scene& s) {
                  Commands own{s.world};
                  own.set(s.plain, a, b);
                  own.spawn(b, a);
                  own.run([a](World&) {});
                  own.spawn<Counted>([b, a](Counted&) {});
                  own.despawn(s.rich);
              }) >= 60);
        CHECK(sweep("record many", [a = make<Counted>(5)](Scene& s) {
                  Commands own{s.world};
                  for (int i = 0; i < 200; ++i) own.set(s.plain, a, Wide{i});
              }) >= 200);
    }

    TEST_CASE("a single command that fails has not happened, and can be given again") {
        CHECK(sweep("set", [a = make<Counted>(5), b = make<Name>(7)](Scene& s) {
                  Commands own{s.world};
                  own.set(s.plain, a, b);
                  own.flush();
              }) >= 30);
        CHECK(sweep("set over others", [a = make<Counted>(5), b = make<SparseCounted>(7)](Scene& s) {
                  Commands own{s.world};
                  own.set(s.rich, a, b, make<Clumsy>(8));
                  own.flush();
              }) >= 30);
        CHECK(sweep("add", [](Scene& s) {
                  Commands own{s.world};
                  own.add<Counted, Note, PooledCounted, Red, Flag>(s.plain);
                  own.flush();
              }) >= 60);
    }

    TEST_CASE("removals and despawns do not fail for lack of memory, once they are recorded") {
        for (const SceneSettings& settings : all_scenes()) {
            CAPTURE(settings.name);
            for (std::uint64_t nth = 0; nth < 40; ++nth) {
                for (int what = 0; what < 3; ++what) {
                    Scene scene = make_scene(settings);
                    Commands own{scene.world};
                    if (what == 0) own.remove<Position, Name>(scene.rich);
                    if (what == 1) own.despawn(scene.marked);
                    if (what == 2) own.remove<Grave>(scene.ghost);
                    {
                        const AllocationFaults faults{nth, FaultMode::persistent};
                        CHECK_NOTHROW(own.flush());
                    }
                    scene.world.check();
                }
            }
        }
    }

    TEST_CASE("a construction that throws in a flush: the commands before it stand, no other") {
        std::uint64_t thrown = 0;
        for (const SceneSettings& settings : all_scenes()) {
            CAPTURE(settings.name);
            const auto faults = [](std::uint64_t nth) { return ConstructionFaults{nth}; };
            thrown += loop_flush(settings, apart, true, faults);
            thrown += loop_flush(settings, again, true, faults);
        }
        CHECK(thrown >= 40);
    }

    TEST_CASE("an allocation that fails in a flush: the commands before it stand, no other") {
        std::uint64_t thrown = 0;
        for (const SceneSettings& settings : all_scenes()) {
            CAPTURE(settings.name);
            thrown += loop_flush(settings, apart, true, [](std::uint64_t nth) { return OneAllocation{nth}; });
            thrown += loop_flush(settings, apart, true, [](std::uint64_t nth) { return AllAllocations{nth}; });
        }
        CHECK(thrown >= 100);
    }

    TEST_CASE("an allocation that fails among edits that fold leaves a whole world") {
        std::uint64_t thrown = 0;
        for (const SceneSettings& settings : all_scenes()) {
            CAPTURE(settings.name);
            thrown += loop_flush(settings, again, false, [](std::uint64_t nth) { return OneAllocation{nth}; });
            thrown += loop_flush(settings, again, false, [](std::uint64_t nth) { return AllAllocations{nth}; });
        }
        CHECK(thrown >= 100);
    }

    TEST_CASE("a clone that fails in a flush gives its id back") {
        for (std::uint64_t nth = 0; nth < 200; ++nth) {
            CAPTURE(nth);
            World world{stoa::WorldOptions{.max_entities = 2}};
            const Entity model = world.spawn(make<Counted>(1), make<Name>(2), make<SparseCounted>(3));
            bool fired = false;
            Entity copy;
            {
                Commands own{world};
                copy = own.clone(model);
                const AllocationFaults memory{nth / 2, FaultMode::once};
                const ConstructionFaults values{nth % 2 == 0 ? 1000 : nth / 2};
                try {
                    own.flush();
                } catch (const std::bad_alloc&) {
                } catch (const PlannedFault&) {
                }
                fired = memory.fired() || values.fired();
            }
            world.check();
            if (!world.alive(copy)) world.spawn();
            CHECK(world.size() == 2);
            if (!fired) return;
        }
        FAIL("the fault loop does not end");
    }

    TEST_CASE("spawns that fail in a flush give their ids back") {
        for (std::uint64_t nth = 0; nth < 200; ++nth) {
            CAPTURE(nth);
            World world{stoa::WorldOptions{.max_entities = 400}};
            bool fired = false;
            for (int i = 0; i < 70; ++i) world.spawn(Position{});
            std::vector<Entity> ids;
            {
                Commands own{world};
                for (int i = 0; i < 100; ++i) ids.push_back(own.spawn(make<Counted>(i), make<Name>(i)));
                for (int i = 0; i < 100; ++i) ids.push_back(own.spawn(Position{i, i}, Velocity{}));
                for (int i = 0; i < 100; ++i) ids.push_back(own.spawn<Counted2, Note>());
                const AllocationFaults faults{nth, FaultMode::once};
                try {
                    own.flush();
                } catch (const std::bad_alloc&) {
                }
                fired = faults.fired();
            }
            world.check();
            for (std::size_t i = 0; i < ids.size(); ++i) CHECK(world.alive(ids[i]) == (i + 70 < world.size()));
            const std::size_t left = 400 - world.size();
            for (std::size_t i = 0; i < left; ++i) world.spawn();
            CHECK(world.size() == 400);
            world.check();
            if (!fired) return;
        }
        FAIL("the fault loop does not end");
    }
}
