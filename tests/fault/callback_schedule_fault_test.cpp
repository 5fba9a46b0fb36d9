// User code of a schedule that throws: hooks and bodies of systems, parameters, signals at flush points, and the error
// handler. A throw never ends the process; hooks come in pairs whatever throws; and the schedule works on.
#include "callback_loop.hpp"

#include "../support/values.hpp"

#include <doctest/doctest.h>

#include <stoa/stoa.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

using namespace stoa_test;
using stoa::Entity;
using stoa::World;

namespace {

// What the hooks of one kind of system have counted. A hook that throws has been called all the same.
struct Hooks {
    int added = 0, enabled = 0, disabled = 0, removed = 0;
};

template <int N>
struct Hooked {
    static inline Hooks hooks{};
    Counted kept{N};

    void update(stoa::Query<const Position> positions, stoa::Commands& later) {
        later.spawn(make<Position>(N), make<Counted>(N));
        CallbackFaults::spend();
        positions.each([](const Position&) { CallbackFaults::spend(); });
    }
    void on_added(World&) { ++hooks.added, CallbackFaults::spend(); }
    void on_enabled(World&) { ++hooks.enabled, CallbackFaults::spend(); }
    void on_disabled(World&) { ++hooks.disabled, CallbackFaults::spend(); }
    void on_removed(World&) { ++hooks.removed, CallbackFaults::spend(); }
};

// A parameter whose every function may throw.
struct Probe {
    int value = 0;
};

void throwing_handler(const stoa::Error&) { throw PlannedFault{}; }

struct HandlerGuard {
    stoa::ErrorHandler before = stoa::set_error_handler(throwing_handler);
    ~HandlerGuard() { stoa::set_error_handler(before); }
};

}  // namespace

template <>
struct stoa::Param<Probe> {
    struct State {
        Counted kept;
        State() : kept(1) { CallbackFaults::spend(); }
    };
    static void access(stoa::Access&) { CallbackFaults::spend(); }
    static bool ready(State&, const stoa::SystemContext&) {
        CallbackFaults::spend();
        return true;
    }
    static Probe fetch(State&, const stoa::SystemContext&) {
        CallbackFaults::spend();
        return {1};
    }
};

namespace {

// A system that was added is removed once; one that was never added, or whose on_added threw, is not.
void check_pairs(const Hooks& hooks, int in_schedule) {
    CHECK(hooks.added - hooks.removed >= in_schedule);
    CHECK(hooks.added - hooks.removed <= in_schedule + 1);  // on_added threw
    CHECK(hooks.disabled <= hooks.enabled);
}

}  // namespace

