// The instruments themselves: memory that fails on demand, objects that throw on demand and notice misuse, snapshots
// that see differences. A loop that never fires would prove nothing, so this is proved first.
#include "../support/fault_allocator.hpp"
#include "../support/scene.hpp"
#include "../support/snapshot.hpp"
#include "../support/values.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

using namespace stoa_test;

namespace {

struct alignas(256) Aligned {
    int number = 0;
};

// How many of ten allocations fail.
int failures(std::uint64_t nth, FaultMode mode) {
    std::array<std::unique_ptr<int>, 10> kept;
    AllocationFaults faults{nth, mode};
    int failed = 0;
    for (auto& one : kept) {
        try {
            one = std::make_unique<int>(1);
        } catch (const std::bad_alloc&) {
            ++failed;
        }
    }
    return failed;
}

template <class Allocate>
bool fails(Allocate&& allocate) {
    AllocationFaults faults{0, FaultMode::persistent};
    try {
        return allocate() == nullptr && faults.fired();
    } catch (const std::bad_alloc&) {
        return faults.fired();
    }
}

}  // namespace

TEST_SUITE("the instruments") {
    TEST_CASE("one allocation fails, or all from there on") {
        CHECK(failures(0, FaultMode::once) == 1);
        CHECK(failures(9, FaultMode::once) == 1);
        CHECK(failures(10, FaultMode::once) == 0);
        CHECK(failures(0, FaultMode::persistent) == 10);
        CHECK(failures(7, FaultMode::persistent) == 3);
        CHECK(failures(10, FaultMode::persistent) == 0);
    }

    TEST_CASE("every form of new can fail, and works otherwise") {
        CHECK(fails([] { return ::operator new(8); }));
        CHECK(fails([] { return ::operator new[](8); }));
        CHECK(fails([] { return ::operator new(8, std::nothrow); }));
        CHECK(fails([] { return ::operator new[](8, std::nothrow); }));
        CHECK(fails([] { return ::operator new(8, std::align_val_t{64}); }));
        CHECK(fails([] { return ::operator new[](8, std::align_val_t{64}); }));
        CHECK(fails([] { return ::operator new(8, std::align_val_t{64}, std::nothrow); }));
        CHECK(fails([] { return ::operator new[](8, std::align_val_t{64}, std::nothrow); }));
        const std::int64_t blocks = live_blocks();
        {
            const auto one = std::make_unique<Aligned>();
            const auto many = std::make_unique<Aligned[]>(3);
            CHECK(reinterpret_cast<std::uintptr_t>(one.get()) % 256 == 0);
            CHECK(reinterpret_cast<std::uintptr_t>(many.get()) % 256 == 0);
            CHECK(live_blocks() == blocks + 2);
        }
        CHECK(live_blocks() == blocks);
    }

    TEST_CASE("fresh memory can be filled") {
        const FilledMemory filled{0x0123456789ABCDEFu};
        void* block = ::operator new(64);
        std::uint64_t word = 0;
        std::memcpy(&word, static_cast<std::byte*>(block) + 56, sizeof word);
        CHECK(word == 0x0123456789ABCDEFu);
        ::operator delete(block);
    }

    TEST_CASE("the n-th construction or copy throws, moves never do") {
        int thrown = 0;
        ConstructionFaults faults{2};
        try {
            Counted first{1};
            Counted second{first};
            Counted moved{std::move(second)};
            CHECK(read(moved) == 1);
            Counted third{3};
        } catch (const PlannedFault&) {
            ++thrown;
        }
        CHECK(thrown == 1);
        CHECK(faults.fired());
        CHECK(Counted::ledger().alive == 0);
    }

    TEST_CASE("an object that was moved as raw bytes or destroyed twice is noticed") {
        struct Victim : Traced<Victim> {
            using Traced::Traced;
        };
        alignas(Victim) std::array<std::byte, sizeof(Victim)> here;
        alignas(Victim) std::array<std::byte, sizeof(Victim)> there;
        auto* victim = ::new (here.data()) Victim{5};
        std::memcpy(there.data(), here.data(), sizeof(Victim));
        CHECK(std::launder(reinterpret_cast<Victim*>(there.data()))->checked() == corrupt_value);
        CHECK(Victim::ledger().wrong == 1);
        victim->~Victim();
        CHECK(Victim::ledger().alive == 0);
    }

    TEST_CASE("every component reads back the number it was given") {
        const auto round_trip = []<class C>() {
            if constexpr (std::is_move_constructible_v<C> && carries_number<C>) {
                for (const int number : {0, 1, 2, 3, 7, 1000, (1 << 20) - 1}) {
                    const C made = make<C>(number);
                    CHECK(read(made) == number);
                }
            }
        };
        round_trip.operator()<Position>();
        round_trip.operator()<Velocity>();
        round_trip.operator()<Name>();
        round_trip.operator()<Counted>();
        round_trip.operator()<Owner>();
        round_trip.operator()<Bag>();
        round_trip.operator()<Grave>();
        round_trip.operator()<Wide>();
        round_trip.operator()<Score>();
        round_trip.operator()<stoa::Entity>();
    }

    TEST_CASE("scenes are equal each time, and a snapshot sees every change") {
        for (const SceneSettings& settings : all_scenes()) {
            CAPTURE(settings.name);
            Scene one = make_scene(settings);
            Scene two = make_scene(settings);
            const Snapshot before = take_snapshot(one.world, one.indices);
            CHECK(difference(before, take_snapshot(two.world, two.indices)) == "");
            CHECK(before.entities.size() == 6 + std::size_t{settings.crowd} * 3);
            two.world.get<Position>(two.rich).x += 1;
            CHECK(difference(before, take_snapshot(two.world, two.indices)) != "");
        }
        Scene scene = make_scene({.name = "fresh"});
        const Snapshot before = take_snapshot(scene.world, scene.indices);
        scene.world.remove<Grave>(scene.ghost);
        CHECK(before != take_snapshot(scene.world, scene.indices));
        scene.world.add<Flag>(scene.plain);
        CHECK(difference(before, take_snapshot(scene.world, scene.indices)).find("Flag") != std::string::npos);
    }
}
