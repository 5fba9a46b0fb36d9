// The loop of faults for operations that make a world of their own: the n-th allocation fails, for every n, until the
// operation completes. Nothing may leak. Used by the tests of watches, caches and signals.
#pragma once

#include "../support/fault_allocator.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>

namespace stoa_test {

/// Runs `attempt(n)` with a fault at the n-th allocation until it succeeds; `attempt` makes a world of its own.
inline void loop_allocations(const std::function<bool(std::uint64_t)>& attempt) {
    attempt(1'000'000);  // what a process keeps for good is there from now on
    for (std::uint64_t nth = 0; nth < 2000; ++nth) {
        CAPTURE(nth);
        const std::int64_t blocks = live_blocks();
        const bool done = attempt(nth);
        CHECK(live_blocks() == blocks);
        if (done) return;
    }
    FAIL("the loop does not end");
}

}  // namespace stoa_test
