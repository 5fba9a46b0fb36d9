// Guards that the frames of the showcase take no memory once its population has settled: what they need is kept from
// the frames before. It is the simulation of examples/swarm itself, without its pictures. What oneTBB keeps for its
// tasks is not counted.
#include "../../examples/swarm/simulation.hpp"

#include <cstddef>
#include <cstdint>

#include <doctest/doctest.h>

#include "support/fault_allocator.hpp"

TEST_CASE("showcase: a settled frame allocates nothing") {
    constexpr std::size_t motes = 10000;
    constexpr int settled =
        100;                     // there are 660 embers then and never 1024, which is when their table would grow again
    constexpr int frames = 300;  // a schedule looks again at its jobs every 256 runs
    for (const std::size_t threads : {1U, 2U}) {
        swarm::Simulation simulation(motes, 7, threads);
        std::size_t changes = 0;
        for (int frame = 0; frame < settled + frames; ++frame) {
            CAPTURE(threads);
            CAPTURE(frame);
            const std::uint64_t before = stoa_test::allocations_of_process();
            simulation.step();
            const std::uint64_t allocations = stoa_test::allocations_of_process() - before;
            if (frame >= settled) CHECK(allocations == 0);
            changes += simulation.changes().born + simulation.changes().died + simulation.changes().quenched;
        }
        CHECK(changes > motes);  // it lived
    }
}
