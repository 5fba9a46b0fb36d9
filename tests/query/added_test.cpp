// Added: each way to give an entity a component is seen by the next walk, and nothing that only changes or moves it.
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
struct Other {
    int value = 0;
};
struct Tag {};
// Replaced by a value in another slot, because moving may throw.
struct Clumsy {
    explicit Clumsy(int number) : value(number) {}
    Clumsy(const Clumsy& other) noexcept(false) : value(other.value) {}
    Clumsy& operator=(const Clumsy&) = default;
    int value;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};

using Watcher = Query<Added<Number>>;

struct Scene {
    World world;
    Entity with;     // has a Number
    Entity without;  // has an Other
    Watcher added;
    Query<Changed<Number>> changed;

    Scene() : added(world.query<Added<Number>>()), changed(world.query<Changed<Number>>()) {
        with = world.spawn(Number{1});
        without = world.spawn(Other{2});
        collected(added);
        collected(changed);
    }
    // What the next walk of either handle sees, which must be the same: an addition is also a change.
    void expect(const Entities& entities) {
        CHECK(collected(changed) == sorted(entities));
        CHECK(added.count() == entities.size());
        CHECK(collected(added) == sorted(entities));
        CHECK(collected(added).empty());
        CHECK(collected(changed).empty());
        world.check();
    }
};

}  // namespace

TEST_CASE("the first walk with Added sees everything, the next one nothing") {
    World world;
    Entities ids(5000);
    world.spawn_many(std::span{ids}, Number{});
    Watcher added = world.query<Added<Number>>();
    CHECK(collected(added) == sorted(ids));
    CHECK(collected(added).empty());
    CHECK(added.empty());
}

TEST_CASE("spawning adds: from values, by type, in bulk, from columns and through a table handle") {
    Scene scene;
    World& world = scene.world;
    scene.expect({});
    scene.expect({world.spawn(Number{3})});
    scene.expect({world.spawn<Number, Other>()});
    world.spawn(Other{});
    scene.expect({});
    Entities ids(9000);
    world.spawn_many(std::span{ids}, Number{4}, Other{5});
    scene.expect(ids);
    world.spawn_many(3, Number{4});
    CHECK(scene.added.count() == 3);
    collected(scene.added);
    collected(scene.changed);
    std::vector<Number> numbers(100);
    ids.resize(100);
    world.spawn_columns(std::span{ids}, std::span{numbers});
    scene.expect(ids);
    scene.expect({world.table<Number>().spawn(), world.table<Number>().spawn(Number{1}),
                  world.table<Number, Other>().spawn([](Number& n, Other&) { n.value = 2; })});
}

TEST_CASE("add, set, emplace, clone and copy add what was missing") {
    Scene scene;
    World& world = scene.world;
    Entities ids;
    for (int i = 0; i < 6; ++i) ids.push_back(world.spawn(Other{i}));
    scene.expect({});
    CHECK(world.add<Number>(ids[0]));
    scene.expect({ids[0]});
    CHECK(world.add<Number, Tag>(ids[1]));
    scene.expect({ids[1]});
    world.set(ids[2], Number{7});
    scene.expect({ids[2]});
    world.emplace<Number>(ids[3], 8);
    scene.expect({ids[3]});
    world.copy(scene.with, ids[4]);
    scene.expect({ids[4]});
    world.entity(ids[5]).add<Tag>().set(Number{9}, Other{10});
    scene.expect({ids[5]});
    scene.expect({world.clone(scene.with), world.clone(ids[1])});
    CHECK(world.query<Other, Without<Number>>().add_all<Number>() == 1);
    scene.expect({scene.without});
    const Entity late = world.spawn(Other{});
    CHECK(world.query<Other, Without<Number>>().set_all(Number{3}) == 1);
    scene.expect({late});
}

