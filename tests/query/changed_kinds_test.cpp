// Changed and Added of components that do not live in a column: sparse ones, tags and sparse tags; of those that
// outlive their entity; of pooled ones; and of those that are tracked from the start.
#include <doctest/doctest.h>

#include <span>
#include <stoa/stoa.hpp>
#include <vector>

#include "support/matches.hpp"

using namespace stoa;
using stoa_test::collected;
using stoa_test::Entities;
using stoa_test::sorted;

namespace {

struct Number {
    int value = 0;
};
struct Burning {
    int heat = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Tag {};
struct Flag {
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Grave {
    int depth = 0;
    static constexpr Traits stoa_traits{.cleanup = true};
};
struct Bag {
    std::vector<int> items;
    void reset() noexcept { items.clear(); }
    static constexpr Traits stoa_traits{.pooled = true};
};
struct Watched {
    int value = 0;
    static constexpr Traits stoa_traits{.track = Track::rows};
};

}  // namespace

TEST_CASE("changes and additions of sparse components are seen") {
    World world;
    Entities ids;
    for (int i = 0; i < 50; ++i) ids.push_back(world.spawn(Number{i}));
    for (const Entity e : ids) world.set(e, Burning{1});
    auto changed = world.query<Changed<Burning>>();
    auto added = world.query<Added<Burning>>();
    CHECK(collected(changed) == sorted(ids));
    CHECK(collected(added) == sorted(ids));
    const auto expect = [&](const Entities& in_changed, const Entities& in_added) {
        CHECK(collected(changed) == sorted(in_changed));
        CHECK(collected(added) == sorted(in_added));
        CHECK((changed.empty() && added.empty()));
        world.check();
    };
    static_cast<void>(world.get<const Burning>(ids[0]));
    CHECK_FALSE(world.add<Burning>(ids[0]));
    world.get<Number>(ids[0]).value = 5;
    expect({}, {});
    world.get<Burning>(ids[3]).heat = 2;
    world.set(ids[4], Burning{3});
    world.emplace<Burning>(ids[5], 4);
    world.find<Burning>(ids[6])->heat = 5;
    expect({ids[3], ids[4], ids[5], ids[6]}, {});
    world.query<const Number, Burning>().each([&](Entity, const Number&, Burning& b) { ++b.heat; });
    expect(ids, {});
    world.remove<Burning>(ids[7]);
    expect({}, {});
    world.set(ids[7], Burning{});
    const Entity fresh = world.spawn(Burning{9});
    expect({ids[7], fresh}, {ids[7], fresh});
    world.copy(ids[0], fresh);
    expect({fresh}, {});
}

TEST_CASE("a sparse slot that changes hands forgets what its last owner did") {
    World world;
    Entities ids;
    for (int i = 0; i < 20; ++i) ids.push_back(world.spawn(Burning{i}));
    auto changed = world.query<Burning, Changed<Burning>>();
    auto added = world.query<Added<Burning>>();
    collected(changed);
    collected(added);
    world.get<Burning>(ids[3]).heat = 30;
    world.remove<Burning>(ids[3]);
    world.add<Tag>(ids[3]);
    CHECK(collected(changed).empty());
    const Entity heir = world.spawn(Number{});
    world.add<Burning>(heir);
    CHECK(collected(changed) == Entities{heir});
    world.despawn(ids[5]);
    world.get<Burning>(ids[6]).heat = 1;
    CHECK(collected(changed) == Entities{ids[6]});
    CHECK(collected(added) == Entities{heir});
}

TEST_CASE("a change of a table component goes with sparse conditions, and the other way round") {
    World world;
    Entities ids;
    for (int i = 0; i < 2000; ++i) {
        ids.push_back(world.spawn(Number{i}));
        if (i % 100 == 0) world.set(ids.back(), Burning{i});
        if (i % 2 == 0) world.add<Flag>(ids.back());
    }
    auto hot = world.query<const Burning, Changed<Number>>();
    auto flagged = world.query<Changed<Burning>, Without<Flag>>();
    CHECK(hot.count() == 20);
    CHECK(flagged.count() == 0);
    collected(hot);
    collected(flagged);
    for (const std::size_t i : {100u, 101u, 300u}) world.get<Number>(ids[i]).value = 0;
    CHECK(collected(hot) == Entities{ids[100], ids[300]});
    world.get<Burning>(ids[500]).heat = 0;
    world.get<Burning>(ids[700]).heat = 0;
    world.remove<Flag>(ids[700]);
    CHECK(collected(flagged) == Entities{ids[700]});
    CHECK(hot.empty());
    world.set(ids[101], Burning{});
    CHECK(hot.empty());  // its number changed before the last walk
    CHECK(collected(flagged) == Entities{ids[101]});
}

TEST_CASE("a tag that is added is added and changed, and moving with it is neither") {
    World world;
    Entities ids;
    for (int i = 0; i < 10; ++i) ids.push_back(world.spawn(Number{i}, Tag{}));
    auto added = world.query<Added<Tag>>();
    auto changed = world.query<Changed<Tag>>();
    CHECK(added.count() == 10);
    CHECK(changed.count() == 10);
    collected(added);
    collected(changed);
    const Entity late = world.spawn(Number{});
    world.add<Tag>(late);
    CHECK_FALSE(world.add<Tag>(ids[2]));
    world.add<Grave>(ids[1]);  // takes the tag to another table
    world.despawn(ids[3]);
    CHECK(collected(added) == Entities{late});
    CHECK(collected(changed) == Entities{late});
    world.remove<Tag>(ids[4]);
    world.set(ids[4], Tag{});
    const Entity fresh = world.spawn(Tag{});
    CHECK(collected(added) == sorted({ids[4], fresh}));
    CHECK(collected(changed) == sorted({ids[4], fresh}));
    CHECK((added.empty() && changed.empty()));
    CHECK(world.query<Number>().add_all<Tag>() == 0);
    CHECK(added.empty());
    world.check();
}

TEST_CASE("a sparse tag that is added is added") {
    World world;
    Entities ids;
    for (int i = 0; i < 10; ++i) ids.push_back(world.spawn(Number{i}));
    world.add<Flag>(ids[1]);
    auto added = world.query<Added<Flag>>();
    CHECK(collected(added) == Entities{ids[1]});
    CHECK(added.empty());
    world.add<Flag>(ids[5]);
    CHECK_FALSE(world.add<Flag>(ids[1]));
    CHECK(collected(added) == Entities{ids[5]});
    world.remove<Flag>(ids[1]);
    world.add<Flag>(ids[1]);
    world.add<Tag>(ids[5]);
    CHECK(collected(added) == Entities{ids[1]});
}

TEST_CASE("becoming a ghost is no change, and a ghost keeps the changes it had") {
    World world;
    Entities ids;
    for (int i = 0; i < 6; ++i) ids.push_back(world.spawn(Number{i}, Grave{i}));
    auto changed = world.query<Changed<Grave>>();
    auto added = world.query<Added<Grave>>();
    collected(changed);
    collected(added);
    world.despawn(ids[0]);
    CHECK(collected(changed).empty());
    world.get<Grave>(ids[1]).depth = 7;
    world.despawn(ids[1]);
    CHECK(collected(changed) == Entities{ids[1]});
    CHECK(collected(changed).empty());
    world.get<Grave>(ids[0]).depth = 8;  // a ghost can be written
    CHECK(collected(changed) == Entities{ids[0]});
    world.remove<Grave>(ids[0]);
    world.despawn(ids[2]);
    world.get<Grave>(ids[3]).depth = 9;
    CHECK(collected(changed) == Entities{ids[3]});
    CHECK(collected(added).empty());
    world.clear();
    CHECK((changed.empty() && added.empty()));
    world.check();
}

TEST_CASE("a recycled object is a new component") {
    World world;
    const Entity first = world.spawn<Bag>();
    const Entity second = world.spawn<Bag>();
    auto changed = world.query<Changed<Bag>>();
    auto added = world.query<Added<Bag>>();
    collected(changed);
    collected(added);
    world.get<Bag>(first).items.assign(100, 1);
    world.despawn(first);
    CHECK(collected(changed).empty());
    const Entity third = world.spawn<Bag>();
    CHECK(collected(changed) == Entities{third});
    CHECK(collected(added) == Entities{third});
    world.remove<Bag>(second);
    world.add<Bag>(second);
    CHECK(collected(added) == Entities{second});
}

TEST_CASE("a component that is tracked by row from the start behaves as one that is tracked later") {
    World world;
    Entities ids(5000);
    world.spawn_many(std::span{ids}, Watched{1}, Number{2});
    world.get<Watched>(ids[1]).value = 5;
    world.despawn(ids[0]);
    world.add<Tag>(ids[2]);
    auto watched = world.query<Changed<Watched>>();
    auto number = world.query<Changed<Number>>();
    CHECK(watched.count() == 4999);
    CHECK(number.count() == 4999);
    collected(watched);
    collected(number);
    const Entities touched = {ids[7], ids[4098], ids[4999]};
    for (const Entity e : touched) {
        world.get<Watched>(e).value = 5;
        world.get<Number>(e).value = 5;
    }
    world.despawn(ids[8]);
    CHECK(collected(watched) == touched);
    CHECK(collected(number) == touched);
    world.check();
}
