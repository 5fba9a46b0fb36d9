// Queries, filtered queries and caches as ranges: the concepts of <ranges>, algorithms, views, iterators that are
// moved, and collecting into any container.
#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <list>
#include <numeric>
#include <ranges>
#include <set>
#include <stoa/stoa.hpp>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/thrown.hpp"

using namespace stoa;
using api_test::throws;

namespace {

struct Number {
    int value = 0;
};
struct Even {};
struct Rare {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};

template <class Range>
constexpr bool is_input_range =
    std::ranges::input_range<Range> && std::ranges::input_range<const Range> && !std::ranges::forward_range<Range> &&
    std::is_nothrow_move_constructible_v<std::ranges::iterator_t<Range>> &&
    std::is_nothrow_move_assignable_v<std::ranges::iterator_t<Range>> &&
    !std::is_copy_constructible_v<std::ranges::iterator_t<Range>> && std::ranges::viewable_range<Range&> &&
    std::ranges::viewable_range<Range>;

static_assert(is_input_range<Query<Number>>);
static_assert(is_input_range<Query<const Number, Maybe<Rare>, Without<Even>>>);
static_assert(is_input_range<Query<Mut<Number>, Changed<Number>>>);
static_assert(is_input_range<Query<>>);
static_assert(is_input_range<Filtered<const Number, Rare>>);
static_assert(is_input_range<Cache<Number>>);

// Numbers 0 to count - 1; even ones are in a table of their own, every third one is rare.
void fill(World& world, int count) {
    for (int i = 0; i < count; ++i) {
        const Entity e = i % 2 == 0 ? world.spawn(Number{i}, Even{}) : world.spawn(Number{i});
        if (i % 3 == 0) world.set(e, Rare{i});
    }
}

constexpr auto value_of = [](const auto& row) {
    auto [e, number] = row;
    return number.value;
};
constexpr auto is_odd = [](const auto& row) { return value_of(row) % 2 != 0; };

bool locked(World& world) {
    return throws(Errc::locked, [&] { world.spawn(); });
}

// The values of a range of rows, in order.
template <class Range>
std::vector<int> values(Range&& range) {
    std::vector<int> out;
    for (const auto& row : range) out.push_back(value_of(row));
    return out;
}

// Moves its iterator before each step, by construction and by assignment.
template <class Range>
std::vector<int> values_of_moved(const Range& range) {
    std::vector<int> out;
    auto at = range.begin();
    auto spare = range.begin();
    while (at != range.end()) {
        out.push_back(value_of(*at));
        auto moved = std::move(at);
        moved++;
        spare = std::move(moved);
        at = std::move(spare);
    }
    return out;
}

}  // namespace

TEST_CASE("algorithms of <ranges> take queries") {
    World world;
    fill(world, 100);
    auto query = world.query<Number>();
    const auto found = std::ranges::find_if(query, [](const auto& row) { return value_of(row) == 33; });
    REQUIRE(found != query.end());
    auto [e, number] = *found;
    CHECK(number.value == 33);
    CHECK(world.get<const Number>(e).value == 33);
    CHECK(std::ranges::count_if(query, is_odd) == 50);
    CHECK(std::ranges::any_of(query, is_odd));
    CHECK(std::ranges::find_if(query, [](const auto& row) { return value_of(row) < 0; }) == query.end());
    int sum = 0;
    std::ranges::for_each(query, [&](const auto& row) { sum += value_of(row); });
    CHECK(sum == 4950);
    CHECK(std::ranges::distance(query) == 100);
}

TEST_CASE("views of queries, also of temporary ones, give the rows of a walk, and writes count") {
    World world;
    fill(world, 10);
    auto query = world.query<Number>();
    CHECK(values(query | std::views::filter(is_odd)) == std::vector{1, 3, 5, 7, 9});
    CHECK(values(world.query<Number>() | std::views::take(3)) == std::vector{0, 2, 4});
    CHECK(values(query | std::views::drop_while([](const auto& row) { return !is_odd(row); }) | std::views::take(2)) ==
          std::vector{1, 3});
    std::vector<int> squares;
    for (const int square :
         query | std::views::transform([](const auto& row) { return value_of(row) * value_of(row); }))
        squares.push_back(square);
    CHECK(squares == std::vector{0, 4, 16, 36, 64, 1, 9, 25, 49, 81});

    auto changed = world.query<Changed<Number>>();
    changed.each([] {});
    for (auto row : world.query<Mut<Number>>() | std::views::take(2)) {
        auto [e, number] = row;
        number.write().value = 7;
    }
    CHECK(changed.count() == 2);
    CHECK(!locked(world));
}

