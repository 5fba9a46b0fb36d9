// The lists of tables that queries walk: cheap to keep when there are many queries and many tables, short when tables
// are empty, and in order of creation again when they fill. Reaches below the typed interface, to make many queries and
// to see the lists.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <stoa/stoa.hpp>
#include <utility>
#include <vector>

#include "support/fault_allocator.hpp"

using namespace stoa;
using detail::Alternative;
using detail::Store;

namespace {

template <std::size_t I>
struct Tag {};
struct Number {
    int value = 0;
};

constexpr std::size_t tags = 14;

struct TagVerbs {
    detail::TypeHandle* slot;
    bool (*add)(Store&, Entity);
    bool (*remove)(Store&, Entity);
};
template <std::size_t... Is>
std::array<TagVerbs, tags> make_verbs(std::index_sequence<Is...>) {
    return {{{&detail::type_handle<Tag<Is>>, &detail::add<Tag<Is>>, &detail::remove<Tag<Is>>}...}};
}
const std::array<TagVerbs, tags> verbs = make_verbs(std::make_index_sequence<tags>{});

// Takes one entity through `count` sets of tags, no two of them equal, one step each: the order of a Gray code.
Entity visit_sets(Store& store, std::uint32_t count) {
    const Entity e = detail::spawn<>(store);
    for (std::uint32_t step = 1; step <= count; ++step) {
        const auto tag = static_cast<std::size_t>(__builtin_ctz(step));
        if (((step ^ (step >> 1)) >> tag & 1) != 0) {
            verbs[tag].add(store, e);
        } else {
            verbs[tag].remove(store, e);
        }
    }
    return e;
}

// Queries at run time: one for each set of four of the tags, until there are enough.
struct ManyQueries {
    std::deque<std::array<Alternative, 4>> specs;
    std::deque<detail::TermList> lists;

    explicit ManyQueries(std::size_t count) {
        for (std::uint32_t mask = 0; lists.size() < count && mask < 1u << tags; ++mask) {
            if (__builtin_popcount(mask) != 4) continue;
            auto& four = specs.emplace_back();
            std::uint32_t condition = 0;
            for (std::size_t i = 0; i < tags; ++i) {
                if ((mask >> i & 1) == 0) continue;
                four[condition] = {verbs[i].slot, condition};
                ++condition;
            }
            lists.push_back({four.data(), 4, {}});
        }
    }
    void begin(Store& store) {
        for (detail::TermList& list : lists) static_cast<void>(detail::query_state(store, list));
    }
};

std::size_t listed(Store& store) {
    return detail::query_state(store, detail::TermListOf<const Number>::list).tables().size();
}

std::vector<int> values(const Query<const Number>& query) {
    std::vector<int> found;
    query.each([&](const Number& n) { found.push_back(n.value); });
    return found;
}

// Entity i has number i and is alone in its table.
std::vector<Entity> one_a_table(Store& store, std::size_t count) {
    std::vector<Entity> ids;
    for (std::size_t i = 0; i < count; ++i) {
        ids.push_back(detail::spawn<Number>(store, Number{static_cast<int>(i)}));
        for (std::size_t tag = 0; tag < tags; ++tag) {
            if ((i >> tag & 1) != 0) verbs[tag].add(store, ids.back());
        }
    }
    return ids;
}

}  // namespace

// What it costs is counted in tests/instructions.
TEST_CASE("10,000 tables are told to those of 1,000 queries that they match") {
    constexpr std::uint32_t tables = 10'000;
    ManyQueries queries(1000);
    REQUIRE(queries.lists.size() == 1000);
    Store store(WorldOptions{});
    queries.begin(store);
    REQUIRE(detail::query_count(store) == 1000);
    const Entity e = visit_sets(store, tables);
    REQUIRE(store.tables().size() >= tables);
    // The entity has ended in one of the tables; each query finds it there, or rightly not.
    for (detail::TermList& list : queries.lists) {
        bool has_all = true;
        for (const Alternative& only : std::span(list.alternatives, list.count)) {
            has_all &= store.locate(e).chunk->table().has(store.id_of(*only.type));
        }
        std::size_t rows = 0;
        for (const detail::Table* table : detail::query_state(store, list).tables()) rows += table->row_count();
        REQUIRE(rows == (has_all ? 1 : 0));
    }
}

