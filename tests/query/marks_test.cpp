// The mark of a handle with Changed or Added: who moves it, who looks at it without moving it, and how copies share it.
#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <stoa/stoa.hpp>
#include <utility>

#include "support/matches.hpp"

using namespace stoa;
using stoa_test::collected;
using stoa_test::Entities;
using stoa_test::sorted;
using stoa_test::walked;

namespace {

struct Number {
    int value = 0;
};
struct Mark {};

using Watcher = Query<Changed<Number>>;

struct Scene {
    World world;
    Entities ids;

    Scene() {
        for (int i = 0; i < 6; ++i) ids.push_back(world.spawn(Number{i}));
    }
    void touch(std::size_t i) { world.get<Number>(ids[i]).value += 100; }
};

}  // namespace

TEST_CASE("a walk does not see its own writes the next time, other handles do") {
    Scene scene;
    auto own = scene.world.query<Number, Changed<Number>>();
    auto others = scene.world.query<Changed<Number>>();
    collected(others);
    const auto check = [&](auto&& walk) {
        collected(own);
        scene.touch(2);
        scene.touch(4);
        walk();
        CHECK(own.count() == 0);
        CHECK(walked(others) == sorted({scene.ids[2], scene.ids[4]}));
        scene.touch(1);
        CHECK(own.count() == 1);
        CHECK(collected(own) == Entities{scene.ids[1]});
        collected(others);
    };
    int visits = 0;
    check([&] { own.each([&](Number& n) { ++n.value, ++visits; }); });
    check([&] { own.each_chunk([&](std::span<Number> numbers) { visits += static_cast<int>(numbers.size()); }); });
    check([&] { own.each_until([&](Number& n) { return ++n.value, ++visits, false; }); });
    check([&] {
        for (auto [entity, number] : own) ++number.value, ++visits;
    });
    CHECK(visits == 8);
}

TEST_CASE("a walk with Mut and Changed of one component does not see what it wrote") {
    Scene scene;
    auto query = scene.world.query<Mut<Number>, Changed<Number>>();
    auto others = scene.world.query<Changed<Number>>();
    walked(query);
    walked(others);
    scene.touch(0);
    scene.touch(5);
    query.each([&](Entity e, Mut<Number> n) {
        if (e == scene.ids[5]) n.write().value = 1;
    });
    CHECK(query.count() == 0);
    CHECK(walked(others) == sorted({scene.ids[0], scene.ids[5]}));
}

TEST_CASE("every kind of walk moves the mark") {
    Scene scene;
    const auto check = [&](auto&& walk) {
        Watcher query = scene.world.query<Changed<Number>>();
        CHECK(query.count() == 6);
        walk(query);
        CHECK(query.count() == 0);
        scene.touch(3);
        CHECK(query.count() == 1);
        walk(query);
        CHECK(query.count() == 0);
    };
    check([](Watcher& q) { q.each([] {}); });
    check([](Watcher& q) { q.each([](Entity) {}); });
    check([](Watcher& q) { q.each_chunk([](std::span<const Entity>) {}); });
    check([](Watcher& q) { q.each_until([](Entity) { return false; }); });
    check([](Watcher& q) {
        for ([[maybe_unused]] auto row : q) {
        }
    });
    check([](Watcher& q) { CHECK(collected(q).size() <= 6); });
}

TEST_CASE("a walk that is stopped is a walk") {
    Scene scene;
    Watcher query = scene.world.query<Changed<Number>>();
    CHECK(query.each_until([](Entity) { return true; }));
    CHECK(query.count() == 0);
    scene.touch(1);
    scene.touch(2);
    for ([[maybe_unused]] auto row : query) break;
    CHECK(query.count() == 0);
    scene.touch(4);
    CHECK(walked(query) == Entities{scene.ids[4]});
}

