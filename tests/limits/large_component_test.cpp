// A component of one mebibyte, in a table and outside it: values survive growth and migration.
#include "../support/components.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

using namespace stoa_test;

namespace {

template <stoa::Storage Where>
struct Large {
    std::array<std::uint32_t, (1u << 20) / sizeof(std::uint32_t)> words;
    static constexpr stoa::Traits stoa_traits{.storage = Where};

    void fill(std::uint32_t seed) {
        for (std::size_t i = 0; i < words.size(); i += 64) {
            words[i] = seed + static_cast<std::uint32_t>(i);
        }
        words.back() = seed;
    }
    bool holds(std::uint32_t seed) const {
        for (std::size_t i = 0; i < words.size(); i += 64) {
            if (words[i] != seed + static_cast<std::uint32_t>(i)) {
                return false;
            }
        }
        return words.back() == seed;
    }
};

template <stoa::Storage Where>
void check_large() {
    using C = Large<Where>;
    static_assert(sizeof(C) == 1u << 20);
    stoa::World world;
    std::vector<stoa::Entity> entities;
    const auto value = std::make_unique<C>();
    for (std::uint32_t i = 0; i < 20; ++i) {
        value->fill(i);
        entities.push_back(i % 2 == 0 ? world.spawn(*value) : world.spawn());
        if (i % 2 != 0) {
            world.add<C>(entities.back());
            world.get<C>(entities.back()).fill(i);
        }
    }
    for (std::uint32_t i = 0; i < 20; ++i) {
        world.add<Red>(entities[i]);
        CHECK(world.get<const C>(entities[i]).holds(i));
    }
    world.despawn(entities[0]);
    world.remove<C>(entities[1]);
    const stoa::Entity copy = world.clone(entities[2]);
    world.shrink_to_fit();
    for (std::uint32_t i = 2; i < 20; ++i) {
        CHECK(world.get<const C>(entities[i]).holds(i));
    }
    CHECK(world.get<const C>(copy).holds(2));
    CHECK_NOTHROW(world.check());
}

}  // namespace

TEST_SUITE("limits: large components") {
    TEST_CASE("a component of a mebibyte lives in a table") { check_large<stoa::Storage::table>(); }

    TEST_CASE("a component of a mebibyte lives outside the tables") { check_large<stoa::Storage::sparse>(); }
}
