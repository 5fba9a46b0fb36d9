// Messages while memory runs out or a value throws: a send that throws has sent nothing, the same call then succeeds,
// and nothing leaks. Reading, dropping and ending take no memory.
#include "../support/components.hpp"
#include "../support/fault_allocator.hpp"

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <new>
#include <utility>
#include <vector>

using namespace stoa_test;
using stoa::MessageReader;
using stoa::World;

namespace {

// More types than the first array of queues has room for.
template <int N>
struct Filler {
    int value = N;
};

template <int... Ns>
void fill(World& world, std::integer_sequence<int, Ns...>) {
    (world.send(Filler<Ns>{}), ...);
}

// Sends `count` messages, each of which fails at its n-th allocation or construction until it succeeds.
template <class T, class Faults, class Send>
std::uint64_t send_with_faults(World& world, MessageReader<T>& reader, int count, Send&& send) {
    std::uint64_t thrown = 0;
    for (int i = 0; i < count; ++i) {
        const std::size_t before = reader.size();
        for (std::uint64_t nth = 0;; ++nth) {
            REQUIRE(nth < 100);
            bool fired = false;
            try {
                Faults faults{nth, FaultMode::once};
                try {
                    send(world, i);
                } catch (...) {
                    fired = faults.fired();
                    throw;
                }
            } catch (const std::bad_alloc&) {
            } catch (const PlannedFault&) {
            }
            world.check();
            if (!fired) break;
            ++thrown;
            REQUIRE(reader.size() == before);
        }
        REQUIRE(reader.size() == before + 1);
    }
    int expected = 0;
    for (const T& message : reader.read()) REQUIRE(message.checked() == expected++);
    REQUIRE(expected == count);
    return thrown;
}

template <class T, class Faults, class Send>
std::uint64_t sweep(Send&& send) {
    {
        World first;  // what the process keeps for ever is made now
        fill(first, std::make_integer_sequence<int, 20>{});
        send(first, 0);
    }
    const std::int64_t blocks = live_blocks();
    std::uint64_t thrown = 0;
    {
        World world;
        MessageReader<T> reader{world};
        for (int frame = 0; frame < 3; ++frame) {
            thrown += send_with_faults<T, Faults>(world, reader, 300, send);
            world.end_frame();
        }
    }
    const std::int64_t leaked = live_blocks() - blocks;
    CHECK(leaked == 0);
    CHECK(T::ledger().alive == 0);
    CHECK(T::ledger().wrong == 0);
    return thrown;
}

struct NeverSent {
    int value = 0;
};

}  // namespace

TEST_SUITE("faults of messages") {
    TEST_CASE("a send without memory sends nothing") {
        CHECK(sweep<Counted, AllocationFaults>([](World& world, int i) { world.send(Counted{i}); }) >= 4);
        CHECK(sweep<Clumsy, AllocationFaults>([](World& world, int i) { world.send(Clumsy{i}); }) >= 4);
    }

    TEST_CASE("a send whose constructor throws sends nothing") {
        const auto copy = [](World& world, int i) {
            const Counted value{i};
            world.send(value);
        };
        CHECK(sweep<Counted, ConstructionFaults>(copy) >= 1800);
        CHECK(sweep<Clumsy, ConstructionFaults>([](World& world, int i) { world.send(Clumsy{i}); }) >= 1800);
    }

    TEST_CASE("the first use of a type may run out of memory anywhere") {
        int thrown = 0;
        const auto attempt = [&]<int N>() {
            using T = std::array<NeverSent, static_cast<std::size_t>(N) + 1>;
            World world;
            try {
                const AllocationFaults faults{static_cast<std::uint64_t>(N), FaultMode::once};
                world.send(T{});
            } catch (const std::bad_alloc&) {
                ++thrown;
            }
            world.check();
            MessageReader<T> reader{world};
            world.send(T{});
            CHECK(reader.size() == 1);
            world.check();
        };
        [&]<int... Ns>(std::integer_sequence<int, Ns...>) {
            (attempt.template operator()<Ns>(), ...);
        }(std::make_integer_sequence<int, 12>{});
        CHECK(thrown >= 4);
    }

    TEST_CASE("a reader that cannot be made leaves the world as it was") {
        int thrown = 0;
        for (std::uint64_t nth = 0; nth < 10; ++nth) {
            World world;
            try {
                const AllocationFaults faults{nth, FaultMode::once};
                const MessageReader<Filler<0>> reader{world};
            } catch (const std::bad_alloc&) {
                ++thrown;
            }
            world.check();
            world.send(Filler<0>{});
        }
        CHECK(thrown >= 3);
    }

    TEST_CASE("reading, dropping, moving a reader and the end of a world take no memory") {
        World world;
        World other;
        MessageReader<Counted> reader{world};
        MessageReader<Counted> idle{world};
        for (int i = 0; i < 1000; ++i) world.send(Counted{i});
        {
            const AllocationFaults faults{0, FaultMode::persistent};
            int sum = 0;
            for (const Counted& message : reader.read()) sum += message.checked();
            CHECK(sum == 499500);
            MessageReader<Counted> moved = std::move(reader);
            world.end_frame();
            world.end_frame();
            CHECK(idle.lost() == 1000);
            other = std::move(world);
            other = World{std::move(world)};
        }
        CHECK(Counted::ledger().alive == 0);
        CHECK(idle.empty());
    }
}
