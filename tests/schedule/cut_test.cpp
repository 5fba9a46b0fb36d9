// Guards when a phase goes to the executor: as soon as it is worth it, whatever it cost before. The executor counts
// what it is given; systems sleep instead of working, so that the speed of the machine does not matter.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <thread>

#include "support/order_executor.hpp"

using namespace stoa;
using support::OrderExecutor;

namespace {

struct Left {
    int value = 0;
};
struct Right {
    int value = 0;
};

void sleep() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

}  // namespace

TEST_CASE("systems that never ran start side by side: they may be long ones") {
    World world;
    OrderExecutor executor(OrderExecutor::Order::first);
    Schedule schedule{world, executor};
    schedule.add_phase("p").add("a", [](Query<Left>) { sleep(); }).add("b", [](Query<Right>) { sleep(); });
    for (std::size_t frame = 1; frame <= 10; ++frame) {
        schedule.update(0);
        CHECK(executor.runs == frame);
        CHECK(executor.jobs_run == 2 * frame);
    }
}

TEST_CASE("a phase that becomes expensive goes to the executor at the next update") {
    for (const std::size_t cheap_frames : {7u, 20u, 300u}) {
        CAPTURE(cheap_frames);
        World world;
        OrderExecutor executor(OrderExecutor::Order::first);
        Schedule schedule{world, executor};
        bool expensive = false;
        const auto work = [&] {
            if (expensive) sleep();
        };
        schedule.add_phase("p").add("a", [&](Query<Left>) { work(); }).add("b", [&](Query<Right>) { work(); });
        for (std::size_t frame = 0; frame < cheap_frames; ++frame) schedule.update(0);
        expensive = true;
        schedule.update(0);  // the first one cannot be known
        const std::size_t before = executor.jobs_run;
        schedule.update(0);
        CHECK(executor.jobs_run == before + 2);
        schedule.update(0);
        CHECK(executor.jobs_run == before + 4);
    }
}

TEST_CASE("systems that share a job and become expensive are cut apart at the next update") {
    World world;
    OrderExecutor executor(OrderExecutor::Order::first);
    Schedule schedule{world, executor};
    bool expensive = false;
    const auto work = [&] {
        if (expensive) sleep();
    };
    // The first is always worth a job of its own, so the phase is on the executor already.
    schedule.add_phase("p")
        .add("long", [] { sleep(); })
        .add("a", [&](Query<Left>) { work(); })
        .add("b", [&](Query<Right>) { work(); });
    for (int frame = 0; frame < 40; ++frame) schedule.update(0);
    expensive = true;
    schedule.update(0);
    const std::size_t before = executor.jobs_run;
    schedule.update(0);
    CHECK(executor.jobs_run == before + 3);
}

TEST_CASE("a system that is always skipped does not keep a phase on the executor") {
    struct Missing {};
    World world;
    OrderExecutor executor(OrderExecutor::Order::first);
    Schedule schedule{world, executor};
    schedule.add_phase("p").add("never", [](Res<Missing>) {}).add("a", [](Query<Left>) {}).add("b", [](Query<Right>) {
    });
    for (int frame = 0; frame < 2000; ++frame) schedule.update(0);
    CHECK(executor.runs < 2000);  // a busy machine may make empty systems long for a while
}
