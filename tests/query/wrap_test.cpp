// Ticks are 32 bits wide and wrap around: long sequences of writes and walks across every border, against a list of
// what was written. Handles that are walked often and seldom, rows that are never written again, and first walks after
// the border.
#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <span>
#include <stoa/stoa.hpp>
#include <vector>

#include "support/matches.hpp"
#include "support/random.hpp"

using namespace stoa;
using stoa_test::collected;
using stoa_test::Entities;

namespace {

struct Number {
    int value = 0;
};
struct Sparse {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Tag {};

using Numbers = Query<Changed<Number>>;

// A handle and what it has to find at its next walk.
template <class Watcher>
struct Watch {
    Watcher query;
    std::set<Entity> expected;

    void check() {
        REQUIRE(query.count() == expected.size());
        REQUIRE(collected(query) == Entities(expected.begin(), expected.end()));
        REQUIRE(query.empty());
        expected.clear();
    }
};

struct Run {
    World world;
    stoa_test::Random random;
    Entities ids;
    std::set<Entity> oldest;  // never written, so that their ticks stay as they are
    std::vector<Watch<Numbers>> watches;
    Watch<Query<Changed<Sparse>>> sparse;
    Watch<Query<Added<Number>>> added;

    Run(std::uint32_t first_tick, std::uint64_t seed)
        : world(WorldOptions{.first_tick = first_tick}),
          random(seed),
          sparse{world.query<Changed<Sparse>>(), {}},
          added{world.query<Added<Number>>(), {}} {
        ids.resize(300);
        world.spawn_many(std::span{ids}, Number{});
        oldest.insert(ids.begin(), ids.begin() + 10);
        const std::set<Entity> all(ids.begin(), ids.end());
        for (std::size_t i = 0; i < ids.size(); i += 2) {
            world.set(ids[i], Sparse{});
            sparse.expected.insert(ids[i]);
        }
        for (int i = 0; i < 3; ++i) watches.push_back({world.query<Changed<Number>>(), all});
        added.expected = all;
    }

    std::size_t pick() { return random.below(static_cast<std::uint32_t>(ids.size())); }

    void note(Entity e) {
        for (auto& watch : watches) watch.expected.insert(e);
    }
    void write() {
        const std::size_t at = 10 + pick() % (ids.size() - 10);
        world.get<Number>(ids[at]).value += 1;
        note(ids[at]);
        if (at % 2 != 0) return;
        world.get<Sparse>(ids[at]).value += 1;
        sparse.expected.insert(ids[at]);
    }
    void move() {
        const Entity e = ids[pick()];
        if (!world.remove<Tag>(e)) world.add<Tag>(e);
    }
    void replace() {
        const std::size_t at = 11 + 2 * (pick() % 100);
        const Entity old = ids[at];
        world.despawn(old);
        for (auto& watch : watches) watch.expected.erase(old);
        added.expected.erase(old);
        ids[at] = world.spawn(Number{});
        note(ids[at]);
        added.expected.insert(ids[at]);
    }
    void step(int number) {
        for (std::uint32_t i = random.below(4); i > 0; --i) write();
        if (random.one_in(3)) move();
        if (random.one_in(4)) replace();
        if (random.one_in(40)) {
            world.query<Mut<Number>>().each([&](Entity e, Mut<Number> n) {
                if (oldest.contains(e)) return;
                n.write().value += 1;
                note(e);
            });
        }
        watches[0].check();
        if (number % 5 == 0) watches[1].check();
        if (number % 3 == 0) sparse.check();
        if (number % 7 == 0) added.check();
    }
};

}  // namespace

TEST_CASE("nothing is lost or invented where ticks wrap around") {
    for (const std::uint32_t border : {0u, 1u << 29, 2u << 29, 3u << 29, 4u << 29, 5u << 29, 6u << 29, 7u << 29}) {
        for (const std::uint32_t before : {1u, 16u, 700u}) {
            CAPTURE(border);
            CAPTURE(before);
            Run run(border - before, border + before);
            for (int number = 1; number <= 150; ++number) {
                CAPTURE(number);
                run.step(number);
            }
            run.watches[2].check();  // its first walk, long after the border
            for (int number = 151; number <= 400; ++number) {
                CAPTURE(number);
                run.step(number);
            }
            run.watches[2].check();
            run.world.check();
        }
    }
}

// In a store by itself, where ticks can be spent without walking that often.
template <class T>
void let_ticks_pass() {
    detail::Store store(WorldOptions{.first_tick = 77});
    const Entity old = detail::spawn<T>(store, T{});
    const Entity fresh = detail::spawn<T>(store, T{});
    for (int i = 0; i < 100; ++i) detail::spawn<T>(store, T{});
    auto changed = stoa::detail::QueryAccess::make<Query<Changed<T>>>(store);
    auto added = stoa::detail::QueryAccess::make<Query<Added<T>>>(store);
    auto watch = stoa::detail::QueryAccess::make<Query<T>>(store).watch();
    collected(changed);
    collected(added);
    for (int round = 0; round < 40; ++round) {
        CAPTURE(round);
        store.clock().advance_by(std::uint64_t{1} << 28);
        REQUIRE(changed.empty());
        REQUIRE_FALSE(changed.contains(old));
        REQUIRE(collected(added).empty());
        REQUIRE(watch.changed().empty());
        detail::get<T>(store, fresh).value += 1;
        REQUIRE(collected(changed) == Entities{fresh});
        REQUIRE(watch.changed().size() == 1);
        watch.clear();
        REQUIRE(stoa::detail::QueryAccess::make<Query<Changed<T>>>(store).count() == 102);
        check(store);
    }
}

TEST_CASE("what was written long ago stays old, however many ticks pass, in tables and in sparse sets") {
    let_ticks_pass<Number>();
    let_ticks_pass<Sparse>();
}

TEST_CASE("a handle that is made after the border sees everything at first") {
    World world(WorldOptions{.first_tick = 0xfffffffcu});
    Entities ids(50);
    world.spawn_many(std::span{ids}, Number{});
    Numbers early = world.query<Changed<Number>>();
    for (int i = 0; i < 20; ++i) collected(early);
    Numbers late = world.query<Changed<Number>>();
    CHECK(late.count() == 50);
    world.get<Number>(ids[7]).value = 1;
    CHECK(collected(early) == Entities{ids[7]});
    CHECK(collected(late).size() == 50);
    CHECK(late.empty());
}

TEST_CASE("tick zero is a tick like any other") {
    for (const std::uint32_t first : {0u, 1u, 0xffffffffu}) {
        CAPTURE(first);
        World world(WorldOptions{.first_tick = first});
        Numbers query = world.query<Changed<Number>>();
        CHECK(collected(query).empty());
        const Entity e = world.spawn(Number{});
        CHECK(collected(query) == Entities{e});
        for (int i = 0; i < 5; ++i) {
            CHECK(collected(query).empty());
            world.get<Number>(e).value = i;
            CHECK(collected(query) == Entities{e});
        }
    }
}
