// The loop over callbacks that throw at their n-th call, and what must balance after each of them. Called by the fault
// loops over callbacks.
#pragma once

#include "../support/ledger.hpp"

#include <cstdint>
#include <functional>

namespace stoa_test {

/// Runs `work` and tells whether a planned fault came out of it.
template <class Work>
bool throws(Work&& work) {
    try {
        work();
    } catch (const PlannedFault&) {
        return true;
    }
    return false;
}

/// Runs `work` with a fault at the n-th callback. The fault must come out of it. Returns whether it has happened.
bool throws_at(std::uint64_t nth, const std::function<void()>& work);

/// Calls `attempt(nth)`, which returns whether the fault has happened, for every n until it has not. After each call
/// all watched objects and all memory must be gone. Returns how often the fault has happened.
std::uint64_t loop_callbacks(const std::function<bool(std::uint64_t)>& attempt);

/// How many watched objects are alive; millions more if one was misused.
std::int64_t watched_objects();

}  // namespace stoa_test