TEST_SUITE("faults in callbacks") {
    TEST_CASE("a schedule whose user code throws at any point works on") {
        const std::uint64_t points = loop_callbacks([&](std::uint64_t nth) {
            Hooked<1>::hooks = Hooked<2>::hooks = {};
            World world;
            world.spawn(make<Position>(1));
            const auto enter = world.query<const Counted>().on_enter([] { CallbackFaults::spend(); });
            std::optional<stoa::Schedule> schedule(std::in_place, world);
            stoa::Phase& phase = schedule->add_phase("phase");
            const auto add = [&] {
                if (phase.find_system<Hooked<1>>() == nullptr) phase.add("first", Hooked<1>{});
                phase.sync();
                if (phase.find_system<Hooked<2>>() == nullptr) phase.add("second", Hooked<2>{});
                phase.add("probe", [](Probe, stoa::Query<Position>) { CallbackFaults::spend(); });
            };
            const auto remove_probe = [&] {
                try {
                    phase.remove("probe");
                } catch (const stoa::Error&) {
                }
            };
            bool fired = throws_at(nth, add);
            if (fired) {
                remove_probe();
                CHECK_NOTHROW(add());
            }
            check_pairs(Hooked<1>::hooks, 1);
            check_pairs(Hooked<2>::hooks, 1);
            fired |= throws_at(nth, [&] { schedule->update(1); });
            world.check();
            CHECK_NOTHROW(schedule->update(1));
            fired |= throws_at(nth, [&] { phase.disable<Hooked<1>>().enable<Hooked<1>>(); });
            fired |= throws_at(nth, [&] { phase.disable().enable(); });
            fired |= throws_at(nth, [&] { phase.remove<Hooked<1>>(); });
            CHECK(phase.find_system<Hooked<1>>() == nullptr);
            check_pairs(Hooked<1>::hooks, 0);
            CHECK_NOTHROW(phase.add("first", Hooked<1>{}));
            CHECK_NOTHROW(schedule->update(1));
            {
                const CallbackFaults faults(nth);
                CHECK_NOTHROW(schedule.reset());
                fired |= faults.fired();
            }
            check_pairs(Hooked<1>::hooks, 0);
            check_pairs(Hooked<2>::hooks, 0);
            world.check();
            return fired;
        });
        CHECK(points >= 10);
    }

    TEST_CASE("hooks that all throw: a system is disabled and removed once all the same") {
        World world;
        Hooks& hooks = Hooked<3>::hooks = {};
        std::optional<stoa::Schedule> schedule(std::in_place, world);
        stoa::Phase& phase = schedule->add_phase("phase");
        {
            const CallbackFaults faults(1, FaultMode::persistent);
            CHECK_THROWS_AS(phase.add("system", Hooked<3>{}), PlannedFault);
        }
        CHECK(hooks.added == 1);
        CHECK(hooks.enabled == 1);
        CHECK(hooks.removed == 1);
        phase.add("system", Hooked<3>{});
        {
            const CallbackFaults faults(0, FaultMode::persistent);
            CHECK_THROWS_AS(phase.remove("system"), PlannedFault);
        }
        CHECK(hooks.disabled == 1);
        CHECK(hooks.removed == 2);
        phase.add("system", Hooked<3>{});
        {
            const CallbackFaults faults(0, FaultMode::persistent);
            CHECK_NOTHROW(schedule.reset());
        }
        CHECK(hooks.disabled == 2);
        CHECK(hooks.removed == 3);
    }

    TEST_CASE("an error handler that throws something else: the world is as it was") {
        const std::vector<std::function<void(World&, Entity)>> mistakes{
            [](World& w, Entity dead) { w.get<Position>(dead).x = 1; },
            [](World& w, Entity dead) { w.set(dead, make<Counted>(1), make<SparseCounted>(2)); },
            [](World& w, Entity dead) { w.emplace<Counted>(dead, 1); },
            [](World& w, Entity dead) { w.clone(dead); },
            [](World& w, Entity) { w.resource<std::string>().clear(); },
            [](World& w, Entity) { static_cast<void>(w.query<>().single()); },
            [](World& w, Entity) { w.query<>().each([&](Entity e) { w.set(e, make<Name>(1)); }); },
            [](World& w, Entity) { w.query<>().each([&](Entity) { w.flush(); }); },
            [](World& w, Entity) {
                for (int i = 0; i < 100; ++i) w.spawn(make<Counted>(1));
            },
            [](World& w, Entity) { w.spawn_many(100, make<Counted>(1)); },
            [](World& w, Entity) {
                for (int i = 0; i < 100; ++i) w.commands().spawn(make<Counted>(1));
            },
            [](World& w, Entity) {
                std::function<void(World&)> again = [&](World& at) { at.commands().run(again); };
                w.commands().run(again);
                w.flush();
            },
            [](World& w, Entity) {
                stoa::Schedule schedule{w};
                schedule.add_phase("a").add("x", [] {}, {.after = "nobody"});
                schedule.update(1);
            },
        };
        for (std::size_t i = 0; i < mistakes.size(); ++i) {
            CAPTURE(i);
            loop_callbacks([&](std::uint64_t) {
                World world{stoa::WorldOptions{.max_entities = 50}};
                const Entity dead = world.spawn();
                world.despawn(dead);
                for (int k = 0; k < 3; ++k) world.spawn(make<Position>(k), make<Counted>(k));
                const HandlerGuard guard;
                CHECK(throws([&] { mistakes[i](world, dead); }));
                world.check();
                world.commands().clear();
                world.query<Counted>().despawn_all();
                world.spawn(make<Counted>(1));
                world.check();
                return false;
            });
        }
    }
}
