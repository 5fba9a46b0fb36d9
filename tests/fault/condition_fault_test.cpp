// Conditions whose user code throws or that find no memory: a system or a phase with one is added whole or not at all,
// an update that throws leaves a schedule that works on, and nothing is leaked.
#include "callback_loop.hpp"

#include "../support/loop_faults.hpp"
#include "../support/values.hpp"

#include <doctest/doctest.h>

#include <stoa/stoa.hpp>

#include <string>

using namespace stoa_test;
using stoa::Condition;
using stoa::World;

namespace {

struct Asked {
    int value = 0;
};

struct Level {
    int number;
    bool operator==(const Level& other) const {
        CallbackFaults::spend();
        return number == other.number;
    }
};

}  // namespace

template <>
struct stoa::Param<Asked> {
    struct State {
        Counted kept;
        State() : kept(1) { CallbackFaults::spend(); }
    };
    static void access(stoa::Access&) { CallbackFaults::spend(); }
    static bool ready(State&, const stoa::SystemContext&) {
        CallbackFaults::spend();
        return true;
    }
    static Asked fetch(State&, const stoa::SystemContext&) {
        CallbackFaults::spend();
        return {1};
    }
    static void after(State&) { CallbackFaults::spend(); }
};

namespace {

Condition asking() {
    return {"asking", [kept = Counted(2)](Asked) {
                CallbackFaults::spend();
                return true;
            }};
}

}  // namespace

TEST_SUITE("faults in conditions") {
    TEST_CASE("a condition that throws at any point leaves a schedule that works on") {
        const std::uint64_t points = loop_callbacks([&](std::uint64_t nth) {
            World world;
            const Condition condition = (asking() && !(asking() && !asking())) || asking();
            stoa::Schedule schedule{world};
            stoa::Phase& phase = schedule.add_phase("phase");
            int runs = 0, steps = 0;
            const auto add = [&] { phase.add("system", [&] { ++runs; }, {.when = condition}); };
            bool fired = throws_at(nth, add);
            CHECK(schedule.report().size() == (fired ? 0u : 1u));
            if (fired) add();
            const auto add_phase = [&] { schedule.add_phase("held", {.step = 1, .when = condition}); };
            const bool phase_fired = throws_at(nth, add_phase);
            CHECK((schedule.find_phase("held") == nullptr) == phase_fired);
            if (phase_fired) add_phase();
            schedule.find_phase("held")->add("step", [&] { ++steps; });
            const bool update_fired = throws_at(nth, [&] { schedule.update(1); });
            world.check();
            const int before = runs;
            CHECK_NOTHROW(schedule.update(1));
            CHECK(runs == before + 1);
            CHECK(steps >= 1);
            return fired || phase_fired || update_fired;
        });
        CHECK(points >= 10);
    }

    TEST_CASE("a transition that throws at any point leaves a schedule that works on") {
        const std::uint64_t points = loop_callbacks([&](std::uint64_t nth) {
            World world;
            stoa::Schedule schedule{world};
            const auto spend = [] { CallbackFaults::spend(); };
            const auto family = world.query<stoa::Needs<stoa::State<Level>>>().on_activate(spend);
            const auto add = [&] { schedule.add_state(Level{1}); };
            bool fired = throws_at(nth, add);
            CHECK(world.has_resource<stoa::State<Level>>() != fired);
            if (fired) add();
            schedule.on_enter(Level{1}, "first", spend).on_exit(Level{1}, "exit", spend);
            schedule.on_enter(Level{2}, "enter", spend);
            fired |= throws_at(nth, [&] { schedule.update(1); });
            CHECK_NOTHROW(schedule.update(1));
            world.resource<stoa::State<Level>>().next(Level{2});
            fired |= throws_at(nth, [&] { schedule.update(1); });
            world.check();
            const int now = world.resource<const stoa::State<Level>>().now().number;
            CHECK_NOTHROW(schedule.update(1));
            CHECK(world.resource<const stoa::State<Level>>().now().number == now);
            return fired;
        });
        CHECK(points >= 4);
    }

    TEST_CASE("a phase whose hooks throw is removed all the same") {
        struct Hooked {
            Counted kept{1};
            void update() {}
            void on_disabled(World&) { CallbackFaults::spend(); }
            void on_removed(World&) { CallbackFaults::spend(); }
        };
        const std::uint64_t points = loop_callbacks([&](std::uint64_t nth) {
            World world;
            stoa::Schedule schedule{world};
            schedule.add_phase("gone").add("first", Hooked{}).add("second", Hooked{});
            const bool fired = throws_at(nth, [&] { schedule.remove_phase("gone"); });
            CHECK(schedule.find_phase("gone") == nullptr);
            CHECK(schedule.report().empty());
            CHECK_NOTHROW(schedule.update(1));
            return fired;
        });
        CHECK(points == 4);
    }

    TEST_CASE("a system that fails is named also when there is no memory left") {
        const std::string name = "a system whose name is too long to be stored inside of a string";
        World world;
        const stoa::Error error(stoa::Errc::conflict, "made before memory ran out");
        stoa::Schedule schedule{world};
        bool fail = false;
        schedule.add_phase("phase").add(name, [&] {
            if (fail) throw error;
        });
        schedule.update(1);
        fail = true;
        bool thrown = false;
        {
            AllocationFaults faults{0u, FaultMode::persistent};
            try {
                schedule.update(1);
            } catch (const stoa::Error& caught) {
                thrown = caught.code() == stoa::Errc::conflict;
            }
        }
        CHECK(thrown);
        CHECK(schedule.failed_system() == name);
    }

    TEST_CASE("a condition that finds no memory is not made, and a system or phase with it is not added") {
        const std::uint64_t points =
            sweep_faults("conditions", Promise::may_throw, [](Scene& s) {
                const Condition busy{"a name that is too long to be stored inside of a string",
                                     [](stoa::Query<const Position> all) { return !all.empty(); }};
                stoa::Schedule schedule{s.world};
                schedule.add_phase("phase", {.when = busy || stoa::once()})
                    .add("system", [] {}, {.when = busy && !stoa::every(1)});
                schedule.add_state(Level{1}).on_enter(Level{1}, "enter", [] {});
                schedule.update(0);
            }).points();
        CHECK(points >= 20);
    }
}
