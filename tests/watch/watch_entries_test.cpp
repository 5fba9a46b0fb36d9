// The private parts of the room by themselves: the hash table of a watch against std::map, and the order of a cached
// list, also with comparisons that contradict themselves.
#include "stoa/detail/watch/watch_entries.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <vector>

#include <stoa/stoa.hpp>

#include "support/seeds.hpp"

using namespace stoa;
using namespace stoa::detail;
using stoa_test::for_each_seed;

namespace {

struct Score {
    int value;
};

Entity entity_of(std::uint32_t index) { return Entity::from_bits((std::uint64_t{1} << 32) | index); }

void compare(WatchEntries& entries, const std::map<Entity, std::uint32_t>& expected, std::uint32_t bound) {
    REQUIRE(entries.size() == expected.size());
    for (std::uint32_t index = 0; index < bound; ++index) {
        const WatchEntry& entry = entries.find(entity_of(index));
        const auto known = expected.find(entity_of(index));
        REQUIRE(entries.is_used(entry) == (known != expected.end()));
        if (known == expected.end()) continue;
        REQUIRE(entry.entity == known->first);
        REQUIRE(entry.lists == known->second);
    }
}

using Less = bool (*)(const Score&, const Score&);

std::vector<Entity> in_cache(World& world, Less less) {
    std::vector<Entity> found;
    world.query<const Score>().cache<Score>(less).collect(found);
    return found;
}

}  // namespace

TEST_CASE("the entries of a watch agree with std::map, across clears and growth") {
    for_each_seed(5, [](stoa_test::Random& random) {
        WatchEntries entries;
        std::map<Entity, std::uint32_t> expected;
        for (int step = 0; step < 3000; ++step) {
            const Entity entity = entity_of(random.below(400));
            WatchEntry* entry = &entries.find(entity);
            if (!entries.is_used(*entry)) {
                if (entries.is_half_full()) {
                    entries.reserve(2 * entries.capacity());
                    entry = &entries.find(entity);
                }
                entry = &entries.use(*entry, entity);
            }
            entry->lists |= 1u << random.below(3);
            expected[entity] |= entry->lists;
            if (random.one_in(500)) {
                entries.clear();
                expected.clear();
            }
            if (step % 100 == 0) compare(entries, expected, 400);
        }
    });
}

TEST_CASE("the entries of a watch fill up to the last free one without memory") {
    WatchEntries entries;
    std::uint32_t used = 0;
    for (; entries.has_room(); ++used) entries.use(entries.find(entity_of(used)), entity_of(used));
    CHECK(used == entries.capacity() - 1);
    for (std::uint32_t index = 0; index < used; ++index) CHECK(entries.is_used(entries.find(entity_of(index))));
    CHECK_FALSE(entries.is_used(entries.find(entity_of(used))));
}

TEST_CASE("room for more entries leaves the table half full at most") {
    WatchEntries entries;
    for (const std::size_t count : {0u, 1u, 32u, 33u, 1000u}) {
        const std::size_t capacity = entries.capacity_for(count);
        CHECK(capacity >= 2 * count);
        CHECK((capacity & (capacity - 1)) == 0);
    }
    CHECK(entries.capacity_for(32) == entries.capacity());
}

TEST_CASE("a cached list is sorted by key, then by entity") {
    for_each_seed(5, [](stoa_test::Random& random) {
        World world;
        const Less less = [](const Score& a, const Score& b) { return a.value < b.value; };
        const auto cache = world.query<const Score>().cache<Score>(less);
        std::vector<Entity> alive;
        for (int step = 0; step < 200; ++step) {
            if (alive.empty() || random.below(3) != 0) {
                alive.push_back(world.spawn(Score{static_cast<int>(random.below(10))}));
            } else {
                const std::size_t at = random.below(static_cast<std::uint32_t>(alive.size()));
                world.despawn(alive[at]);
                alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(at));
            }
            if (!alive.empty()) {
                const std::size_t at = random.below(static_cast<std::uint32_t>(alive.size()));
                world.get<Score>(alive[at]).value = static_cast<int>(random.below(10));
            }
            if (step % 5 != 0) continue;
            std::vector<Entity> expected = alive;
            std::sort(expected.begin(), expected.end(), [&](Entity a, Entity b) {
                const int left = world.get<const Score>(a).value;
                const int right = world.get<const Score>(b).value;
                return left != right ? left < right : a < b;
            });
            std::vector<Entity> found;
            cache.collect(found);
            REQUIRE(found == expected);
        }
    });
}

TEST_CASE("a cached list has each match once, even if its comparison contradicts itself") {
    World world;
    std::vector<Entity> all;
    for (int i = 0; i < 100; ++i) all.push_back(world.spawn(Score{i * 37 % 100}));
    for (const Less less : {Less([](const Score&, const Score&) { return true; }),
                            Less([](const Score& a, const Score& b) { return (a.value + 7 * b.value) % 3 == 0; })}) {
        std::vector<Entity> found = in_cache(world, less);
        std::sort(found.begin(), found.end());
        CHECK(found == all);
    }
}
