// Guards parallel recording between threads, under ThreadSanitizer too: commands, messages and sums of par_each and
// par_reduce, while other systems do the same, and refusals while another thread records rightfully.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "support/thread_executor.hpp"

using namespace stoa;
using support::ThreadExecutor;

namespace {

struct Value {
    std::uint64_t number = 0;
};
struct Text {
    std::string of;
};
struct Hit {
    Entity target;
};

void fill(World& world, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) world.spawn(Value{i});
}

}  // namespace

TEST_CASE("threads record, send and reduce in one walk after the other") {
    ThreadExecutor executor(4);
    World world;
    fill(world, 3000);
    MessageReader<Hit> reader{world};
    Schedule schedule{world, executor};
    std::uint64_t sum = 0;
    schedule.add_phase("phase").add("all", [&](Query<Value> values, Commands& later, Messages<Hit> hits) {
        values.par_each(executor, later, [](Entity e, Value& value, Commands& own) {
            if (++value.number % 10 == 0) own.spawn(Value{value.number}, Text{std::to_string(e.bits())});
            if (value.number % 100 == 55) own.despawn(e);
        });
        values.par_each(executor, hits, [](Entity e, const Value& value, Messages<Hit>& own) {
            if (value.number % 3 == 0) own.send(Hit{e});
        });
        sum += values.par_reduce(
            executor, std::uint64_t{0}, [](const Value& value) { return value.number; }, std::plus<>{});
    });
    for (int frame = 0; frame < 20; ++frame) {
        schedule.update(1);
        CHECK(reader.read().size() > 0);
        world.check();
    }
    CHECK(sum > 0);
}

TEST_CASE("systems that run side by side record in parallel walks of their own") {
    ThreadExecutor executor(4);
    World world;
    fill(world, 1000);
    Schedule schedule{world, executor};
    Phase& phase = schedule.add_phase("phase");
    for (int system = 0; system < 4; ++system) {
        phase.add(std::to_string(system), [&](Query<const Value> values, Commands& later) {
            values.par_each(executor, later, [](Entity, const Value& value, Commands& own) {
                for (std::uint64_t i = 0; i < value.number % 3; ++i) own.spawn(Text{"a"});
            });
        });
    }
    for (int frame = 0; frame < 10; ++frame) schedule.update(1);
    CHECK(world.query<Text>().count() == 10 * 4 * 999);
    world.check();
}

TEST_CASE("a throw on any thread drops what comes after it, and gives its ids back") {
    ThreadExecutor executor(4);
    World world;
    fill(world, 2000);
    for (std::uint64_t at = 0; at < 2000; at += 97) {
        CHECK_THROWS_AS(world.query<const Value>().par_each(executor, world.commands(),
                                                            [&](const Value& value, Commands& later) {
                                                                later.spawn(Text{"a"});
                                                                if (value.number >= at) throw 1;
                                                            }),
                        int);
        CHECK(world.commands().size() == at + 1);
        world.check();
        CHECK(world.flush().applied == at + 1);
        world.query<Text>().despawn_all();
        world.check();
    }
}

TEST_CASE("a walk on one thread refuses what another thread may do at the same time") {
    ThreadExecutor executor(2);
    World world;
    fill(world, 500);
    Commands mine{world};
    Commands other{world};
    std::atomic<bool> end = false;
    std::atomic<std::size_t> recorded = 0;
    std::thread recorder([&] {
        while (!end) {
            other.spawn(Text{"a"});
            ++recorded;
            std::this_thread::yield();
        }
    });
    std::atomic<std::size_t> refused = 0;
    for (int round = 0; round < 20 || recorded == 0; ++round) {
        world.query<const Value>().par_each(executor, [&](const Value&) {
            try {
                mine.spawn();
            } catch (const Error& error) {
                if (error.code() == Errc::conflict) ++refused;
            }
        });
    }
    end = true;
    recorder.join();
    CHECK(refused >= 20 * 500);
    CHECK(mine.empty());
    CHECK(other.size() == recorded);
    CHECK(other.flush().applied == recorded);
    world.check();
}
