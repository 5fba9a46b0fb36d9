// Guards FlatMap against std::unordered_multimap: random insertions, lookups and erasures, few different keys and many,
// and what it promises about memory.

#include <doctest/doctest.h>

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/block_pool.hpp"
#include "stoa/detail/base/flat_map.hpp"
#include "support/seeds.hpp"

using stoa::detail::BlockPool;
using stoa::detail::FlatMap;
using stoa::detail::PoolMemory;
using stoa_test::Random;

namespace {

// Memory that can be taken away.
struct ScarceMemory {
    static inline int left = 0;
    static inline int blocks = 0;

    void* take(std::size_t bytes) {
        void* const block = try_take(bytes);
        if (block == nullptr) throw std::bad_alloc();
        return block;
    }
    void* try_take(std::size_t bytes) noexcept {
        if (left == 0) return nullptr;
        --left;
        ++blocks;
        return ::operator new(bytes);
    }
    void give(void* block, std::size_t) noexcept {
        --blocks;
        ::operator delete(block);
    }
};

template <class Map>
void compare(const Map& map, const std::unordered_map<std::uint64_t, int>& model, std::uint32_t keys) {
    REQUIRE(map.size() == model.size());
    for (std::uint64_t key = 1; key <= keys; ++key) {
        const auto known = model.find(key);
        const int* const found = map.find(key);
        REQUIRE((found != nullptr) == (known != model.end()));
        if (found != nullptr) REQUIRE(*found == known->second);
    }
    std::size_t seen = 0;
    map.for_each([&](std::uint64_t key, int value) {
        ++seen;
        REQUIRE(model.at(key) == value);
    });
    REQUIRE(seen == model.size());
}

void run_against_model(Random& random, std::uint32_t keys) {
    FlatMap<int> map;
    std::unordered_map<std::uint64_t, int> model;
    for (int step = 0; step < 2000; ++step) {
        const std::uint64_t key = random.between(1, keys);
        if (random.one_in(2)) {
            REQUIRE(map.erase(key) == (model.erase(key) != 0));
        } else if (model.emplace(key, step).second) {
            map.reserve(map.size() + 1);
            REQUIRE(map.insert(key, step) == step);
        } else {
            *map.find(key) = model[key] = -step;
        }
        if (random.one_in(300)) {
            map.clear();
            model.clear();
        }
        if (step % 97 == 0) compare(map, model, keys);
        REQUIRE((map.capacity() & (map.capacity() - 1)) == 0);
    }
    compare(map, model, keys);
}

}  // namespace

TEST_SUITE("flat map") {
    TEST_CASE("an empty map finds nothing and has no memory") {
        const FlatMap<int> map;
        CHECK(map.find(1) == nullptr);
        CHECK(map.capacity() == 0);
        CHECK(!map.has_room());
        CHECK(map.empty());
    }

    TEST_CASE("it agrees with a model, whatever the keys are") {
        stoa_test::for_each_seed(5, [](Random& random) {
            for (const std::uint32_t keys : {3u, 20u, 500u}) run_against_model(random, keys);
        });
    }

    TEST_CASE("erasing in a full run of slots keeps every other entry reachable") {
        stoa_test::for_each_seed(20, [](Random& random) {
            FlatMap<std::uint32_t> map;
            map.reserve(8);
            std::vector<std::uint64_t> keys;
            while (map.has_room()) {  // up to one free slot: the longest runs there can be
                const std::uint64_t key = random.next() | 1;
                map.insert(key, static_cast<std::uint32_t>(key));
                keys.push_back(key);
            }
            CHECK(map.size() + 1 == map.capacity());
            while (!keys.empty()) {
                const std::uint32_t at = random.below(static_cast<std::uint32_t>(keys.size()));
                REQUIRE(map.erase(keys[at]));
                keys.erase(keys.begin() + at);
                for (const std::uint64_t key : keys) REQUIRE(*map.find(key) == static_cast<std::uint32_t>(key));
            }
            CHECK(map.empty());
        });
    }

    TEST_CASE("values with one hash are told apart by a predicate") {
        FlatMap<const char*> map;
        map.reserve(3);
        const char* const words[] = {"ant", "bee", "cat"};
        for (const char* word : words) map.insert(77, word);
        for (const char* word : words) {
            const auto same = [&](const char* value) { return value == word; };
            CHECK(*map.find_if(77, same) == word);
            CHECK(map.erase_if(77, same));
            CHECK(map.find_if(77, same) == nullptr);
            CHECK(!map.erase_if(77, same));
        }
    }

    TEST_CASE("reserved room takes no more memory, and a failure to grow changes nothing") {
        ScarceMemory::left = 1;
        {
            FlatMap<int, ScarceMemory> map;
            map.reserve(100);
            for (int i = 1; i <= 100; ++i) map.insert(static_cast<std::uint64_t>(i), i);
            const std::size_t capacity = map.capacity();
            CHECK(!map.try_reserve(capacity));
            CHECK_THROWS_AS(map.reserve(capacity), std::bad_alloc);
            CHECK(map.capacity() == capacity);
            CHECK(map.size() == 100);
            for (int i = 1; i <= 100; ++i) CHECK(*map.find(static_cast<std::uint64_t>(i)) == i);
        }
        CHECK(ScarceMemory::blocks == 0);
    }

    TEST_CASE("moving takes the entries along") {
        ScarceMemory::left = 2;
        FlatMap<int, ScarceMemory> from;
        from.reserve(1);
        from.insert(5, 50);
        FlatMap<int, ScarceMemory> to = std::move(from);
        CHECK(*to.find(5) == 50);
        CHECK(from.find(5) == nullptr);
        from.reserve(1);
        from.insert(6, 60);
        to = std::move(from);
        CHECK(*to.find(6) == 60);
        CHECK(to.find(5) == nullptr);
        to.reset();
        CHECK(to.capacity() == 0);
        CHECK(ScarceMemory::blocks == 0);
    }

    TEST_CASE("it takes its memory from a block pool") {
        BlockPool pool;
        {
            FlatMap<int, PoolMemory> map(PoolMemory{&pool});
            map.reserve(10);
            CHECK(pool.bytes_reserved() == map.bytes());
            map.insert(1, 2);
            CHECK(map.try_reserve(1000));
            CHECK(*map.find(1) == 2);
            CHECK(pool.bytes_reserved() == map.bytes());
        }
        CHECK(pool.bytes_reserved() == 0);
    }
}
