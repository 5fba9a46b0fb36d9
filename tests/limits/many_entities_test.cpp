// Ten million entities with two components: they are all there, and the world stays within 40 bytes an entity over its
// payload. Only in release builds; the others try a million or less.
#include "../support/build_kind.hpp"
#include "../support/handles.hpp"

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>

using namespace stoa_test;

namespace {

struct Place {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
};
struct Speed {
    std::uint32_t dx = 0;
    std::uint32_t dy = 0;
};

}  // namespace

TEST_SUITE("limits: many entities") {
    TEST_CASE("ten million entities with two components are held in 40 bytes each over the payload") {
        constexpr auto count = static_cast<std::uint32_t>(by_build(10'000'000, 200'000, 50'000));
        stoa::World world;
        const auto begin = std::chrono::steady_clock::now();
        for (std::uint32_t i = 0; i < count; ++i) {
            world.spawn(Place{i, ~i}, Speed{i + 1, i + 2});
        }
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        CHECK(world.size() == count);
        const double each = static_cast<double>(world.stats().bytes_reserved) / count;
        MESSAGE("spawned " << count << " entities in " << took.count() << " s, " << each << " bytes each");
        if (release_build) {
            CHECK(each <= 16.0 + 40.0);
        }
        std::size_t wrong = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const Place* place = world.find<const Place>(forge(i, 1));
            const Speed* speed = world.find<const Speed>(forge(i, 1));
            wrong += place == nullptr || speed == nullptr || place->x != i || place->y != ~i || speed->dy != i + 2;
        }
        CHECK(wrong == 0);
        for (std::uint32_t i = 0; i < count; i += 2) {
            world.despawn(forge(i, 1));
        }
        CHECK(world.size() == count / 2);
        for (std::uint32_t i = 1; i < count; i += 2) {
            const Place* place = world.find<const Place>(forge(i, 1));
            wrong += place == nullptr || place->x != i ? 1 : 0;
        }
        CHECK(wrong == 0);
        CHECK_NOTHROW(world.check());
        world.clear();
        CHECK(world.size() == 0);
        CHECK_NOTHROW(world.check());
    }
}
