// Guards how par_each cuts a walk: every row is in one piece, and no two pieces share a word of change bits, which two
// threads must not write; and what a walk in pieces shares with one in a row. The executor says which job runs; where a
// row stands is asked of each_chunk.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "support/order_executor.hpp"

using namespace stoa;
using support::OrderExecutor;

namespace {

struct Value {
    std::uint64_t number = 0;
};
struct Wide {
    std::byte bytes[700];  // few rows a chunk
};
struct Other {
    int number = 0;
};
struct Loose {
    int number = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};

// Which word of bits the row of each entity is in.
std::unordered_map<std::uint64_t, std::size_t> words_of(World& world) {
    std::unordered_map<std::uint64_t, std::size_t> words;
    std::size_t next = 0;
    world.query<const Value>().each_chunk([&](std::span<const Entity> ids, std::span<const Value>) {
        for (std::size_t row = 0; row < ids.size(); ++row) words[ids[row].bits()] = next + row / 64;
        next += (ids.size() + 63) / 64;
    });
    return words;
}

template <class Handle>
void check_pieces(World& world, OrderExecutor& executor, const Handle& query) {
    const auto words = words_of(world);
    std::unordered_map<std::size_t, std::size_t> job_of;  // of each word
    std::unordered_map<std::uint64_t, int> seen;
    bool twice = false;
    bool shared = false;
    query.par_each(executor, [&](Entity entity, Value& value) {
        twice |= ++seen[entity.bits()] > 1;
        ++value.number;
        shared |= job_of.try_emplace(words.at(entity.bits()), executor.running).first->second != executor.running;
    });
    CHECK_FALSE(shared);
    CHECK_FALSE(twice);
    CHECK(seen.size() == query.count());
}

}  // namespace

TEST_CASE("pieces of a parallel walk share no word of change bits") {
    for (const std::size_t threads : {2u, 3u, 7u}) {
        for (const std::size_t count : {0u, 1u, 64u, 65u, 1000u, 4095u, 5001u, 20000u}) {
            CAPTURE(threads);
            CAPTURE(count);
            World world;
            stoa_test::Random random(count + threads);
            world.spawn_many(count / 2, Value{}, Wide{});
            world.spawn_many(count / 3 + 7, Value{});
            world.spawn_many(count, Value{}, Other{});
            std::vector<Entity> all;
            world.query<const Value>().collect(all);
            // Stretches of entities with and without, and single ones.
            for (std::size_t i = 0; i < all.size(); i += 1 + random.below(40)) {
                for (std::size_t k = i; k < std::min(all.size(), i + random.below(30)); ++k) world.set(all[k], Loose{});
            }
            OrderExecutor executor(OrderExecutor::Order::random, count, threads);
            check_pieces(world, executor, world.query<Value>());
            check_pieces(world, executor, world.query<Value, With<Loose>>());
            check_pieces(world, executor, world.query<Value, Without<Loose>>());
            check_pieces(world, executor, world.query<Value, With<Other>, Without<Loose>>());
            HashIndex<&Other::number> by_number{world};
            std::size_t i = 0;
            world.query<Other>().each([&](Other& other) { other.number = i++ / 20 % 3 == 0; });
            check_pieces(world, executor, world.query<Value>().where(by_number == 0));
            check_pieces(world, executor, world.query<Value, Without<Loose>>().where(by_number == 1));
            if (count >= 1000) CHECK(executor.jobs_run > 4 * threads);
        }
    }
}

TEST_CASE("of several pieces that throw, the first in the order of the walk is reported") {
    World world;
    std::vector<Entity> all(20000);
    world.spawn_many(std::span{all}, Value{});
    for (std::size_t i = 0; i < all.size(); ++i) world.get<Value>(all[i]).number = i;
    for (const auto order : {OrderExecutor::Order::first, OrderExecutor::Order::last, OrderExecutor::Order::random}) {
        OrderExecutor executor(order);
        const auto throwing = [](const Value& value) {
            if (value.number % 1000 == 500) throw value.number;
        };
        std::uint64_t thrown = 0;
        try {
            world.query<const Value>().par_each(executor, throwing);
        } catch (const std::uint64_t number) {
            thrown = number;
        }
        CHECK(executor.jobs_run > 1);
        // Pieces behind one that threw need not run at all.
        CHECK(thrown == 500);
    }
}

TEST_CASE("par_each of a family that is not active calls nobody") {
    World world;
    world.spawn_many(5000, Value{});
    OrderExecutor executor(OrderExecutor::Order::first);
    const auto family = world.query<Value, Needs<Other>>();
    std::size_t called = 0;
    family.par_each(executor, [&](Value&) { ++called; });
    CHECK(called == 0);
    world.set_resource(Other{});
    family.par_each(executor, [&](Value&) { ++called; });
    CHECK(called == 5000);
}

TEST_CASE("what par_each writes inside a system counts as written by that system") {
    World world;
    world.spawn_many(5000, Value{});
    OrderExecutor executor(OrderExecutor::Order::last);
    std::vector<std::size_t> seen;
    int frame = 0;
    Schedule schedule{world};
    schedule.add_phase("phase")
        .add("write",
             [&](Query<Value> values) {
                 if (frame == 1) values.par_each(executor, [](Value& value) { ++value.number; });
             })
        .add("look", [&](Query<const Value, Changed<Value>> changed) {
            std::size_t count = 0;
            changed.each([&](const Value&) { ++count; });
            seen.push_back(count);
        });
    for (; frame < 4; ++frame) schedule.update(1);
    CHECK(executor.jobs_run > 1);
    CHECK(seen == std::vector<std::size_t>{5000, 5000, 0, 0});
}

TEST_CASE("systems after one that takes World& run under the lock again") {
    World world;
    Schedule schedule{world};
    int ran = 0;
    schedule.add_phase("phase")
        .add("alone", [&](World& own) { own.spawn(Value{}), ++ran; })
        .add("after", [&](Query<Value>) {
            CHECK_THROWS_AS(world.spawn(), Error);
            ++ran;
        });
    schedule.update(1);
    CHECK(ran == 2);
    CHECK(world.size() == 1);
}