TEST_CASE("questions and fetch look at the mark and leave it") {
    Scene scene;
    Watcher query = scene.world.query<Changed<Number>>();
    const auto ask = [&](const Entities& expected) {
        for (int twice = 0; twice < 2; ++twice) {
            CHECK(query.count() == expected.size());
            CHECK(query.empty() == expected.empty());
            CHECK(query.first() == (expected.empty() ? Entity{} : expected.front()));
            if (expected.size() == 1) {
                CHECK(query.single() == expected.front());
            } else {
                CHECK_THROWS_AS(static_cast<void>(query.single()), Error);
            }
            for (const Entity e : scene.ids) {
                const bool is_expected = std::binary_search(expected.begin(), expected.end(), e);
                CHECK(query.contains(e) == is_expected);
                bool ran = false;
                CHECK(query.fetch(e, [&] { ran = true; }) == is_expected);
                CHECK(ran == is_expected);
            }
        }
    };
    ask(scene.ids);
    collected(query);
    ask({});
    scene.touch(2);
    ask({scene.ids[2]});
    scene.touch(4);
    ask({scene.ids[2], scene.ids[4]});
    CHECK(collected(query) == Entities{scene.ids[2], scene.ids[4]});
    ask({});
}

TEST_CASE("what fetch writes is seen by the next walk of the same handle, since fetch is no walk") {
    Scene scene;
    auto query = scene.world.query<Number, Changed<Number>>();
    CHECK(query.fetch(scene.ids[1], [](Number& n) { n.value = 9; }));
    CHECK(walked(query) == scene.ids);
    CHECK_FALSE(query.fetch(scene.ids[1], [](Number&) { FAIL("not changed since"); }));
    scene.touch(1);
    CHECK(query.fetch(scene.ids[1], [](Number& n) { n.value = 10; }));
    CHECK(walked(query) == Entities{scene.ids[1]});
    CHECK(walked(query).empty());
}

TEST_CASE("bulk changes go to what has changed and leave the mark") {
    Scene scene;
    World& world = scene.world;
    Watcher query = world.query<Changed<Number>>();
    collected(query);
    scene.touch(1);
    scene.touch(3);
    CHECK(query.add_all<Mark>() == 2);
    CHECK(query.count() == 2);
    CHECK(query.add_all<Mark>() == 0);
    CHECK((world.has<Mark>(scene.ids[1]) && world.has<Mark>(scene.ids[3]) && !world.has<Mark>(scene.ids[2])));
    scene.touch(2);
    CHECK(query.set_all(Number{77}) == 3);
    CHECK(query.count() == 3);
    CHECK(world.get<const Number>(scene.ids[2]).value == 77);
    CHECK(world.get<const Number>(scene.ids[0]).value == 0);
    CHECK(query.remove_all<Mark>() == 2);
    CHECK(collected(query) == Entities{scene.ids[1], scene.ids[2], scene.ids[3]});
    CHECK(query.despawn_all() == 0);
    scene.touch(5);
    CHECK(query.despawn_all() == 1);
    CHECK_FALSE(world.alive(scene.ids[5]));
    CHECK(world.size() == 5);
    world.check();
}

TEST_CASE("a new handle starts afresh, a copy starts where the original is, and each goes on alone") {
    Scene scene;
    Watcher first = scene.world.query<Changed<Number>>();
    collected(first);
    scene.touch(0);
    Watcher copy = first;
    Watcher fresh = scene.world.query<Changed<Number>>();
    CHECK(copy.count() == 1);
    CHECK(fresh.count() == 6);
    CHECK(collected(first) == Entities{scene.ids[0]});
    CHECK(copy.count() == 1);
    scene.touch(1);
    CHECK(collected(copy) == Entities{scene.ids[0], scene.ids[1]});
    CHECK(collected(first) == Entities{scene.ids[1]});
    CHECK(collected(fresh) == scene.ids);

    scene.touch(2);
    Watcher moved = std::move(copy);
    CHECK(moved.count() == 1);
    first = moved;
    CHECK(collected(moved) == Entities{scene.ids[2]});
    CHECK(collected(first) == Entities{scene.ids[2]});
    CHECK(first.count() == 0);
    first = scene.world.query<Changed<Number>>();
    CHECK(first.count() == 6);
}