TEST_CASE("a walk goes on in an iterator that was moved, with every kind of selection and order") {
    World world;
    fill(world, 300);
    OrderedIndex<&Number::value> by_value{world};
    const auto check = [&](const auto& query) {
        const std::vector<int> expected = values(query);
        CHECK(!expected.empty());
        CHECK(values_of_moved(query) == expected);
        CHECK(!locked(world));
    };
    check(world.query<Number>());
    check(world.query<const Number>().reversed());
    check(world.query<const Number>().ordered());
    check(world.query<const Number, With<Rare>>());
    check(world.query<const Number, Without<Rare>>());
    check(world.query<const Number, With<Rare>>().reversed());
    check(world.query<const Number>().where(by_value >= 250));
    check(world.query<const Number, Without<Rare>>().where(by_value < 100).reversed());
    {
        auto changed = world.query<const Number, Changed<Number>>();
        CHECK(values(changed).size() == 300);
        int turn = 0;
        for (const Entity e : world.query<Even>().cache()) {
            if (++turn % 7 == 0) static_cast<void>(world.find<Number>(e));
        }
        const auto copy = changed;  // with a mark of its own
        const std::vector<int> expected = values(changed);
        CHECK(expected.size() == 21);
        CHECK(values_of_moved(copy) == expected);
    }
}

TEST_CASE("the lock goes with the iterator, and the mark moves when the last one ends") {
    World world;
    fill(world, 10);
    auto query = world.query<const Number, Changed<Number>>();
    {
        auto first = query.begin();
        CHECK(locked(world));
        {
            auto second = std::move(first);
            CHECK(locked(world));
            CHECK(query.count() == 10);  // a walk that has not ended has not seen anything
        }
        CHECK(!locked(world));
        CHECK(query.count() == 0);
    }
    CHECK(!locked(world));
    auto plain = world.query<const Number>();
    auto held = plain.begin();
    held = plain.begin();
    CHECK(locked(world));
    {
        const auto taken = std::move(held);
        CHECK(locked(world));
    }
    CHECK(!locked(world));
}

TEST_CASE("the end of a walk can be moved") {
    World world;
    auto nothing = world.query<const Number, const Rare>();
    auto at = nothing.begin();
    auto end = std::move(at);
    CHECK(end == nothing.end());
    at = std::move(end);
    CHECK(at == nothing.end());
}

TEST_CASE("caches are ranges of entities, and their lists stay as they are while an iterator lives") {
    World world;
    fill(world, 20);
    auto cache = world.query<const Number>().cache([](const Number& a, const Number& b) { return a.value > b.value; });
    const auto small = [&](Entity e) { return world.get<const Number>(e).value < 5; };
    {
        const auto found = std::ranges::find_if(cache, small);
        REQUIRE(found != cache.end());
        CHECK(world.get<const Number>(*found).value == 4);
        CHECK(locked(world));
        world.get<Number>(*found).value = 100;
        CHECK(cache.reversed().begin() != cache.end());
        CHECK(world.get<const Number>(*cache.begin()).value == 19);
    }
    CHECK(!locked(world));
    CHECK(world.get<const Number>(*cache.begin()).value == 100);
    CHECK(std::ranges::count_if(cache, small) == 4);
    int count = 0;
    for (const Entity e : world.query<const Number>().cache() | std::views::filter(small)) count += world.alive(e);
    CHECK(count == 4);
    auto at = cache.begin();
    auto other = cache.reversed().begin();
    other = std::move(at);
    CHECK(world.get<const Number>(*other).value == 100);
}

namespace {

struct Stack {
    std::vector<Entity> all;
    void push_back(Entity e) { all.push_back(e); }
};

}  // namespace

TEST_CASE("collect appends to any container") {
    World world;
    fill(world, 30);
    auto query = world.query<Even>();
    std::vector<Entity> expected;
    query.collect(expected);
    REQUIRE(expected.size() == 15);
    std::deque<Entity> deque;
    std::list<Entity> list;
    std::set<Entity> set;
    std::unordered_set<Entity> hashed;
    std::multiset<Entity> twice;
    Stack stack;
    query.collect(deque);
    query.collect(list);
    query.collect(set);
    query.collect(set);
    query.collect(hashed);
    query.collect(twice);
    query.cache().collect(twice);
    query.where().collect(stack);
    CHECK(std::ranges::equal(deque, expected));
    CHECK(std::ranges::equal(list, expected));
    CHECK(std::ranges::equal(set, expected));
    CHECK(hashed == std::unordered_set<Entity>(expected.begin(), expected.end()));
    CHECK(twice.size() == 30);
    CHECK(stack.all == expected);
}
