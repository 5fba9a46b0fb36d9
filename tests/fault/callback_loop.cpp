// The loop itself; callback_loop.hpp says what it checks.
#include "callback_loop.hpp"

#include "../support/fault_allocator.hpp"
#include "../support/type_list.hpp"

#include <doctest/doctest.h>

namespace stoa_test {

std::int64_t watched_objects() {
    std::int64_t sum = 0;
    AllComponents::each([&]<class C>() {
        if constexpr (requires { C::ledger(); }) {
            sum += C::ledger().alive + static_cast<std::int64_t>(C::ledger().wrong) * 1'000'000;
        }
    });
    return sum;
}

bool throws_at(std::uint64_t nth, const std::function<void()>& work) {
    const CallbackFaults faults(nth);
    const bool thrown = throws(work);
    CHECK(thrown == faults.fired());
    return faults.fired();
}

std::uint64_t loop_callbacks(const std::function<bool(std::uint64_t)>& attempt) {
    constexpr std::uint64_t runaway = 5'000;
    attempt(runaway);  // what a process keeps for good, such as its list of types, is there from now on
    for (std::uint64_t nth = 0; nth < runaway; ++nth) {
        CAPTURE(nth);
        const std::int64_t objects = watched_objects();
        const std::int64_t blocks = live_blocks();
        const bool fired = attempt(nth);
        CHECK(watched_objects() == objects);
        CHECK_MESSAGE(live_blocks() == blocks, "memory leaked");
        if (!fired) {
            return nth;
        }
    }
    FAIL("the fault loop does not end");
    return 0;
}

}  // namespace stoa_test
