// Counts that no machine can satisfy: they are refused with an error, at once or when memory ends, never by overflow,
// and the world goes on. Memory is limited here, so that a greedy attempt ends soon.
#include "../support/fault_allocator.hpp"
#include "../support/snapshot.hpp"
#include "../support/values.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <limits>
#include <new>
#include <span>
#include <stdexcept>

using namespace stoa_test;

namespace {

constexpr std::size_t most = std::numeric_limits<std::size_t>::max();

// Whether the call fails as it should when at most 300 blocks can be had.
bool refused(const std::function<void()>& call) {
    AllocationFaults memory_ends{300, FaultMode::persistent};
    try {
        call();
    } catch (const stoa::Error& error) {
        return error.code() == stoa::Errc::capacity;
    } catch (const std::bad_alloc&) {
        return true;
    } catch (const std::length_error&) {
        return true;
    }
    return false;
}

}  // namespace

TEST_SUITE("limits: huge counts") {
    TEST_CASE("counts beyond all memory are refused and the world goes on") {
        for (const std::size_t count : {most, most - 1, most / 2, most / 2 + 2, most / 16 + 1, std::size_t{1} << 40,
                                        (std::size_t{1} << 32) + 1, std::size_t{1} << 32, std::size_t{1} << 31}) {
            CAPTURE(count);
            stoa::World world;
            const stoa::Entity first = world.spawn(make<Position>(1), make<Name>(5));
            world.spawn(make<Velocity>(1));
            world.despawn(world.spawn(make<Burning>(1)));
            auto table = world.table<Position, Velocity>();
            const Snapshot before = take_snapshot(world, 16);
            CHECK(refused([&] { world.spawn_many(count, make<Position>(1), make<Name>(2)); }));
            CHECK(refused([&] { world.spawn_many(count, Red{}); }));
            CHECK(refused([&] { world.spawn_many(count, make<Burning>(1), make<Note>(2)); }));
            CHECK(refused([&] { world.reserve(count); }));
            CHECK(refused([&] { world.reserve<Position, Name>(count); }));
            CHECK(refused([&] { world.reserve<Note>(count); }));
            CHECK(refused([&] { table.reserve(count); }));
            CHECK(difference(before, take_snapshot(world, 16)) == "");
            CHECK_NOTHROW(world.check());
            CHECK(world.clone(first).index() == 2);
            CHECK_NOTHROW(world.shrink_to_fit());
            CHECK_NOTHROW(world.check());
        }
    }

    TEST_CASE("a count of nothing does nothing") {
        stoa::World world;
        world.spawn_many(0, make<Position>(1));
        world.spawn_many(std::span<stoa::Entity>{}, make<Name>(1));
        world.spawn_columns(std::span<stoa::Entity>{}, std::span<Name>{});
        world.reserve(0);
        world.reserve<Position>(0);
        CHECK(world.size() == 0);
        CHECK(world.spawn().index() == 0);
        CHECK_NOTHROW(world.check());
    }
}