TEST_CASE("tables that stay empty leave the list of a query, and come back in order of creation") {
    Store store(WorldOptions{});
    const std::vector<Entity> ids = one_a_table(store, 200);
    const auto query = stoa::detail::QueryAccess::make<Query<const Number>>(store);
    const std::size_t all = listed(store);
    CHECK(all >= 200);
    std::vector<int> expected;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (i % 50 == 0) {
            expected.push_back(static_cast<int>(i));
        } else {
            store.despawn(ids[i]);
        }
    }
    CHECK(query.count() == 4);
    for (int walk = 0; walk < 1000; ++walk) REQUIRE(values(query) == expected);
    CHECK(listed(store) <= 20);
    const auto late =
        stoa::detail::QueryAccess::make<Query<const Number, Without<double>>>(store);  // made while most tables sleep
    CHECK(late.count() == 4);

    // The last made first: they must stand where they stood.
    for (std::size_t i = ids.size(); i-- > 0;) {
        if (i % 10 != 3) continue;
        const Entity e = detail::spawn<Number>(store, Number{static_cast<int>(i)});
        for (std::size_t tag = 0; tag < tags; ++tag) {
            if ((i >> tag & 1) != 0) verbs[tag].add(store, e);
        }
        expected.push_back(static_cast<int>(i));
    }
    CHECK(query.count() == expected.size());
    const std::vector<int> found = values(query);
    std::vector<std::uint32_t> serials;
    query.each([&](Entity e, const Number&) { serials.push_back(store.locate(e).chunk->table().serial()); });
    CHECK(std::is_sorted(serials.begin(), serials.end()));
    std::vector<int> sorted = found;
    std::sort(sorted.begin(), sorted.end());
    std::sort(expected.begin(), expected.end());
    CHECK(sorted == expected);
    CHECK(late.count() == expected.size());
    std::size_t rows = 0;
    late.each([&](const Number&) { ++rows; });
    CHECK(rows == expected.size());
    check(store);
}

TEST_CASE("a table that was empty during a thousand walks is seen by the very next one") {
    Store store(WorldOptions{});
    const std::vector<Entity> ids = one_a_table(store, 100);
    const auto query = stoa::detail::QueryAccess::make<Query<const Number>>(store);
    for (const Entity e : ids) store.despawn(e);
    for (int walk = 0; walk < 1000; ++walk) REQUIRE(query.empty());
    for (int round = 0; round < 50; ++round) {
        const Entity e = detail::spawn<Number>(store, Number{round});
        verbs[static_cast<std::size_t>(round) % 6].add(store, e);
        REQUIRE(query.count() == 1);
        REQUIRE(query.first() == e);
        REQUIRE(query.contains(e));
        REQUIRE(values(query) == std::vector{round});
        std::size_t tables = 0;
        query.each_table([&](TableRows& rows) { tables += rows.size() == 1 && rows.entity(0) == e; });
        REQUIRE(tables == 1);
        if (round % 7 == 0) shrink_to_fit(store);
        store.despawn(e);
        REQUIRE(query.empty());
    }
    check(store);
}

TEST_CASE("a table that is filled during an unlocked walk is not visited twice, one that is emptied not at all") {
    Store store(WorldOptions{});
    const std::vector<Entity> ids = one_a_table(store, 8);
    const auto query = stoa::detail::QueryAccess::make<Query<const Number>>(store);
    for (int walk = 0; walk < 200; ++walk) REQUIRE(query.count() == 8);
    std::vector<Entity> visited;
    query.each_table([&](TableRows& rows) {
        REQUIRE(rows.size() == 1);
        visited.push_back(rows.entity(0));
        if (visited.size() == 1) store.despawn(ids[5]);
    });
    CHECK(visited.size() == 7);
    CHECK(std::find(visited.begin(), visited.end(), ids[5]) == visited.end());
    CHECK(query.count() == 7);
}

TEST_CASE("entities that go to and fro between tables allocate nothing, whoever walks") {
    Store store(WorldOptions{});
    const std::vector<Entity> ids = one_a_table(store, 64);
    const auto all = stoa::detail::QueryAccess::make<Query<const Number>>(store);
    const auto bare = stoa::detail::QueryAccess::make<Query<const Number, Without<Tag<0>>>>(store);
    const auto tagged = stoa::detail::QueryAccess::make<Query<Number, Tag<1>>>(store);
    int sum = 0;
    const auto toggle = [&] {
        // Each entity leaves its table empty, and fills one that another has left.
        for (const Entity e : ids) {
            if (!verbs[7].remove(store, e)) verbs[7].add(store, e);
        }
        all.each([&](const Number& n) { sum += n.value; });
        bare.each([&](const Number& n) { sum -= n.value; });
        tagged.each([&](Number& n) { n.value ^= 1; });
        sum += static_cast<int>(all.count());
    };
    for (int i = 0; i < 300; ++i) toggle();
    const std::uint64_t before = stoa_test::allocations_of_thread();
    for (int i = 0; i < 300; ++i) toggle();
    CHECK(stoa_test::allocations_of_thread() == before);
    CHECK(sum != 0);
    check(store);
}
