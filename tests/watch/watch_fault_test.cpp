// Memory that runs out: subscribing, watching and caching happen wholly or not at all; and what is told while there is
// no memory is not lost.
#include "allocation_loop.hpp"

#include <doctest/doctest.h>

#include <stoa/stoa.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <vector>

using namespace stoa;
using stoa_test::AllocationFaults;
using stoa_test::FaultMode;
using stoa_test::loop_allocations;

namespace {

struct Box {
    int size = 0;
};
struct Place {
    int x = 0;
};
struct Tag {};
struct Loose {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Grave {
    int value = 0;
    static constexpr Traits stoa_traits{.cleanup = true};
};

using Ids = std::vector<Entity>;

// Not inside of the test: clang 16 takes two lambdas in the initializers of a local class for one.
struct Scene {
    World world;
    Query<Box, Without<Tag>> query = world.query<Box, Without<Tag>>();
    Entity plain = world.spawn(Box{}, Place{});
    Entity tagged = world.spawn(Box{}, Tag{});
    Entity bare = world.spawn(Loose{});
    Entity grave = world.spawn(Box{}, Grave{}, Loose{});
    int in = 0;
    int out = 0;
    Subscription enters = query.on_enter([this] { ++in; });
    Subscription leaves = query.on_leave([this] { ++out; });
    Watch<Box, Without<Tag>> watch = query.watch();
    Cache<Box, Without<Tag>> cache = query.cache();
    Cache<Box, Without<Tag>> sorted = query.cache<Box>([](const Box& a, const Box& b) { return a.size < b.size; });
};

// Subscribes under faults in a world where others are subscribed already; all of them must then work.
template <class Subscribe>
void subscribe_under_faults(FaultMode mode, Subscribe&& subscribe) {
    loop_allocations([&](std::uint64_t nth) {
        World world;
        world.spawn(Box{}, Loose{});
        world.spawn(Box{}, Place{}, Loose{});
        auto query = world.query<Box, Maybe<Loose>, Without<Tag>>();
        int told = 0;
        const Subscription first = query.on_enter([&] { ++told; });
        bool done = false;
        {
            AllocationFaults faults(nth, mode);
            try {
                auto handle = subscribe(query);
                done = !faults.fired();
            } catch (const std::bad_alloc&) {
            }
        }
        auto handle = subscribe(query);
        world.spawn(Box{});
        world.spawn(Box{}, Grave{}, Loose{});
        const Entity tagged = world.spawn(Box{}, Tag{});
        CHECK(told == 2);
        world.remove<Tag>(tagged);
        CHECK(told == 3);
        world.check();
        return done;
    });
}

}  // namespace

TEST_CASE("subscribing, watching and caching without memory: wholly or not at all") {
    for (const FaultMode mode : {FaultMode::once, FaultMode::persistent}) {
        subscribe_under_faults(mode, [](auto& query) { return query.on_enter([kept = std::make_shared<int>(1)] {}); });
        subscribe_under_faults(
            mode, [](auto& query) { return query.on_enter([kept = std::make_shared<int>(1)] {}, Existing::told); });
        subscribe_under_faults(mode, [](auto& query) { return query.on_leave([] {}); });
        subscribe_under_faults(mode, [](auto& query) { return query.watch(); });
        subscribe_under_faults(mode, [](auto& query) { return query.template watch_changes<Loose>(); });
        subscribe_under_faults(mode, [](auto& query) { return query.cache(); });
        subscribe_under_faults(mode, [](auto& query) {
            return query.template cache<Box>(
                [kept = std::make_shared<int>(1)](const Box& a, const Box& b) { return a.size < b.size; });
        });
    }
}

TEST_CASE("changes without memory: each is told exactly once if it happened, and not at all if it did not") {
    const std::vector<std::function<void(Scene&)>> verbs{
        [](Scene& s) { s.world.spawn(Box{}); },
        [](Scene& s) { s.world.spawn(Box{}, Loose{}, Place{}); },
        [](Scene& s) { s.world.spawn_many(3000, Box{}, Place{}); },
        [](Scene& s) { s.world.set(s.bare, Box{}); },
        [](Scene& s) { s.world.set(s.bare, Box{}, Place{}, Loose{}); },
        [](Scene& s) { s.world.emplace<Box>(s.bare, 1); },
        [](Scene& s) { s.world.add<Tag>(s.plain); },
        [](Scene& s) { s.world.remove<Tag>(s.tagged); },
        [](Scene& s) { s.world.remove<Box, Place>(s.plain); },
        [](Scene& s) { s.world.remove_all(s.plain); },
        [](Scene& s) { s.world.despawn(s.plain); },
        [](Scene& s) { s.world.despawn(s.grave); },
        [](Scene& s) { s.world.clone(s.plain); },
        [](Scene& s) { s.world.copy(s.plain, s.bare); },
        [](Scene& s) { s.world.clear(); },
        [](Scene& s) { s.query.despawn_all(); },
        [](Scene& s) { s.query.add_all<Tag>(); },
        [](Scene& s) { s.world.query<Tag>().remove_all<Tag>(); },
    };
    for (std::size_t verb = 0; verb < verbs.size(); ++verb) {
        CAPTURE(verb);
        for (const FaultMode mode : {FaultMode::once, FaultMode::persistent}) {
            loop_allocations([&](std::uint64_t nth) {
                Scene scene;
                CHECK(scene.cache.size() == 2);
                Ids before;
                scene.query.ordered().collect(before);
                bool fired = false;
                {
                    AllocationFaults faults(nth, mode);
                    try {
                        verbs[verb](scene);
                    } catch (const std::bad_alloc&) {
                    }
                    fired = faults.fired();
                }
                Ids after;
                scene.query.ordered().collect(after);
                int came = 0;
                int went = 0;
                for (const Entity e : after) came += std::count(before.begin(), before.end(), e) == 0;
                for (const Entity e : before) went += std::count(after.begin(), after.end(), e) == 0;
                CHECK(scene.in == came);
                CHECK(scene.out == went);
                CHECK(scene.watch.added().size() == static_cast<std::size_t>(came));
                CHECK(scene.watch.removed().size() == static_cast<std::size_t>(went));
                CHECK(scene.watch.changed().empty());
                Ids cached;
                scene.cache.collect(cached);
                CHECK(cached == after);
                CHECK(scene.sorted.size() == after.size());
                scene.world.check();
                return !fired;
            });
        }
    }
}

TEST_CASE("reading lists without memory: nothing is lost, and the next read gives it") {
    loop_allocations([&](std::uint64_t nth) {
        World world;
        auto query = world.query<Box>();
        Ids made(200);
        world.spawn_many(std::span{made}, Box{});
        auto watch = query.watch();
        auto cache = query.cache<Box>([](const Box& a, const Box& b) { return a.size > b.size; });
        for (std::size_t i = 0; i < made.size(); ++i) world.get<Box>(made[i]).size = static_cast<int>(i);
        bool fired = false;
        {
            AllocationFaults faults(nth, FaultMode::once);
            try {
                static_cast<void>(watch.changed());
                static_cast<void>(cache.size());
            } catch (const std::bad_alloc&) {
            }
            fired = faults.fired();
        }
        CHECK(watch.changed().size() == 200);
        Ids listed;
        cache.collect(listed);
        CHECK(listed == Ids(made.rbegin(), made.rend()));
        return !fired;
    });
}

TEST_CASE("a watch keeps room for some events in advance, and a verb that it cannot note says so") {
    World world;
    Ids made(2000);
    world.spawn_many(std::span{made}, Box{});
    auto watch = world.query<Box>().watch(WatchFor::removed);
    std::size_t gone = 0;
    bool thrown = false;
    {
        AllocationFaults faults(0, FaultMode::persistent);
        for (; gone < 1000 && !thrown; ++gone) {
            try {
                world.despawn(made[gone]);
            } catch (const std::bad_alloc&) {
                thrown = true;
            }
        }
    }
    CHECK(thrown);
    CHECK(gone > 32);
    CHECK(world.size() == made.size() - gone);
    CHECK(watch.removed().size() == gone - 1);
    world.check();
}

// Around the sizes at which the lists of a watch are full, with entities in several tables.
TEST_CASE("clear and spawn_many without memory happen wholly, and are listed wholly, or not at all") {
    for (const std::size_t count : {30u, 31u, 32u, 33u, 62u, 63u, 64u, 65u, 127u, 128u, 129u}) {
        CAPTURE(count);
        for (const bool clears : {true, false}) {
            loop_allocations([&](std::uint64_t nth) {
                World world;
                world.spawn_many(count / 2, Box{});
                world.spawn_many(count - count / 2, Box{}, Place{});
                auto watch = world.query<Box>().watch();
                AllocationFaults faults(nth, FaultMode::persistent);
                bool happened = true;
                try {
                    if (clears) {
                        world.clear();
                    } else {
                        world.spawn_many(count, Box{}, Tag{});
                    }
                } catch (const std::bad_alloc&) {
                    happened = false;
                }
                const std::size_t after = clears ? 0 : 2 * count;
                CHECK(world.size() == (happened ? after : count));
                CHECK((clears ? watch.removed() : watch.added()).size() == (happened ? count : 0));
                return !faults.fired();
            });
        }
    }
}