TEST_CASE("replacing and writing is no addition") {
    Scene scene;
    World& world = scene.world;
    const auto expect_change_only = [&] {
        CHECK(collected(scene.added).empty());
        CHECK(collected(scene.changed) == Entities{scene.with});
    };
    world.set(scene.with, Number{2});
    expect_change_only();
    world.emplace<Number>(scene.with, 3);
    expect_change_only();
    world.get<Number>(scene.with).value = 4;
    expect_change_only();
    world.copy(world.spawn(Other{1}), scene.with);
    collected(scene.changed);
    CHECK(collected(scene.added).empty());
    world.query<Number>().each([](Number& n) { ++n.value; });
    expect_change_only();
    CHECK(world.query<Number>().set_all(Number{8}) == 1);
    expect_change_only();
    CHECK_FALSE(world.add<Number>(scene.with));
    scene.expect({});
}

TEST_CASE("replacing a value by one in another slot is no addition, and growing the set neither") {
    World world;
    const Entity e = world.spawn(Clumsy(1));
    auto added = world.query<Added<Clumsy>>();
    auto changed = world.query<Changed<Clumsy>>();
    const auto expect = [&](const Entities& now_added, const Entities& now_changed) {
        CHECK(collected(added) == now_added);
        CHECK(collected(changed) == now_changed);
    };
    expect({e}, {e});
    world.set(e, Clumsy(2));
    expect({}, {e});
    world.emplace<Clumsy>(e, 3);
    expect({}, {e});
    world.copy(world.clone(e), e);
    const Entity model = collected(added).at(0);
    CHECK(collected(changed) == sorted({e, model}));
    world.commands().set(e, Clumsy(4));
    world.flush();
    expect({}, {e});
    Entities many(1000);  // ticks of slots move to a larger block
    world.spawn_many(std::span{many}, Clumsy(5));
    expect(sorted(many), sorted(many));
    CHECK(world.get<const Clumsy>(e).value == 4);
}

TEST_CASE("a component that is removed and added again is added") {
    Scene scene;
    World& world = scene.world;
    world.remove<Number>(scene.with);
    scene.expect({});
    world.add<Number>(scene.with);
    scene.expect({scene.with});
    world.remove<Number>(scene.with);
    world.set(scene.with, Number{1});
    scene.expect({scene.with});
    const Entity gone = world.spawn(Number{});
    world.despawn(gone);
    scene.expect({});
    const Entity heir = world.spawn(Number{});
    CHECK(heir.index() == gone.index());
    scene.expect({heir});
}

TEST_CASE("a row that moves for another component, or into a hole, is not added again") {
    Scene scene;
    World& world = scene.world;
    Entities ids(9000);
    world.spawn_many(std::span{ids}, Number{});
    collected(scene.added);
    collected(scene.changed);
    for (std::size_t i = 0; i < ids.size(); i += 2) world.add<Other>(ids[i]);
    for (std::size_t i = 0; i < ids.size(); i += 3) world.add<Tag>(ids[i]);
    world.despawn(ids[1]);
    world.despawn(ids[2]);
    world.shrink_to_fit();
    scene.expect({});
    const Entity fresh = world.spawn(Number{});
    world.despawn(ids[5]);  // the new one takes its row
    world.add<Tag>(fresh);
    world.remove<Other>(ids[4]);
    scene.expect({fresh});
}

TEST_CASE("a row can be added and changed, of different components") {
    World world;
    const Entity a = world.spawn(Number{}, Other{});
    const Entity b = world.spawn(Number{}, Other{});
    auto query = world.query<Added<Other>, Changed<Number>>();
    collected(query);
    world.get<Number>(a).value = 1;
    CHECK(query.count() == 0);
    world.remove<Other>(a);
    world.add<Other>(a);
    world.remove<Other>(b);
    world.add<Other>(b);
    CHECK(collected(query) == Entities{a});
    world.get<Number>(b).value = 1;  // its Other came before the last walk
    CHECK(collected(query).empty());
}
