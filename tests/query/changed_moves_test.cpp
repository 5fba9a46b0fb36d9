// Changes belong to rows, and rows move: to other tables, into holes, into larger chunks. Nothing may be lost on the
// way and nothing invented.
#include <doctest/doctest.h>

#include <set>
#include <span>
#include <stoa/stoa.hpp>
#include <string>
#include <vector>

#include "support/build_kind.hpp"
#include "support/matches.hpp"
#include "support/random.hpp"

using namespace stoa;
using stoa_test::collected;
using stoa_test::Entities;
using stoa_test::sorted;

namespace {

struct Number {
    int value = 0;
};
struct Name {
    std::string text;
};
struct Tag {};

using Watcher = Query<Changed<Number>>;

constexpr std::size_t many = 10'000;  // more than two chunks

Entities spawn_numbers(World& world, std::size_t count) {
    Entities ids(count);
    world.spawn_many(std::span{ids}, Number{});
    return ids;
}

void touch(World& world, const Entities& ids) {
    for (const Entity e : ids) world.get<Number>(e).value += 1;
}

}  // namespace

TEST_CASE("changed and unchanged rows keep what they are when other components come and go") {
    World world;
    const Entities ids = spawn_numbers(world, 100);
    Watcher changed = world.query<Changed<Number>>();
    collected(changed);
    const Entities touched = {ids[3], ids[40], ids[41], ids[99]};
    touch(world, touched);
    for (std::size_t i = 0; i < ids.size(); i += 3) world.set(ids[i], Name{std::string(40, 'x')});
    for (std::size_t i = 0; i < ids.size(); i += 4) world.add<Tag>(ids[i]);
    CHECK(changed.count() == touched.size());
    for (std::size_t i = 0; i < ids.size(); i += 6) world.remove<Name>(ids[i]);
    for (std::size_t i = 0; i < ids.size(); i += 8) world.remove<Tag>(ids[i]);
    world.check();
    CHECK(collected(changed) == touched);
    for (const Entity e : ids) world.remove<Name, Tag>(e);
    CHECK(collected(changed).empty());
    for (const Entity e : ids) world.set(e, Name{"new"});
    CHECK(collected(changed).empty());
    touch(world, {ids[7]});
    CHECK(collected(changed) == Entities{ids[7]});
}

TEST_CASE("a changed row that fills a hole in another chunk is seen there, and only it") {
    World world;
    const Entities ids = spawn_numbers(world, many);
    Watcher changed = world.query<Changed<Number>>();
    collected(changed);

    touch(world, {ids[many - 1]});
    world.despawn(ids[5]);  // the last row moves to the first chunk
    CHECK(collected(changed) == Entities{ids[many - 1]});
    CHECK(collected(changed).empty());

    touch(world, {ids[6]});
    world.despawn(ids[7]);  // an unchanged row moves to a chunk with a change
    CHECK(collected(changed) == Entities{ids[6]});

    touch(world, {ids[8], ids[9]});
    world.despawn(ids[8]);  // an unchanged row takes the place of a changed one
    CHECK(collected(changed) == Entities{ids[9]});

    touch(world, {ids[10]});
    world.add<Tag>(ids[10]);  // the changed row leaves, an unchanged one takes its place
    CHECK(collected(changed) == Entities{ids[10]});
    world.check();
}

TEST_CASE("an old change does not come back when its row is moved after it was seen") {
    World world;
    const Entities ids = spawn_numbers(world, many);
    Watcher changed = world.query<Changed<Number>>();
    collected(changed);
    touch(world, {ids[many - 1], ids[100]});
    CHECK(collected(changed).size() == 2);
    world.despawn(ids[0]);
    world.add<Tag>(ids[100]);
    world.remove<Tag>(ids[100]);
    touch(world, {ids[200]});
    CHECK(collected(changed) == Entities{ids[200]});
}

TEST_CASE("growth of the first chunk and new chunks keep changes in their rows") {
    World world;
    Watcher changed = world.query<Changed<Number>>();
    Entities ids;
    for (std::size_t i = 0; i < 6000; ++i) {
        ids.push_back(world.spawn(Number{}));
        if (i % 64 != 7 && i != 8 && i != 16 && i != 4096) continue;
        // What is new since the last time, and one old row.
        touch(world, {ids[i / 2]});
        Entities seen = collected(changed);
        REQUIRE(std::binary_search(seen.begin(), seen.end(), ids[i]));
        REQUIRE(std::binary_search(seen.begin(), seen.end(), ids[i / 2]));
        REQUIRE(collected(changed).empty());
        touch(world, {ids[i / 3]});
        ids.push_back(world.spawn(Number{}));
        REQUIRE(collected(changed) == sorted({ids[i / 3], ids.back()}));
        ++i;
    }
    world.check();
}