TEST_CASE("reversed and ordered copies carry the mark, and the original keeps its own") {
    Scene scene;
    Watcher query = scene.world.query<Changed<Number>>();
    collected(query);
    for (const std::size_t i : {1u, 4u, 2u}) scene.touch(i);
    auto backwards = query.reversed();
    auto by_index = query.ordered();
    Entities order;
    backwards.collect(order);
    CHECK(order == Entities{scene.ids[4], scene.ids[2], scene.ids[1]});
    CHECK(backwards.count() == 0);
    order.clear();
    by_index.each([&](Entity e) { order.push_back(e); });
    CHECK(order == Entities{scene.ids[1], scene.ids[2], scene.ids[4]});
    CHECK(by_index.empty());
    CHECK(query.count() == 3);
    order.clear();
    for (auto [e] : query) order.push_back(e);
    CHECK(order == Entities{scene.ids[1], scene.ids[2], scene.ids[4]});
    scene.touch(0);
    CHECK(backwards.first() == scene.ids[0]);
    CHECK(by_index.single() == scene.ids[0]);
}

TEST_CASE("two handles that are walked at different rates each see what is new to them") {
    Scene scene;
    Watcher often = scene.world.query<Changed<Number>>();
    Watcher seldom = often;
    collected(often);
    collected(seldom);
    Entities since;
    for (std::size_t round = 0; round < 60; ++round) {
        const std::size_t i = (round * 5 + round / 7) % scene.ids.size();
        scene.touch(i);
        since.push_back(scene.ids[i]);
        CHECK(collected(often) == Entities{scene.ids[i]});
        if (round % 4 != 3) continue;
        since = sorted(since);
        since.erase(std::unique(since.begin(), since.end()), since.end());
        CHECK(collected(seldom) == since);
        since.clear();
    }
}

// Who walks often drops the bits of what nobody seems to ask for; who comes late is told by the stamps, wherever they
// went.
TEST_CASE("a handle that is walked seldom misses nothing when its tables change meanwhile") {
    void (*const meanwhile[])(World&){
        [](World&) {},
        [](World& world) { world.spawn_many(100, Number{}); },  // the chunk grows
        [](World& world) { world.reserve<Number>(20'000); },
        [](World& world) { world.query<Number>().add_all<Mark>(); },    // the chunk changes hands
        [](World& world) { world.query<Number>().add_all<double>(); },  // the rows move
        [](World& world) { world.spawn_many(100, Number{}), world.query<Number>().add_all<Mark>(); },
    };
    for (std::size_t run = 0; run < 2 * std::size(meanwhile); ++run) {
        CAPTURE(run);
        Scene scene;
        Watcher often = scene.world.query<Changed<Number>>();
        Watcher seldom = scene.world.query<Changed<Number>>();
        collected(often);
        collected(seldom);
        scene.touch(4);
        for (int i = 0; i < 5; ++i) collected(often);
        meanwhile[run / 2](scene.world);
        for (int i = 0; run % 2 != 0 && i < 5; ++i) collected(often);
        CHECK(seldom.contains(scene.ids[4]));
        const Entities seen = collected(seldom);
        CHECK(std::binary_search(seen.begin(), seen.end(), scene.ids[4]));
        CHECK_FALSE(std::binary_search(seen.begin(), seen.end(), scene.ids[3]));
    }
}

TEST_CASE("handles follow a world that is moved, with their marks") {
    Scene scene;
    Watcher query = scene.world.query<Changed<Number>>();
    collected(query);
    scene.touch(3);
    World home = std::move(scene.world);
    CHECK(query.count() == 1);
    home.get<Number>(scene.ids[0]).value = 5;
    CHECK(collected(query) == Entities{scene.ids[0], scene.ids[3]});
    CHECK(query.empty());
}
