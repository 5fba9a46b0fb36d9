// Guards Workers: the executor on oneTBB keeps the promises that a schedule makes. Run under ThreadSanitizer too, which
// does not see how oneTBB hands tasks from thread to thread: what happens inside it is left out by
// tests/support/tsan.supp.
#include <stoa/parallel.hpp>
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/busy_scene.hpp"

using namespace stoa;

namespace {

struct Value {
    std::uint64_t number = 0;
};

}  // namespace

TEST_CASE("workers: 1, 2, 4 and 8 give the same world, run after run") {
#if defined(__SANITIZE_THREAD__)
    constexpr int frames = 40;  // a race shows in the first ones
    constexpr int runs = 2;
#else
    constexpr int frames = 200;
    constexpr int runs = 5;
#endif
    std::vector<std::vector<std::uint64_t>> expected;
    support::BusyScene serial(nullptr, 3);
    for (int frame = 0; frame < frames; ++frame) {
        serial.update();
        expected.push_back(serial.fingerprint());
    }
    for (int run = 0; run < runs; ++run) {
        for (const std::size_t threads : {1u, 2u, 4u, 8u}) {
            Workers workers{threads};
            CHECK(workers.threads() == threads);
            support::BusyScene scene(&workers, 3);
            for (int frame = 0; frame < frames; ++frame) {
                scene.update();
                if (frame % 10 == 9) REQUIRE(scene.fingerprint() == expected[static_cast<std::size_t>(frame)]);
            }
            scene.world().check();
        }
    }
}

TEST_CASE("workers: an exception on any thread reaches the caller, and the next update works") {
    Workers workers{4};
    World world;
    Schedule schedule{world, workers};
    Phase& phase = schedule.add_phase("p");
    std::atomic<bool> fail = true;
    for (int i = 0; i < 20; ++i) {
        phase.add(std::to_string(i), [&fail](Commands& later) {
            later.spawn(Value{});
            if (fail) throw std::runtime_error("no");
        });
    }
    for (int round = 0; round < 50; ++round) {
        CHECK_THROWS_AS(schedule.update(0), std::runtime_error);
        CHECK(world.size() == 0);
    }
    world.check();
    fail = false;
    schedule.update(0);
    CHECK(world.size() == 20);
    world.check();
}

TEST_CASE("workers: par_each inside systems that run side by side") {
    Workers workers{4};
    World world;
    world.spawn_many(10000, Value{});
    Schedule schedule{world, workers};
    std::atomic<std::uint64_t> sum = 0;
    Phase& phase = schedule.add_phase("p");
    for (int i = 0; i < 6; ++i) {
        phase.add(std::to_string(i), [&](Query<const Value> all) {
            all.par_each(workers,
                         [&](const Value& value) { sum.fetch_add(value.number + 1, std::memory_order_relaxed); });
        });
    }
    for (int round = 0; round < 10; ++round) schedule.update(0);
    CHECK(sum == 600000);
    CHECK_THROWS_AS(world.query<Value>().par_each(workers, [](Value&) { throw 1; }), int);
    world.despawn(world.query<Value>().first());
    world.check();
}

TEST_CASE("workers: by default as many as the machine has; one is serial") {
    const Workers all;
    CHECK(all.threads() >= 1);
    Workers one{1};
    World world;
    world.spawn_many(1000, Value{});
    std::uint64_t next = 0;
    world.query<Value>().par_each(one, [&](Value& value) { value.number = next++; });
    CHECK(next == 1000);
}
