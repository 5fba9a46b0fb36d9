// Making worlds, reserving and giving back memory while it runs out; and the questions, which must answer even when
// there is none at all.
#include "../support/loop_faults.hpp"
#include "../support/values.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

using namespace stoa_test;

namespace {

std::uint64_t sweep(const char* verb, const Operation& operation) {
    return sweep_faults(verb, Promise::may_throw, operation).points();
}

// Component types that nothing else uses, so that their first use happens inside a fault loop.
template <int Purpose, std::size_t Number>
struct Unseen {
    int number = 0;
};
template <int Purpose, std::size_t Number>
struct UnseenSparse {
    int number = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

// The first use of a type in a program happens once, so each fault point needs a type of its own.
template <std::size_t Nth>
bool first_use_fails(FaultMode mode) {
    stoa::World world;
    const stoa::Entity entity = world.spawn(make<Counted>(1));
    bool failed = false;
    {
        AllocationFaults faults{Nth, mode};
        try {
            if (mode == FaultMode::once) {
                world.set(entity, Unseen<0, Nth>{7}, UnseenSparse<0, Nth>{8});
            } else {
                world.set(entity, Unseen<1, Nth>{7}, UnseenSparse<1, Nth>{8});
            }
        } catch (const std::bad_alloc&) {
            failed = true;
        }
    }
    CHECK_NOTHROW(world.check());
    CHECK(world.components(entity).size() == (failed ? 1u : 3u));
    CHECK_NOTHROW(world.set(entity, Unseen<0, Nth>{7}, UnseenSparse<0, Nth>{8}));
    CHECK(world.get<const Unseen<0, Nth>>(entity).number == 7);
    CHECK(world.get<const UnseenSparse<0, Nth>>(entity).number == 8);
    CHECK(read(world.get<const Counted>(entity)) == 1);
    CHECK_NOTHROW(world.check());
    return failed;
}

}  // namespace

TEST_SUITE("faults and memory") {
    TEST_CASE("reserving that fails changes nothing") {
        CHECK(sweep("reserve(5000)", [](Scene& s) { s.world.reserve(5000); }) >= 10);
        CHECK(sweep("reserve<>(100) of a new table", [](Scene& s) { s.world.reserve<Counted2, Wide, Red>(100); }) >=
              20);
    }

    TEST_CASE("shrink_to_fit that fails loses nothing") {
        sweep("shrink_to_fit()", [](Scene& s) { s.world.shrink_to_fit(); });
    }

    TEST_CASE("a world that cannot be made leaves nothing behind") {
        CHECK(sweep("World{}", [](Scene&) {
                  stoa::World other;
                  other.spawn(make<Position>(1));
              }) >= 200);
    }

    TEST_CASE("introspection that fails changes nothing") {
        CHECK(sweep("components()", [](Scene& s) { (void)s.world.components(s.rich); }) >= 12);
        CHECK(sweep("tables()", [](Scene& s) { (void)s.world.tables(); }) >= 100);
        sweep("stats()", [](Scene& s) { (void)s.world.stats(); });
        sweep("component<Wide>()", [](Scene& s) { (void)s.world.component<Wide>(); });
    }

    TEST_CASE("the first use of a component type may fail and succeeds the next time") {
        std::uint64_t failed = 0;
        [&]<std::size_t... N>(std::index_sequence<N...>) {
            ((failed += first_use_fails<N>(FaultMode::once) ? 1 : 0), ...);
            ((failed += first_use_fails<N>(FaultMode::persistent) ? 1 : 0), ...);
        }(std::make_index_sequence<24>{});
        CHECK(failed >= 8);
    }

    TEST_CASE("questions answer without any memory, also about types that were never used") {
        Scene scene = make_scene({.name = "fresh"});
        stoa::World& world = scene.world;
        std::optional<AllocationFaults> faults;
        faults.emplace(0u, FaultMode::persistent);
        const bool right = world.alive(scene.rich) && !world.alive(scene.dead) && world.size() == 5 &&
                           world.has<Name, Burning>(scene.rich) && world.has_any<Velocity, Name>(scene.rich) &&
                           !world.has<Unseen<2, 0>>(scene.rich) && !world.has<UnseenSparse<2, 0>>(scene.rich) &&
                           !world.has_any<Unseen<2, 1>, UnseenSparse<2, 1>>(scene.rich) &&
                           world.find<Unseen<2, 2>>(scene.rich) == nullptr &&
                           world.find<const UnseenSparse<2, 2>>(scene.rich) == nullptr &&
                           !world.remove<Unseen<2, 3>>(scene.rich) && !world.remove<UnseenSparse<2, 3>>(scene.rich) &&
                           !world.add<Unseen<2, 4>>(scene.dead) && read(world.get<const Position>(scene.rich)) == 3;
        faults.reset();
        CHECK(right);
    }

    TEST_CASE("reading and writing values allocates nothing") {
        Scene scene = make_scene({.name = "fresh"});
        stoa::World& world = scene.world;
        const std::uint64_t before = allocations_of_thread();
        bool right = true;
        for (int i = 1; i <= 100; ++i) {
            world.get<Position>(scene.rich) = make<Position>(i);
            world.set(scene.rich, make<Position>(i), make<Burning>(i));
            world.emplace<Counted>(scene.rich, i);
            right = right && read(world.get<const Position>(scene.rich)) == i;
            right = right && world.find<Burning>(scene.rich)->heat == i;
        }
        CHECK(right);
        CHECK(allocations_of_thread() == before);
    }

    TEST_CASE("spawning and despawning in a steady state allocates nothing") {
        stoa::World world;
        std::uint64_t before = 0;
        for (int round = 0; round < 4; ++round) {
            if (round == 2) {
                before = allocations_of_thread();
            }
            std::array<stoa::Entity, 300> ids;
            for (stoa::Entity& id : ids) {
                id = world.spawn(make<Position>(1), make<Counted>(2), make<Burning>(3), Red{});
                world.add<Velocity>(id);
                world.remove<Counted>(id);
            }
            for (const stoa::Entity id : ids) {
                world.despawn(id);
            }
        }
        CHECK(allocations_of_thread() == before);
        CHECK_NOTHROW(world.check());
    }

    TEST_CASE("moving a world never fails") {
        CHECK(std::is_nothrow_move_constructible_v<stoa::World>);
        CHECK(std::is_nothrow_move_assignable_v<stoa::World>);
        CHECK(!std::is_copy_constructible_v<stoa::World>);
    }
}
