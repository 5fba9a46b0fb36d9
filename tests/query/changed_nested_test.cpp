// Change tracking in the middle of other walks: walks inside walks, tracking that is switched on late, also from inside
// a walk, and the runs that each_chunk hands out.
#include <doctest/doctest.h>

#include <span>
#include <stoa/stoa.hpp>
#include <utility>
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
struct Sparse {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};

using Watcher = Query<Changed<Number>>;

Entities spawn_numbers(World& world, std::size_t count) {
    Entities ids(count);
    world.spawn_many(std::span{ids}, Number{});
    return ids;
}

// True when `seen` has all that `needed` has.
bool has_all(const Entities& seen, const Entities& needed) {
    return std::all_of(needed.begin(), needed.end(),
                       [&](Entity e) { return std::binary_search(seen.begin(), seen.end(), e); });
}

// Walks `outer`, which must hand out every number for writing in order of the ids, and looks through `inner` when it
// comes to the one at `stop`. What is handed out after that must be seen by the next look. What the same run handed out
// before may be seen once more.
template <class Outer>
void look_during(Watcher& inner, const Entities& ids, std::size_t stop, Outer&& outer) {
    collected(inner);
    Entities during;
    outer([&](Entity e) {
        if (e == ids[stop]) during = collected(inner);
    });
    CHECK(during.size() >= stop + 1);
    for (std::size_t i = 0; i <= stop; ++i) CHECK(std::binary_search(during.begin(), during.end(), ids[i]));
    CHECK(has_all(collected(inner), Entities(ids.begin() + static_cast<std::ptrdiff_t>(stop) + 1, ids.end())));
    CHECK(collected(inner).empty());
}

}  // namespace

TEST_CASE("what an outer walk hands out after an inner walk is seen by the next inner walk") {
    for (const std::size_t rows : {std::size_t{5}, std::size_t{9000}}) {
        CAPTURE(rows);
        World world;
        const Entities ids = spawn_numbers(world, rows);
        Watcher inner = world.query<Changed<Number>>();
        auto numbers = world.query<Number>();
        for (const std::size_t stop : {std::size_t{0}, std::size_t{2}, rows / 2, rows - 1}) {
            CAPTURE(stop);
            look_during(inner, ids, stop, [&](auto&& at) {
                numbers.each([&](Entity e, Number& n) {
                    at(e);
                    if (e != ids[stop]) n.value += 1;
                });
            });
            look_during(inner, ids, stop, [&](auto&& at) {
                numbers.each_until([&](Entity e, Number& n) {
                    at(e);
                    if (e != ids[stop]) n.value += 1;
                    return false;
                });
            });
            look_during(inner, ids, stop, [&](auto&& at) {
                for (auto [e, n] : numbers) {
                    at(e);
                    if (e != ids[stop]) n.value += 1;
                }
            });
            look_during(inner, ids, stop, [&](auto&& at) {
                world.table<Number>().each([&](Entity e, Number& n) {
                    at(e);
                    if (e != ids[stop]) n.value += 1;
                });
            });
        }
        world.check();
    }
}

