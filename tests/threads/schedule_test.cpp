// Guards what a schedule promises with threads: the same world whatever the number of threads, exactly one exception,
// and pieces of a walk that cover every row once. Run under ThreadSanitizer too; the executor is one that it can look
// into.
#include <stoa/parallel.hpp>
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/busy_scene.hpp"
#include "support/thread_executor.hpp"

using namespace stoa;

namespace {

struct Value {
    std::uint64_t number = 0;
};
struct Other {
    int number = 0;
};
struct Loose {
    int number = 0;
};

}  // namespace

template <>
inline constexpr Traits stoa::traits<Loose>{.storage = Storage::sparse};

TEST_CASE("any number of threads gives the same world, frame by frame") {
#if defined(__SANITIZE_THREAD__)
    constexpr int frames = 60;  // a race shows in the first ones
#else
    constexpr int frames = 200;
#endif
    for (const std::uint32_t seed : {1u, 2u}) {
        support::BusyScene serial(nullptr, seed);
        support::ThreadExecutor two(2), four(4), eight(8);
        support::BusyScene scenes[] = {{&two, seed}, {&four, seed}, {&eight, seed}};
        for (int frame = 0; frame < frames; ++frame) {
            serial.update();
            const auto expected = serial.fingerprint();
            for (support::BusyScene& scene : scenes) {
                scene.update();
                REQUIRE(scene.fingerprint() == expected);
            }
        }
        CHECK(serial.world().size() > 300);
        for (support::BusyScene& scene : scenes) scene.world().check();
    }
}

TEST_CASE("systems that do not touch the same things run side by side") {
    World world;
    support::ThreadExecutor executor(2);
    Schedule schedule{world, executor};
    std::atomic<int> arrived = 0;
    const auto meet = [&] {
        ++arrived;
        while (arrived < 2) std::this_thread::yield();
    };
    schedule.add_phase("p").add("a", [&](Query<Value>) { meet(); }).add("b", [&](Query<Other>) { meet(); });
    schedule.phase("p").add("c", [] {}).add("d", [] {});
    schedule.update(0);
    CHECK(arrived == 2);
}

TEST_CASE("exactly one exception reaches the caller, and the next update works") {
    for (const std::size_t threads : {1u, 2u, 4u, 8u}) {
        World world;
        support::ThreadExecutor executor(threads);
        Schedule schedule{world, executor};
        std::atomic<bool> fail = true;
        for (int i = 0; i < 40; ++i) {
            schedule.find_phase("p") == nullptr ? schedule.add_phase("p") : schedule.phase("p");
            schedule.phase("p").add(std::to_string(i), [&fail, i](Commands& later) {
                later.spawn(Other{i});
                if (fail && i % 3 == 1) throw std::runtime_error(std::to_string(i));
            });
        }
        std::string what;
        try {
            schedule.update(0);
        } catch (const std::runtime_error& error) {
            what = error.what();
        }
        CHECK_FALSE(what.empty());
        world.check();
        CHECK(world.size() < 40);
        const std::size_t before = world.size();
        fail = false;
        schedule.update(0);
        world.check();
        CHECK(world.size() == before + 40);
    }
}

TEST_CASE("par_each visits every row once, and throws what was first") {
    support::ThreadExecutor executor(4);
    for (const std::size_t count : {0u, 1u, 63u, 64u, 1000u, 30000u}) {
        World world;
        world.spawn_many(count, Value{});
        world.spawn_many(count / 3, Value{}, Other{});
        for (std::size_t i = 0; i < count / 7; ++i) world.spawn(Value{}, Loose{});
        const std::size_t all = count + count / 3 + count / 7;
        world.query<Value>().par_each(executor, [](Value& value) { ++value.number; });
        std::size_t seen = 0;
        world.query<const Value>().each([&](const Value& value) { seen += value.number == 1; });
        CHECK(seen == all);
        std::atomic<std::size_t> loose = 0;
        world.query<const Value, Loose>().par_each(executor, [&](Entity, const Value&, Loose& l) {
            ++l.number;
            ++loose;
        });
        CHECK(loose == count / 7);
        std::atomic<std::size_t> without = 0;
        world.query<const Value, Without<Loose>>().par_each(executor, [&](const Value&) { ++without; });
        CHECK(without == all - count / 7);
        if (count < 1000) continue;
        CHECK_THROWS_AS(world.query<Value>().par_each(executor, [](Value&) { throw 1; }), int);
        world.spawn(Value{});
        world.check();
    }
}

TEST_CASE("what par_each writes is seen by those who follow changes") {
    support::ThreadExecutor executor(4);
    World world;
    world.spawn_many(5000, Value{}, Other{});
    auto changed = world.query<const Value, Changed<Value>>();
    changed.each([](const Value&) {});
    std::uint64_t number = 0;
    world.query<Value, const Other>().each([&](Value& value, const Other&) { value.number = number++; });
    changed.each([](const Value&) {});
    world.query<Mut<Value>>().par_each(executor, [](Mut<Value> value) {
        if (value->number % 7 == 0) value.write().number += 7000000;
    });
    std::size_t seen = 0;
    changed.each([&](const Value& value) { seen += value.number >= 7000000; });
    CHECK(seen == 715);
    world.query<Value>().par_each(executor, [](Value&) {});
    CHECK(changed.count() == 5000);
}

TEST_CASE("a system may use par_each, and structure is locked inside") {
    support::ThreadExecutor executor(4);
    World world;
    world.spawn_many(3000, Value{});
    Schedule schedule{world, executor};
    std::atomic<int> refused = 0;
    schedule.add_phase("p")
        .add("par",
             [&](Query<Value> all) {
                 all.par_each(executor, [&](Entity e, Value& value) {
                     ++value.number;
                     if (e.index() % 1000 != 0) return;
                     try {
                         world.despawn(e);
                     } catch (const Error& error) {
                         refused += error.code() == Errc::locked;
                     }
                 });
             })
        .add("b", [](Query<Other>) {})
        .add("c", [](Query<Loose>) {})
        .add("d", [](Query<const Value> all) { CHECK(all.first()); });
    for (int i = 0; i < 20; ++i) schedule.update(0);
    CHECK(refused == 60);
    world.query<const Value>().each([](const Value& value) { REQUIRE(value.number == 20); });
}

TEST_CASE("ids that systems reserve past their stock, and ids of buffers beside them, are all different") {
    World world;
    support::ThreadExecutor executor(4);
    Schedule schedule{world, executor};
    Commands mine{world};
    std::size_t want = 3000;
    const auto spawn = [&](std::uint64_t who) {
        return [&want, who](Commands& later) {
            for (std::size_t i = 0; i < want * who; ++i) later.spawn(Value{who});
        };
    };
    schedule.add_phase("p").add("a", spawn(1)).add("b", spawn(0)).add("c", spawn(2)).add("d", [&] {
        for (std::size_t i = 0; i < want / 2; ++i) mine.spawn(Value{9});
    });
    for (const std::size_t next :
         {std::size_t{3000}, std::size_t{10}, std::size_t{0}, std::size_t{500}, std::size_t{9000}}) {
        want = next;
        const std::size_t before = world.size();
        schedule.update(0);
        mine.flush();
        world.check();
        CHECK(world.size() == before + want * 3 + want / 2);
        if (next == 500) world.clear();
    }
}
