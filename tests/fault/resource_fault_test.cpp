// Resources while memory runs out or a value throws: the world has the new value, or is exactly as it was, with the old
// value at its old address. Removing needs no memory. Nothing leaks.
#include "../support/components.hpp"
#include "../support/fault_allocator.hpp"

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <new>
#include <type_traits>
#include <utility>

using namespace stoa_test;
using stoa::World;

namespace {

// More types than the first block of cells holds, so that setting the last of them grows it.
template <int N>
struct Filler {
    int value = N;
};

template <int... Ns>
void fill(World& world, std::integer_sequence<int, Ns...>) {
    (world.set_resource(Filler<Ns>{}), ...);
}

struct Huge {
    explicit Huge(int n) : number(n) {}
    Counted number;
    std::array<char, 1 << 20> bytes{};
};

// What can be seen of one resource.
template <class R>
struct View {
    explicit View(const World& world) : address(world.find_resource<const R>()) {
        if (address == nullptr) return;
        if constexpr (std::is_same_v<R, Huge>) {
            number = address->number.checked();
        } else {
            number = address->checked();
        }
    }
    const R* address;
    int number = -1;
    friend bool operator==(const View&, const View&) = default;
};

using Operation = std::function<void(World&)>;

template <class Faults>
bool survives(Faults& faults, const Operation& operation, World& world, bool& thrown) {
    try {
        operation(world);
    } catch (const std::bad_alloc&) {
        thrown = true;
    } catch (const PlannedFault&) {
        thrown = true;
    }
    return !faults.fired();
}

// Lets each allocation, then each construction of `operation` fail, in worlds with and without an R. Returns how many
// faults reached the caller.
template <class R>
int sweep(const Operation& operation) {
    int total = 0;
    {
        World first;  // what the process keeps for ever is made now
        fill(first, std::make_integer_sequence<int, 20>{});
        operation(first);
    }
    for (const bool construction : {false, true}) {
        for (const bool present : {false, true}) {
            for (const bool small : {false, true}) {
                for (std::uint64_t nth = 0;; ++nth) {
                    REQUIRE(nth < 100);
                    CAPTURE(construction);
                    CAPTURE(present);
                    CAPTURE(nth);
                    const std::int64_t blocks = live_blocks();
                    bool done = false;
                    bool thrown = false;
                    {
                        World world;
                        if (!small) fill(world, std::make_integer_sequence<int, 20>{});
                        if (present) world.emplace_resource<R>(1);
                        const View<R> before{world};
                        if (construction) {
                            ConstructionFaults faults{nth};
                            done = survives(faults, operation, world, thrown);
                        } else {
                            AllocationFaults faults{nth, FaultMode::once};
                            done = survives(faults, operation, world, thrown);
                        }
                        if (thrown) {
                            CHECK(View<R>{world} == before);
                            world.check();
                            world.spawn();
                            operation(world);
                        }
                        CHECK(View<R>{world}.number == 2);
                        world.check();
                    }
                    CHECK_MESSAGE(live_blocks() == blocks, "memory leaked");
                    CHECK(Counted::ledger().alive + Pinned::ledger().alive + Clumsy::ledger().alive == 0);
                    total += thrown;
                    if (done) break;
                }
            }
        }
    }
    CHECK(Counted::ledger().wrong + Pinned::ledger().wrong + Clumsy::ledger().wrong == 0);
    return total;
}

// The registry notes a type once in a process, so each try has a type of its own.
template <int... Ns>
int first_uses(std::integer_sequence<int, Ns...>) {
    int thrown = 0;
    const auto attempt = [&]<int N>() {
        using R = std::array<Filler<-1>, static_cast<std::size_t>(N) + 1>;
        World world;
        CHECK_FALSE(world.has_resource<R>());
        world.set_resource(Filler<0>{});
        try {
            const AllocationFaults faults{static_cast<std::uint64_t>(N), FaultMode::once};
            world.set_resource(R{});
        } catch (const std::bad_alloc&) {
            ++thrown;
            CHECK_FALSE(world.has_resource<R>());
        }
        world.set_resource(R{});
        CHECK(world.has_resource<R>());
        world.check();
    };
    (attempt.template operator()<Ns>(), ...);
    return thrown;
}

struct NeverSet {
    int value = 0;
};

}  // namespace

TEST_SUITE("faults of resources") {
    TEST_CASE("a resource that fails to be set leaves the old one, or none") {
        CHECK(sweep<Counted>([](World& w) { w.emplace_resource<Counted>(2); }) >= 7);
        CHECK(sweep<Counted>([](World& w) { w.set_resource(Counted{2}); }) >= 7);
        CHECK(sweep<Counted>([](World& w) {
                  const Counted value{2};
                  w.set_resource(value);
              }) >= 11);
        CHECK(sweep<Pinned>([](World& w) { w.emplace_resource<Pinned>(2); }) >= 8);
        CHECK(sweep<Clumsy>([](World& w) { w.emplace_resource<Clumsy>(2); }) >= 8);
        CHECK(sweep<Clumsy>([](World& w) { w.set_resource(Clumsy{2}); }) >= 12);
        CHECK(sweep<Huge>([](World& w) { w.emplace_resource<Huge>(2); }) >= 8);
    }

    TEST_CASE("the first use of a type may run out of memory anywhere") {
        CHECK(first_uses(std::make_integer_sequence<int, 12>{}) >= 1);
    }

    TEST_CASE("replacing a small resource that can be assigned takes no memory") {
        World world;
        world.emplace_resource<Counted>(1);
        const AllocationFaults faults{0, FaultMode::persistent};
        world.emplace_resource<Counted>(2);
        world.set_resource(Counted{3});
        CHECK(world.resource<Counted>().checked() == 3);
        CHECK_FALSE(faults.fired());
    }

    TEST_CASE("removing a resource, asking for one and the end of a world take no memory") {
        World world;
        World other;
        world.emplace_resource<Pinned>(1);
        world.emplace_resource<Huge>(2);
        other.emplace_resource<Pinned>(3);
        {
            const AllocationFaults faults{0, FaultMode::persistent};
            CHECK(world.remove_resource<Pinned>());
            CHECK_FALSE(world.remove_resource<Pinned>());
            CHECK(world.has_resource<Huge>());
            other = std::move(world);
        }
        CHECK(Pinned::ledger().alive == 0);
        CHECK(other.has_resource<Huge>());
    }

    TEST_CASE("a question about a type that was never used is answered without memory") {
        World world;
        world.set_resource(1);
        const AllocationFaults faults{0, FaultMode::persistent};
        CHECK_FALSE(world.has_resource<NeverSet>());
        CHECK(world.find_resource<NeverSet>() == nullptr);
        CHECK_FALSE(world.remove_resource<NeverSet>());
    }
}