TEST_CASE("chunks that an outer each_chunk hands out after an inner walk are seen by the next inner walk") {
    World world;
    const Entities ids = spawn_numbers(world, 20'000);
    Watcher inner = world.query<Changed<Number>>();
    collected(inner);
    std::size_t first_chunk = 0;
    Entities during;
    world.query<Number>().each_chunk([&](std::span<const Entity> rows, std::span<Number>) {
        if (first_chunk != 0) return;
        first_chunk = rows.size();
        during = collected(inner);
    });
    REQUIRE(first_chunk < ids.size());
    CHECK(during.size() >= first_chunk);
    const Entities after = collected(inner);
    CHECK(after.size() >= ids.size() - first_chunk);
    for (std::size_t i = first_chunk; i < ids.size(); ++i)
        REQUIRE(std::binary_search(after.begin(), after.end(), ids[i]));
}

TEST_CASE("a Mut that writes after an inner walk is seen by the next inner walk") {
    World world;
    const Entities ids = spawn_numbers(world, 100);
    Watcher inner = world.query<Changed<Number>>();
    collected(inner);
    world.query<Mut<Number>>().each([&](Entity e, Mut<Number> n) {
        if (e == ids[10]) n.write().value = 1;
        if (e == ids[50]) CHECK(collected(inner) == Entities{ids[10]});
        if (e == ids[60]) n.write().value = 1;
    });
    CHECK(collected(inner) == Entities{ids[60]});
    CHECK(collected(inner).empty());
}

TEST_CASE("walks of two handles with Changed can stand inside each other") {
    World world;
    const Entities ids = spawn_numbers(world, 10);
    auto outer = world.query<const Number, Changed<Number>>();
    Watcher inner = world.query<Changed<Number>>();
    int pairs = 0;
    outer.each([&](const Number&) { inner.each([&](Entity) { ++pairs; }); });
    CHECK(pairs == 10);  // only the first inner walk finds something
    world.get<Number>(ids[3]).value = 1;
    world.get<Number>(ids[4]).value = 1;
    Entities seen;
    for (auto [e, n] : outer) {
        seen.push_back(e);
        CHECK(inner.count() == 2);
    }
    CHECK(seen == Entities{ids[3], ids[4]});
    CHECK(collected(inner) == Entities{ids[3], ids[4]});
    CHECK((outer.empty() && inner.empty()));
}

TEST_CASE("tracking that begins late is exact from its first walk on") {
    World world;
    Entities ids = spawn_numbers(world, 9000);
    world.query<Number>().each([](Number& n) { n.value = 1; });
    for (const std::size_t i : {0u, 17u, 4100u}) world.get<Number>(ids[i]).value = 2;
    world.despawn(ids[8999]);
    ids.pop_back();
    Watcher changed = world.query<Changed<Number>>();
    world.get<Number>(ids[3]).value = 3;
    CHECK(changed.count() == ids.size());
    CHECK(collected(changed) == sorted(ids));
    CHECK(collected(changed).empty());
    world.get<Number>(ids[4]).value = 3;
    Watcher second = world.query<Changed<Number>>();
    CHECK(collected(changed) == Entities{ids[4]});
    CHECK(second.count() == ids.size());
    world.check();
}

TEST_CASE("a query with Changed can be made during a walk, and what the walk hands out later is seen") {
    for (const bool by_chunk : {false, true}) {
        CAPTURE(by_chunk);
        World world;
        const Entities ids = spawn_numbers(world, 9000);
        auto made = world.query<Number>();
        std::vector<Watcher> late;
        std::size_t known = 0;  // handed out when the query was made
        const auto begin = [&](std::size_t handed_out) {
            if (!late.empty()) return;
            late.push_back(world.query<Changed<Number>>());
            CHECK(collected(late.front()).size() == ids.size());
            known = handed_out;
        };
        if (by_chunk) {
            made.each_chunk([&](std::span<Number> numbers) {
                for (Number& n : numbers) n.value = 1;
                begin(numbers.size());
            });
        } else {
            made.each([&](Number& n) {
                n.value = 1;
                begin(1);
            });
        }
        const Entities seen = collected(late.front());
        for (std::size_t i = known; i < ids.size(); ++i) REQUIRE(std::binary_search(seen.begin(), seen.end(), ids[i]));
        CHECK(collected(late.front()).empty());
        world.get<Number>(ids[77]).value = 2;
        CHECK(collected(late.front()) == Entities{ids[77]});
        for (const Entity e : ids) REQUIRE(world.get<const Number>(e).value >= 1);
        world.check();
    }
}

TEST_CASE("each_chunk hands out the runs of rows that pass") {
    World world;
    const Entities ids = spawn_numbers(world, 9000);
    auto query = world.query<Number, Changed<Number>>();
    collected(query);
    const auto touch = [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) world.get<Number>(ids[i]).value = 7;
    };
    touch(10, 10);
    touch(100, 1);
    touch(8000, 3);
    std::vector<std::pair<Entity, std::size_t>> runs;
    query.each_chunk([&](std::span<const Entity> entities, std::span<Number> numbers) {
        REQUIRE(entities.size() == numbers.size());
        REQUIRE(!entities.empty());
        runs.emplace_back(entities.front(), entities.size());
        for (std::size_t i = 0; i < entities.size(); ++i) {
            REQUIRE(&world.get<const Number>(entities[i]) == &numbers[i]);
            REQUIRE(numbers[i].value == 7);
        }
    });
    CHECK(runs == std::vector<std::pair<Entity, std::size_t>>{{ids[10], 10}, {ids[100], 1}, {ids[8000], 3}});
    CHECK(query.empty());

    // All rows pass: whole chunks, as without the term.
    world.query<Number>().each([](Number& n) { n.value = 8; });
    std::size_t rows = 0;
    std::size_t calls = 0;
    query.each_chunk([&](std::span<Number> numbers) { rows += numbers.size(), ++calls; });
    CHECK(rows == ids.size());
    CHECK(calls <= 1 + ids.size() / 1024);
}

