// Every way to walk, and the questions of a query.
#include <doctest/doctest.h>

#include <algorithm>
#include <span>
#include <stoa/stoa.hpp>
#include <vector>

using namespace stoa;

namespace {

struct Number {
    int value = 0;
};
struct Even {};
struct Rare {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Wide {
    double data[7] = {};
};

// Numbers 0 to count - 1; even ones are in a table of their own.
std::vector<Entity> fill(World& world, int count) {
    std::vector<Entity> ids;
    for (int i = 0; i < count; ++i) ids.push_back(i % 2 == 0 ? world.spawn(Number{i}, Even{}) : world.spawn(Number{i}));
    return ids;
}

}  // namespace

TEST_CASE("each hands out an id, a ref, or components alone") {
    World world;
    const auto ids = fill(world, 10);
    int sum = 0;
    auto query = world.query<const Number>();
    query.each([&](const Number& n) { sum += n.value; });
    query.each([&](Entity e, const Number& n) { CHECK(ids[static_cast<std::size_t>(n.value)] == e); });
    query.each([&](EntityRef ref, const Number& n) { CHECK(ref.get<const Number>().value == n.value); });
    CHECK(sum == 45);
}

TEST_CASE("tables are walked in order of creation and rows in order") {
    World world;
    fill(world, 10);
    std::vector<int> order;
    world.query<const Number>().each([&](const Number& n) { order.push_back(n.value); });
    CHECK(order == std::vector{0, 2, 4, 6, 8, 1, 3, 5, 7, 9});
    order.clear();
    world.query<const Number>().reversed().each([&](const Number& n) { order.push_back(n.value); });
    CHECK(order == std::vector{9, 7, 5, 3, 1, 8, 6, 4, 2, 0});
    order.clear();
    world.query<const Number>().ordered().each([&](const Number& n) { order.push_back(n.value); });
    CHECK(order == std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("a walk that is driven by a small sparse set has the order of the tables") {
    World world;
    const auto ids = fill(world, 200);
    for (const std::size_t i : {199u, 0u, 131u, 64u, 7u, 198u, 1u}) world.add<Rare>(ids[i]);
    std::vector<int> order;
    world.query<const Number, const Rare>().each([&](const Number& n, const Rare&) { order.push_back(n.value); });
    CHECK(order == std::vector{0, 64, 198, 1, 7, 131, 199});
}

TEST_CASE("orders compose: what is reversed is the order so far") {
    World world;
    fill(world, 10);
    const auto query = world.query<const Number>();
    const auto walked = [](const auto& from) {
        std::vector<int> order;
        from.each([&](const Number& n) { order.push_back(n.value); });
        return order;
    };
    CHECK(walked(query.ordered().reversed()) == std::vector{9, 8, 7, 6, 5, 4, 3, 2, 1, 0});
    CHECK(walked(query.reversed().reversed()) == walked(query));
    CHECK(walked(query.ordered().reversed().reversed()) == walked(query.ordered()));
    CHECK(walked(query.reversed().ordered()) == walked(query.ordered()));
    CHECK(world.get<const Number>(query.ordered().reversed().first()).value == 9);

    std::vector<std::size_t> tables;
    query.each_table([&](auto& rows) { tables.push_back(rows.entity(0).index()); });
    std::vector<std::size_t> backwards;
    query.reversed().each_table([&](auto& rows) { backwards.push_back(rows.entity(0).index()); });
    std::reverse(backwards.begin(), backwards.end());
    CHECK(tables.size() == 2);
    CHECK(backwards == tables);
}

TEST_CASE("a generic callback is only made for what it is called with") {
    World world;
    fill(world, 3);
    int seen = 0;
    world.query<const Number>().each([&](auto& n) {
        static_assert(std::is_same_v<decltype(n), const Number&>);
        seen += n.value;
    });
    CHECK(seen == 3);
}

TEST_CASE("whether a query is active cannot be told when its world is gone") {
    const auto query = [] {
        World world;
        return world.query<Number>();
    }();
    CHECK_THROWS_AS(static_cast<void>(query.active()), Error);
}

TEST_CASE("each_chunk covers every row once, with and without ids") {
    World world;
    fill(world, 20000);
    std::size_t rows = 0;
    world.query<Number>().each_chunk([&](std::span<const Entity> ids, std::span<Number> numbers) {
        REQUIRE(ids.size() == numbers.size());
        rows += ids.size();
        for (Number& n : numbers) n.value += 1;
    });
    CHECK(rows == 20000);
    long sum = 0;
    world.query<const Number>().each_chunk([&](std::span<const Number> numbers) {
        for (const Number& n : numbers) sum += n.value;
    });
    CHECK(sum == 20000L * 20001 / 2);
}

TEST_CASE("a range-for binds the id and what the terms give") {
    World world;
    fill(world, 9000);
    std::size_t count = 0;
    for (auto [entity, number] : world.query<Number>()) {
        number.value *= 2;
        count += world.alive(entity);
    }
    CHECK(count == 9000);
    for (auto [entity] : world.query<Even>()) count += static_cast<bool>(entity);
    CHECK(count == 13500);
    CHECK(world.get<const Number>(world.query<>().ordered().first()).value == 0);
}

TEST_CASE("each_until stops everywhere") {
    World world;
    fill(world, 10);
    int calls = 0;
    CHECK(world.query<const Number>().each_until([&](const Number& n) { return ++calls, n.value == 4; }));
    CHECK(calls == 3);
    CHECK_FALSE(world.query<const Number>().each_until([](Entity, const Number&) { return false; }));
}

TEST_CASE("fetch runs only for an entity that matches") {
    World world;
    const auto ids = fill(world, 4);
    auto evens = world.query<Number, Even>();
    CHECK(evens.fetch(ids[2], [](Number& n) { n.value = 20; }));
    CHECK(world.get<const Number>(ids[2]).value == 20);
    CHECK_FALSE(evens.fetch(ids[1], [](Number&) { FAIL("does not match"); }));
    CHECK_FALSE(evens.fetch(Entity{}, [](Number&) { FAIL("is null"); }));
}

TEST_CASE("count, empty, contains, first, single and collect answer") {
    World world;
    auto query = world.query<const Wide>();
    CHECK(query.empty());
    CHECK(query.count() == 0);
    CHECK_FALSE(query.first());
    CHECK_THROWS_AS(query.single(), Error);
    const Entity one = world.spawn(Wide{});
    CHECK(query.single() == one);
    CHECK(query.contains(one));
    world.spawn(Wide{}, Number{});
    CHECK_FALSE(query.empty());
    CHECK(query.first() == one);
    try {
        query.single();
        FAIL("two match");
    } catch (const Error& error) {
        CHECK(error.code() == Errc::not_single);
    }
    std::vector<Entity> out{Entity{}};
    query.collect(out);
    CHECK(out.size() == 3);
}

TEST_CASE("each_table lets structure change and visits every entity once with the decrement idiom") {
    World world;
    fill(world, 100);
    int visits = 0;
    world.query<const Number, Without<Wide>>().each_table([&](auto& rows) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            ++visits;
            CHECK(rows.template find<Wide>(i) == nullptr);
            CHECK(rows.template get<const Number>(i).value >= 0);
            world.add<Wide>(rows.entity(i));
            --i;
        }
    });
    CHECK(visits == 100);
    CHECK(world.query<const Wide>().count() == 100);
    world.check();
}

TEST_CASE("past the end of the rows of a table there is nothing") {
    World world;
    world.spawn(Number{1});
    world.query<const Number>().each_table([&](auto& rows) {
        CHECK_FALSE(rows.entity(1));
        CHECK(rows.template find<Number>(7) == nullptr);
        CHECK_THROWS_AS(rows.template get<Number>(7), Error);
    });
}

TEST_CASE("changes to all matches say how many they changed") {
    World world;
    fill(world, 10);
    auto evens = world.query<Even>();
    CHECK(evens.add_all<Wide>() == 5);
    CHECK(evens.add_all<Wide>() == 0);
    CHECK(evens.set_all(Number{7}) == 5);
    CHECK(evens.remove_all<Wide>() == 5);
    CHECK(evens.despawn_all() == 5);
    CHECK(world.size() == 5);
    world.check();
}
