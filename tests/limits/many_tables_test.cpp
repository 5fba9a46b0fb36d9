// Every subset of 16 components, so 65,536 tables: all are there, entities move between them correctly, and making them
// does not take for ever.
#include "../support/build_kind.hpp"

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using namespace stoa_test;

namespace {

template <std::size_t Number>
struct Part {
    std::uint32_t owner = 0;
};

// Calls `visit.template operator()<N>()` for each of the first `Bits` parts that are in the subset.
template <std::size_t Bits, class Visit>
void each_part(std::uint32_t subset, Visit&& visit) {
    [&]<std::size_t... N>(std::index_sequence<N...>) {
        ((((subset >> N) & 1u) != 0 ? visit.template operator()<N>() : void()), ...);
    }(std::make_index_sequence<Bits>{});
}

template <std::size_t Bits>
std::vector<stoa::Entity> spawn_subsets(stoa::World& world) {
    std::vector<stoa::Entity> entities;
    for (std::uint32_t subset = 0; subset < (1u << Bits); ++subset) {
        const stoa::Entity entity = world.spawn();
        each_part<Bits>(subset, [&]<std::size_t N>() {
            world.add<Part<N>>(entity);
            world.get<Part<N>>(entity).owner = subset;
        });
        entities.push_back(entity);
    }
    return entities;
}

template <std::size_t Bits>
bool is_subset(stoa::World& world, stoa::Entity entity, std::uint32_t subset) {
    bool right = true;
    [&]<std::size_t... N>(std::index_sequence<N...>) {
        const auto look = [&]<std::size_t M>() {
            const auto* found = world.find<const Part<M>>(entity);
            const bool wanted = ((subset >> M) & 1u) != 0;
            right = right && (found != nullptr) == wanted && (found == nullptr || found->owner == subset);
        };
        (look.template operator()<N>(), ...);
    }(std::make_index_sequence<Bits>{});
    return right;
}

}  // namespace

TEST_SUITE("limits: many tables") {
    TEST_CASE("all subsets of 16 components have a table each") {
        constexpr std::size_t bits = sanitized_build ? 12 : 16;
        constexpr std::uint32_t subsets = 1u << bits;
        stoa::World world;
        const auto begin = std::chrono::steady_clock::now();
        const std::vector<stoa::Entity> entities = spawn_subsets<bits>(world);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;

        std::size_t occupied = 0;
        std::size_t rows = 0;
        for (const auto& table : world.tables()) {
            occupied += table.rows != 0 ? 1 : 0;
            rows += table.rows;
        }
        CHECK(occupied == subsets);
        CHECK(rows == subsets);
        CHECK(world.stats().tables >= subsets);
        CHECK(world.stats().entities == subsets);
        std::size_t wrong = 0;
        for (std::uint32_t subset = 0; subset < subsets; ++subset) {
            wrong += is_subset<bits>(world, entities[subset], subset) ? 0 : 1;
        }
        CHECK(wrong == 0);
        CHECK_NOTHROW(world.check());
        MESSAGE("made " << subsets << " tables in " << took.count() << " s, " << world.stats().bytes_reserved
                        << " bytes");
        if (release_build) {
            CHECK(took.count() <= 5.0);
            CHECK(world.stats().bytes_reserved <= 400'000'000u);
        }
    }

    TEST_CASE("tables that emptied are given back, and the rest stays") {
        stoa::World world;
        constexpr std::size_t bits = 10;
        const std::vector<stoa::Entity> entities = spawn_subsets<bits>(world);
        for (std::uint32_t subset = 0; subset < (1u << bits); ++subset) {
            if (subset % 8 != 0) {
                world.despawn(entities[subset]);
            }
        }
        const std::size_t before = world.stats().tables;
        world.shrink_to_fit();
        CHECK(world.stats().tables < before);
        CHECK(world.stats().tables >= 128);
        CHECK(world.stats().tables <= 140);
        CHECK_NOTHROW(world.check());
        std::size_t wrong = 0;
        for (std::uint32_t subset = 0; subset < (1u << bits); subset += 8) {
            wrong += is_subset<bits>(world, entities[subset], subset) ? 0 : 1;
            world.add<Part<0>>(entities[subset]);
            world.get<Part<0>>(entities[subset]).owner = subset + 1;
            world.remove<Part<3>>(entities[subset]);
        }
        CHECK(wrong == 0);
        CHECK(world.has<Part<0>>(entities[8]));
        CHECK(!world.has<Part<3>>(entities[8]));
        CHECK_NOTHROW(world.check());
    }

    TEST_CASE("giving back all tables at once does not take for ever") {
        constexpr std::size_t bits = sanitized_build ? 10 : release_build ? 16 : 13;
        stoa::World world;
        for (const stoa::Entity entity : spawn_subsets<bits>(world)) {
            world.despawn(entity);
        }
        const auto begin = std::chrono::steady_clock::now();
        world.shrink_to_fit();
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        MESSAGE("gave back " << (1u << bits) << " tables in " << took.count() << " s");
        if (release_build) {
            CHECK(took.count() <= 2.0);
        }
        CHECK(world.stats().tables <= 2);
        CHECK_NOTHROW(world.check());
    }

    TEST_CASE("a table handle outlives the table that shrink_to_fit gave back") {
        stoa::World world;
        auto table = world.table<Part<1>, Part<2>>();
        const stoa::Entity first = table.spawn();
        world.despawn(first);
        world.shrink_to_fit();
        CHECK(table.size() == 0);
        const stoa::Entity second = table.spawn(Part<1>{5}, Part<2>{6});
        CHECK(world.get<const Part<2>>(second).owner == 6);
        CHECK(table.size() == 1);
        CHECK(world.table<Part<2>, Part<1>>().size() == 1);
        CHECK_NOTHROW(world.check());
    }

    TEST_CASE("making and giving back tables for ever does not grow the world") {
        stoa::World world;
        std::size_t settled = 0;
        for (int round = 0; round < 30; ++round) {
            const std::vector<stoa::Entity> entities = spawn_subsets<6>(world);
            for (const stoa::Entity entity : entities) {
                world.despawn(entity);
            }
            world.shrink_to_fit();
            if (round == 4) {
                settled = world.stats().bytes_reserved;
            }
        }
        CHECK(world.stats().bytes_reserved <= settled);
        CHECK(world.stats().tables <= 2);
        CHECK_NOTHROW(world.check());
    }
}
