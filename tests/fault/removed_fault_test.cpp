// Keeping removed values never makes a removal fail: with a failure at every allocation, the removal succeeds, and the
// value is found or has ended. keep_removed itself is all or nothing.
#include "../support/loop_faults.hpp"
#include "../support/type_list.hpp"
#include "../support/values.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <new>
#include <vector>

using namespace stoa_test;

namespace {

Scene make_keeping_scene(const SceneSettings& settings) {
    Scene scene = make_scene(settings);
    AllComponents::each([&]<class C>() { scene.world.keep_removed<C>(); });
    return scene;
}

// What may be found: nothing, or the value that was there.
struct Expected {
    stoa::Entity entity;
    int (*find)(const stoa::World&, stoa::Entity);
    int number;
};

template <class C>
int find_number(const stoa::World& world, stoa::Entity e) {
    const C* value = world.find_removed<C>(e);
    return value != nullptr ? read(*value) : -1;
}

// All components of the roles of a scene.
std::vector<Expected> values_of(Scene& scene) {
    std::vector<Expected> all;
    AllComponents::each([&]<class C>() {
        for (const stoa::Entity e : {scene.plain, scene.rich, scene.stuck, scene.marked, scene.ghost}) {
            if (const C* value = scene.world.find<const C>(e)) all.push_back({e, &find_number<C>, read(*value)});
        }
    });
    return all;
}

// Runs the operation with a failure at each allocation. Returns how many values were lost for lack of memory, in all.
std::uint64_t loop(const SceneSettings& settings, FaultMode mode, const Operation& operation) {
    std::vector<bool> removed;
    Snapshot after;
    {
        Scene scene = make_keeping_scene(settings);
        const std::vector<Expected> values = values_of(scene);
        operation(scene);
        for (const Expected& value : values) {
            const int found = value.find(scene.world, value.entity);
            removed.push_back(found != -1);
            if (found != -1) CHECK(found == value.number);
        }
        after = take_snapshot(scene.world, scene.indices);
    }
    std::uint64_t lost = 0;
    const std::int64_t blocks = live_blocks();
    for (std::uint64_t nth = 0;; ++nth) {
        CAPTURE(nth);
        bool fired = false;
        {
            Scene scene = make_keeping_scene(settings);
            const std::vector<Expected> values = values_of(scene);
            {
                AllocationFaults faults{nth, mode};
                operation(scene);
                fired = faults.fired();
            }
            for (std::size_t i = 0; i < values.size(); ++i) {
                const int found = values[i].find(scene.world, values[i].entity);
                if (found != -1) CHECK(found == values[i].number);
                if (!removed[i]) CHECK(found == -1);
                lost += removed[i] && found == -1;
            }
            CHECK(take_snapshot(scene.world, scene.indices) == after);
            CHECK_NOTHROW(scene.world.check());
            scene.world.end_frame();
            CHECK_NOTHROW(scene.world.check());
            // With memory again, all is kept again.
            const std::vector<Expected> rest = values_of(scene);
            scene.world.clear();
            for (const Expected& value : rest) CHECK(value.find(scene.world, value.entity) == value.number);
        }
        CHECK(live_blocks() == blocks);
        if (!fired) return lost;
    }
}

void sweep(const char* verb, const Operation& operation) {
    CAPTURE(verb);
    std::uint64_t lost = 0;
    for (const SceneSettings& settings : all_scenes()) {
        CAPTURE(settings.name);
        for (const FaultMode mode : {FaultMode::once, FaultMode::persistent}) lost += loop(settings, mode, operation);
    }
    CHECK(lost != 0);
    AllComponents::each([&]<class C>() {
        if constexpr (requires { C::ledger(); }) {
            CHECK(C::ledger().alive == 0);
            CHECK(C::ledger().wrong == 0);
        }
    });
}

}  // namespace