TEST_CASE("each_chunk with a sparse term and Changed covers the rows that pass both") {
    World world;
    const Entities ids = spawn_numbers(world, 200);
    for (std::size_t i = 0; i < ids.size(); i += 3) world.set(ids[i], Sparse{1});
    auto query = world.query<const Number, const Sparse, Changed<Number>>();
    collected(query);
    for (std::size_t i = 0; i < 30; ++i) world.get<Number>(ids[i]).value = 1;
    Entities seen;
    query.each_chunk(
        [&](std::span<const Entity> entities, std::span<const Number> numbers, std::span<const Sparse> values) {
            REQUIRE((entities.size() == numbers.size() && entities.size() == values.size()));
            seen.insert(seen.end(), entities.begin(), entities.end());
        });
    Entities expected;
    for (std::size_t i = 0; i < 30; i += 3) expected.push_back(ids[i]);
    CHECK(sorted(seen) == expected);
}

TEST_CASE("a walk over changes sees all of them, however often others look for changes inside it") {
    World world;
    const Entities ids = spawn_numbers(world, 9000);
    Watcher outer = world.query<Changed<Number>>();
    Watcher inner = world.query<Changed<Number>>();
    collected(outer);
    collected(inner);
    Entities touched;
    for (std::size_t i = 100; i < ids.size(); i += 500) touched.push_back(ids[i]);
    for (const Entity e : touched) ++world.get<Number>(e).value;
    Entities seen;
    outer.each([&](Entity e) {
        seen.push_back(e);
        // So that the inner walks have something to look for in each chunk.
        for (int i = 0; i < 4; ++i) {
            for (const std::size_t other : {std::size_t{0}, std::size_t{5000}}) ++world.get<Number>(ids[other]).value;
            collected(inner);
        }
    });
    CHECK(has_all(sorted(seen), sorted(touched)));
}

TEST_CASE("what a callback writes after a walk over changes is seen later, also when it ends by an exception") {
    World world;
    const Entities ids = spawn_numbers(world, 10);
    Watcher changed = world.query<Changed<Number>>();
    collected(changed);
    const auto write = [&](Number& number) {
        number.value = 1;
        collected(changed);
        number.value = 2;
        throw 1;
    };
    CHECK_THROWS_AS(world.query<Number>().each(write), int);
    CHECK(has_all(sorted(collected(changed)), {ids[0]}));
    CHECK_THROWS_AS(world.query<Number>().each_chunk([&](std::span<Number> numbers) { write(numbers[0]); }), int);
    CHECK(has_all(sorted(collected(changed)), {ids[0]}));
    CHECK_THROWS_AS(world.query<Number>().fetch(ids[3], write), int);
    CHECK(has_all(sorted(collected(changed)), {ids[3]}));
}
