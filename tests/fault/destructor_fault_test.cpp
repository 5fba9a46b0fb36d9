// Destructors and calls that give something up, while there is no memory at all: none of them may need any. What ends
// is made while there is memory, used, and ended in several orders.
#include "../support/fault_allocator.hpp"
#include "../support/values.hpp"

#include <doctest/doctest.h>

#include <stoa/stoa.hpp>

#include <functional>
#include <optional>
#include <span>
#include <vector>

using namespace stoa_test;
using stoa::Entity;
using stoa::World;

namespace {

struct Unit {
    int team = 0;
    int level = 0;
};

struct Spawner {
    Counted kept{1};
    void update(stoa::Query<const Position> positions, stoa::Commands& later) {
        later.spawn(make<Position>(1), make<Counted>(2));
        static_cast<void>(positions.count());
    }
};

// One of each kind of handle, all in use.
struct Everything {
    std::optional<World> world{std::in_place};
    Entity first = world->spawn(make<Position>(1), make<Counted>(2), make<SparseCounted>(3), Unit{1, 2});
    Entity ghost = world->spawn(make<Grave>(1), make<Tomb>(2));
    std::optional<stoa::Query<Position, stoa::Changed<Position>>> query{
        world->query<Position, stoa::Changed<Position>>()};
    std::optional<stoa::Watch<const Counted>> watch{world->query<const Counted>().watch()};
    std::optional<stoa::Cache<const Unit>> cache{world->query<const Unit>().cache<Unit>(
        [kept = make<Counted>(1)](const Unit& a, const Unit& b) { return a.level < b.level; })};
    std::optional<stoa::Subscription> enter{world->query<const Counted>().on_enter([kept = make<Counted>(1)] {})};
    std::optional<stoa::Subscription> leave{world->query<const Counted>().on_leave([kept = make<Counted>(1)] {})};
    std::optional<stoa::HashIndex<&Unit::team>> by_team{std::in_place, *world};
    std::optional<stoa::OrderedIndex<&Unit::level>> by_level{std::in_place, *world};
    std::optional<stoa::Filter> filter{*by_team == 1 && *by_level >= 1};
    std::optional<stoa::Prefab> prefab{std::in_place, *world, make<Counted>(1), make<Name>(2)};
    std::optional<stoa::Commands> commands{std::in_place, *world};
    std::optional<stoa::SerialExecutor> executor{std::in_place};
    std::optional<stoa::Schedule> schedule{std::in_place, *world, *executor};

    Everything() {
        world->despawn(ghost);
        world->keep_removed<Name, SparseCounted>();
        for (int i = 0; i < 40; ++i)
            world->spawn(Unit{i % 3, i}, make<Counted>(i), make<PooledCounted>(i), make<Name>(i));
        world->query<const Name>().add_all<Red>();
        world->query<const Name>().remove_all<Name>();
        stoa::Phase& phase = schedule->add_phase("phase");
        phase.add("one", Spawner{}).add("two", Spawner{}).add("three", [](stoa::Watch<const Counted>) {});
        schedule->update(1);
        schedule->add_phase("later").add("four", Spawner{});
        static_cast<void>(cache->size());
        static_cast<void>(by_team->count(1) + by_level->count(2));
        for (int i = 0; i < 5; ++i) {
            commands->spawn(make<Counted>(i), make<Name>(i));
            commands->set(first, make<SparseCounted>(i));
            commands->run([kept = make<Counted>(1)](World&) {});
        }
        world->commands().spawn(make<Name>(1));
        world->set_resource(make<Counted>(1));
    }

    // Whatever can be given up, each as one step.
    std::vector<std::function<void()>> steps() {
        return {
            [this] { query.reset(); },
            [this] { watch.reset(); },
            [this] { cache.reset(); },
            [this] { enter.reset(); },
            [this] { leave->release(), leave.reset(); },
            [this] { filter.reset(); },
            [this] { by_team.reset(); },
            [this] { by_level.reset(); },
            [this] { prefab.reset(); },
            [this] {
                if (world) commands->clear();
                commands.reset();
            },
            [this] { schedule.reset(); },
            [this] { world.reset(); },
        };
    }
};

}  // namespace

TEST_SUITE("faults in destructors") {
    TEST_CASE("every handle and every world can end without memory, in any order") {
        const std::size_t count = Everything{}.steps().size();
        for (std::size_t first = 0; first < count; ++first) {
            for (const std::size_t stride : {std::size_t{1}, std::size_t{5}, count - 1}) {  // all prime to the count
                CAPTURE(first);
                CAPTURE(stride);
                const std::int64_t blocks = live_blocks();
                const std::int64_t objects = Counted::ledger().alive + SparseCounted::ledger().alive;
                {
                    Everything all;
                    const auto steps = all.steps();
                    const AllocationFaults faults(0, FaultMode::persistent);
                    for (std::size_t i = 0; i < count; ++i) steps[(first + i * stride) % count]();
                }
                CHECK(live_blocks() == blocks);
                CHECK(Counted::ledger().alive + SparseCounted::ledger().alive == objects);
            }
        }
    }

    TEST_CASE("verbs that give up things need no memory") {
        Everything all;
        const std::size_t size = all.world->size();
        {
            const AllocationFaults faults(0, FaultMode::persistent);
            all.world->commands().clear();
            CHECK(all.world->despawn(all.first));
            CHECK(all.world->remove_resource<Counted>());
            all.watch->clear();
            all.world->shrink_to_fit();
            // A watch has to note whatever leaves, and keeps room for some events only.
            all.watch.reset();
            all.schedule.reset();
            all.world->clear();
        }
        CHECK(size == 43);
        CHECK(all.world->size() == 0);
        all.world->check();
    }

    TEST_CASE("the ids that the systems of a schedule have reserved come back, also without memory") {
        for (const bool memory : {true, false}) {
            CAPTURE(memory);
            World world;
            stoa::SerialExecutor executor;
            std::optional<stoa::Schedule> schedule(std::in_place, world, executor);
            schedule->add_phase("phase").add("one", [](stoa::Commands&) {}).add("two", [](stoa::Commands&) {});
            schedule->update(1);
            if (memory) {
                schedule.reset();
            } else {
                const AllocationFaults faults(0, FaultMode::persistent);
                schedule.reset();
            }
            world.check();
            std::uint32_t highest = 0;
            for (int i = 0; i < 20; ++i) highest = std::max(highest, world.spawn().index());
            CHECK(highest < 64);
            world.check();
        }
    }
}