TEST_SUITE("removed values without memory") {
    TEST_CASE("removals succeed, and each value is kept or ends") {
        sweep("despawn(plain)", [](Scene& s) { s.world.despawn(s.plain); });
        sweep("despawn(rich)", [](Scene& s) { s.world.despawn(s.rich); });
        sweep("despawn(stuck)", [](Scene& s) { s.world.despawn(s.stuck); });
        sweep("despawn(marked)", [](Scene& s) { s.world.despawn(s.marked); });
        sweep("remove<Velocity>", [](Scene& s) { s.world.remove<Velocity>(s.plain); });
        sweep("remove<Name, Burning, Red>", [](Scene& s) { s.world.remove<Name, Burning, Red>(s.rich); });
        sweep("remove<Pinned>", [](Scene& s) { s.world.remove<Pinned>(s.stuck); });
        sweep("remove<Grave> of a ghost", [](Scene& s) { s.world.remove<Grave>(s.ghost); });
        sweep("remove_all(rich)", [](Scene& s) { s.world.remove_all(s.rich); });
        sweep("clear()", [](Scene& s) { s.world.clear(); });
    }

    TEST_CASE("the end of a frame needs no memory, and forgets all") {
        Scene scene = make_keeping_scene({.name = "small"});
        const std::vector<Expected> values = values_of(scene);
        scene.world.clear();
        {
            AllocationFaults faults{0, FaultMode::persistent};
            scene.world.end_frame();
        }
        for (const Expected& value : values) CHECK(value.find(scene.world, value.entity) == -1);
        scene.world.check();
    }

    TEST_CASE("the end of a world with removed values needs no memory") {
        const auto live = [] {
            stoa::World world{stoa::WorldOptions{.keep_removed = true}};
            for (int i = 0; i < 100; ++i) world.spawn(make<Name>(i), make<Counted>(i), make<Note>(i));
            world.despawn(world.query<>().first());
            world.query<Counted>().remove_all<Counted>();
            AllocationFaults faults{0, FaultMode::persistent};
            const stoa::World gone = std::move(world);
        };
        live();  // types are known to the process from now on
        const std::int64_t blocks = live_blocks();
        live();
        CHECK(live_blocks() == blocks);
        CHECK(Counted::ledger().alive == 0);
    }

    TEST_CASE("values that stay in their slots are not overwritten after the last owner went without memory") {
        int lost = 0;
        for (int kept = 1; kept < 70; ++kept) {
            CAPTURE(kept);
            stoa::World world;
            world.keep_removed<Pinned>();
            std::vector<stoa::Entity> owners;
            for (int i = 0; i <= kept; ++i) world.emplace<Pinned>(owners.emplace_back(world.spawn()), i);
            for (int i = 0; i < kept; ++i) world.remove<Pinned>(owners[static_cast<std::size_t>(i)]);
            {
                AllocationFaults faults{0, FaultMode::persistent};
                world.remove<Pinned>(owners.back());
            }
            lost += world.find_removed<Pinned>(owners.back()) == nullptr;
            world.emplace<Pinned>(world.spawn(), -7);
            world.check();
            for (int i = 0; i < kept; ++i) CHECK(find_number<Pinned>(world, owners[static_cast<std::size_t>(i)]) == i);
            world.end_frame();
            CHECK(Pinned::ledger().alive == 1);
        }
        CHECK(lost >= 3);
        CHECK(Pinned::ledger().alive == 0);
    }

    TEST_CASE("keep_removed of several is all or nothing") {
        std::uint64_t thrown = 0;
        for (std::uint64_t nth = 0;; ++nth) {
            Scene scene = make_scene({.name = "small"});
            bool failed = false;
            try {
                AllocationFaults faults{nth, FaultMode::once};
                scene.world.keep_removed<Position, Name, Burning>();
            } catch (const std::bad_alloc&) {
                failed = true;
            }
            thrown += failed;
            scene.world.check();
            const stoa::Entity late = scene.world.spawn(make<Position>(1), make<Name>(2), make<Burning>(3), Haunted{});
            for (const stoa::Entity e : {scene.rich, late}) {
                scene.world.despawn(e);
                CHECK((scene.world.find_removed<Position>(e) == nullptr) == failed);
                CHECK((scene.world.find_removed<Name>(e) == nullptr) == failed);
                CHECK((scene.world.find_removed<Burning>(e) == nullptr) == failed);
            }
            scene.world.keep_removed<Position, Name, Burning>();
            scene.world.remove<Position>(scene.plain);
            CHECK(find_number<Position>(scene.world, scene.plain) == 1);
            scene.world.check();
            if (!failed) break;
        }
        CHECK(thrown >= 3);
    }

    TEST_CASE("a world that keeps everything: spawning fails cleanly") {
        for (std::uint64_t nth = 0;; ++nth) {
            stoa::World world{stoa::WorldOptions{.keep_removed = true}};
            bool failed = false;
            try {
                AllocationFaults faults{nth, FaultMode::once};
                const stoa::Entity e = world.spawn();
                world.set(e, Position{1, -1}, Velocity{}, Burning{});
            } catch (const std::bad_alloc&) {
                failed = true;
            }
            world.check();
            const stoa::Entity e = world.spawn(make<Position>(5), make<Burning>(6));
            world.despawn(e);
            CHECK(find_number<Position>(world, e) == 5);
            CHECK(find_number<Burning>(world, e) == 6);
            world.check();
            if (!failed) break;
        }
    }
}
