// Guards IdLeases as a class: which ids a lease gives depends on nothing but how many were taken from it, no two
// takers get the same id, and all ids come back.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <set>
#include <vector>

#include "stoa/detail/entity/id_lease.hpp"
#include "support/seeds.hpp"

using stoa::Entity;
using stoa::detail::Directory;
using stoa::detail::IdLease;
using stoa_test::Random;

namespace {

// Some leases of one directory, and one more taker without a lease: the last one.
struct Takers {
    explicit Takers(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            owned.push_back(std::make_unique<IdLease>());
            leases.push_back(owned.back().get());
        }
    }
    Entity take(std::size_t taker) {
        return taker == leases.size() ? directory.reserve() : leases[taker]->take(directory);
    }

    Directory directory{{}};
    std::vector<std::unique_ptr<IdLease>> owned;
    std::vector<IdLease*> leases;
};

using Ids = std::vector<std::vector<Entity>>;

// Each taker takes as many as `counts` says, in the order of `turns`.
Ids take_all(Takers& takers, const std::vector<std::size_t>& turns) {
    Ids ids(takers.leases.size() + 1);
    takers.directory.leases().begin(takers.leases);
    for (const std::size_t taker : turns) ids[taker].push_back(takers.take(taker));
    takers.directory.leases().end(takers.leases);
    return ids;
}

}  // namespace

TEST_SUITE("id leases") {
    TEST_CASE("the ids of a lease do not depend on the order in which others take") {
        stoa_test::for_each_seed(8, [](Random& random) {
            const std::size_t count = random.between(1, 5);
            Takers one(count);
            Takers two(count);
            std::set<Entity> ever;
            for (int round = 0; round < 6; ++round) {
                std::vector<std::size_t> turns;
                for (std::size_t taker = 0; taker <= count; ++taker)
                    turns.insert(turns.end(), random.below(random.one_in(3) ? 2000 : 40), taker);
                std::vector<std::size_t> mixed = turns;
                for (std::size_t i = mixed.size(); i > 1; --i)
                    std::swap(mixed[i - 1], mixed[random.below(static_cast<std::uint32_t>(i))]);
                const Ids in_order = take_all(one, turns);
                REQUIRE(take_all(two, mixed) == in_order);
                for (const auto& ids : in_order) {
                    for (const Entity id : ids) {
                        REQUIRE(id);
                        REQUIRE(ever.insert(id).second);  // nobody else has it
                        REQUIRE(!one.directory.alive(id));
                    }
                }
                // Some are used and some given back, the same ones on both sides.
                for (Takers* takers : {&one, &two}) {
                    takers->directory.settle();
                    for (const auto& ids : in_order) {
                        for (const Entity id : ids) {
                            id.index() % 3 == 0 ? takers->directory.use_reserved(id, {})
                                                : takers->directory.give_back(id);
                        }
                    }
                    takers->directory.leases().trim(takers->leases);
                    REQUIRE(takers->directory.check() == nullptr);
                }
            }
        });
    }

    TEST_CASE("a lease that ends gives all its ids back") {
        Takers takers(3);
        take_all(takers, std::vector<std::size_t>(700, 1));
        Directory& directory = takers.directory;
        directory.settle();
        const std::uint32_t indices = directory.size();
        for (auto& lease : takers.owned) directory.leases().retire(lease.release());
        CHECK(directory.check() == nullptr);
        // 700 ids are reserved by their taker; every other index is free.
        directory.prepare(indices - 700);
        for (std::uint32_t i = 0; i < indices - 700; ++i) CHECK(directory.take({}).index() < indices);
        directory.prepare(1);
        CHECK(directory.take({}).index() == indices);
        CHECK(directory.check() == nullptr);
    }

    TEST_CASE("a lease that ends while ids wait to be settled gives them back then") {
        Takers takers(1);
        take_all(takers, std::vector<std::size_t>(20, 0));
        Directory& directory = takers.directory;
        directory.reserve();
        directory.leases().retire(takers.owned[0].release());
        CHECK(directory.unsettled());
        directory.settle();
        CHECK(directory.check() == nullptr);
        CHECK(directory.living() == 0);
    }

    TEST_CASE("trimmed leases keep what they need and give back the rest") {
        Takers takers(2);
        take_all(takers, std::vector<std::size_t>(5000, 0));
        Directory& directory = takers.directory;
        directory.settle();
        // The lease takes little from now on, so it needs little.
        for (int round = 0; round < 60; ++round) {
            take_all(takers, {0, 1});
            directory.settle();
            directory.leases().trim(takers.leases);
        }
        CHECK(directory.check() == nullptr);
        const std::uint32_t indices = directory.size();
        directory.prepare(indices - 5000 - 120 - 2000);  // so many are free
        directory.take({});
        CHECK(directory.size() == indices);
    }
}
