// Guards how par_each cuts a walk: every row is in one piece, and no two pieces share a word of change bits, which two
// threads must not write. The executor says which job runs; where a row stands is asked of each_chunk.
#include <stoa/parallel.hpp>
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "support/order_executor.hpp"

using namespace stoa;
using stoa_test::Random;
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

template <class... Terms>
void check_pieces(World& world, OrderExecutor& executor) {
    const auto words = words_of(world);
    std::unordered_map<std::size_t, std::size_t> job_of;  // of each word
    std::size_t seen = 0;
    bool shared = false;
    const auto query = world.query<Value, Terms...>();
    query.par_each(executor, [&](Entity entity, Value& value) {
        ++seen;
        ++value.number;
        shared |= job_of.try_emplace(words.at(entity.bits()), executor.running).first->second != executor.running;
    });
    CHECK_FALSE(shared);
    CHECK(seen == query.count());
}

}  // namespace

TEST_CASE("pieces of a parallel walk share no word of change bits") {
    for (const std::size_t threads : {2u, 3u, 7u}) {
        for (const std::size_t count : {0u, 1u, 64u, 65u, 1000u, 4095u, 5001u, 20000u}) {
            CAPTURE(threads);
            CAPTURE(count);
            World world;
            Random random(count + threads);
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
            check_pieces<>(world, executor);
            check_pieces<With<Loose>>(world, executor);
            check_pieces<Without<Loose>>(world, executor);
            check_pieces<With<Other>, Without<Loose>>(world, executor);
            if (count >= 1000) CHECK(executor.jobs_run > 4 * threads);
        }
    }
}