TEST_CASE("giving memory back keeps changes") {
    World world;
    const Entities ids = spawn_numbers(world, many);
    Watcher changed = world.query<Changed<Number>>();
    collected(changed);
    touch(world, {ids[1], ids[9000]});
    for (std::size_t i = 2; i < 9000; ++i) world.despawn(ids[i]);
    world.shrink_to_fit();
    world.check();
    CHECK(changed.count() == 2);
    CHECK(collected(changed) == Entities{ids[1], ids[9000]});
    touch(world, {ids[9500]});
    for (const Entity e : {ids[0], ids[9500]}) world.add<Tag>(e);
    world.shrink_to_fit();
    CHECK(collected(changed) == Entities{ids[9500]});
    world.despawn(ids[0]);
    world.despawn(ids[9500]);
    world.shrink_to_fit();  // frees the table with the tag
    touch(world, {ids[9501]});
    world.add<Tag>(ids[9501]);
    CHECK(collected(changed) == Entities{ids[9501]});
    world.check();
}

TEST_CASE("after clear only what is new is changed") {
    World world;
    Entities ids = spawn_numbers(world, 5000);
    Watcher changed = world.query<Changed<Number>>();
    collected(changed);
    touch(world, ids);
    world.clear();
    CHECK(changed.count() == 0);
    CHECK(collected(changed).empty());
    ids = spawn_numbers(world, 10);
    CHECK(collected(changed) == sorted(ids));
    CHECK(collected(changed).empty());
    touch(world, {ids[4]});
    CHECK(collected(changed) == Entities{ids[4]});
    world.check();
}

TEST_CASE("several Changed terms must all hold, and go with other terms") {
    World world;
    Entities ids;
    for (int i = 0; i < 30; ++i) {
        ids.push_back(world.spawn(Number{i}, Name{"n"}));
        if (i % 2 == 0) world.add<Tag>(ids.back());
    }
    auto both = world.query<Changed<Number>, Changed<Name>>();
    auto tagged = world.query<const Number, Changed<Name>, Tag>();
    auto bare = world.query<Changed<Number>, Without<Tag>>();
    CHECK(both.count() == 30);
    collected(both);
    collected(tagged);
    collected(bare);
    touch(world, {ids[2], ids[3], ids[4]});
    for (const std::size_t i : {3u, 4u, 5u, 6u}) world.get<Name>(ids[i]).text = std::string("m");
    CHECK(collected(both) == Entities{ids[3], ids[4]});
    CHECK(collected(tagged) == Entities{ids[4], ids[6]});
    CHECK(collected(bare) == Entities{ids[3]});
    world.get<Name>(ids[2]).text = std::string("late");  // the number of this one changed before the last walk
    CHECK(collected(both).empty());
}

TEST_CASE("scattered changes among 100,000 rows are found exactly") {
    stoa_test::Random random(2024);
    World world;
    const std::size_t rows = stoa_test::by_build(100'000, 100'000, 30'000);
    Entities ids = spawn_numbers(world, rows);
    Watcher changed = world.query<Changed<Number>>();
    CHECK(collected(changed).size() == rows);
    for (int round = 0; round < 20; ++round) {
        CAPTURE(round);
        std::set<Entity> expected;
        const std::uint32_t writes = round % 5 == 4 ? 0 : random.between(1, 2000);
        for (std::uint32_t i = 0; i < writes; ++i) {
            const Entity e = ids[random.below(static_cast<std::uint32_t>(ids.size()))];
            world.get<Number>(e).value += 1;
            expected.insert(e);
        }
        for (std::uint32_t i = 0; i < 300; ++i) {
            const std::size_t at = random.below(static_cast<std::uint32_t>(ids.size()));
            if (random.one_in(3)) {
                expected.erase(ids[at]);
                world.despawn(ids[at]);
                ids[at] = ids.back();
                ids.pop_back();
            } else if (!world.remove<Tag>(ids[at])) {
                world.add<Tag>(ids[at]);
            }
        }
        REQUIRE(changed.count() == expected.size());
        REQUIRE(collected(changed) == Entities(expected.begin(), expected.end()));
        REQUIRE(changed.empty());
    }
    world.check();
}
