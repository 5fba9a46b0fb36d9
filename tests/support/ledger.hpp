// Bookkeeping of objects that tests watch: how many live, how they came to be, and whether one was used that was never
// built or already destroyed. One ledger per family of objects, one countdown for all that makes the n-th construction
// or copy throw, and another one for the callbacks that tests give to the library. Invariant: alive == built -
// destroyed. Called by the instrumented components and by the callbacks of tests.
#pragma once

#include "fault_mode.hpp"

#include <cstdint>

namespace stoa_test {

/// What the countdown throws; unrelated to any error of the library.
struct PlannedFault {};

struct Ledger {
    std::int64_t alive = 0;
    std::uint64_t constructed = 0;  // from nothing or from a value
    std::uint64_t copied = 0;       // constructed or assigned from another
    std::uint64_t moved = 0;
    std::uint64_t destroyed = 0;
    std::uint64_t wrong = 0;  // an object was used where none was built, or was moved as raw bytes

    void reset() { *this = Ledger{}; }
};

/// The ledger of one family of objects.
template <class Family>
inline Ledger ledger_of{};

/// Makes the n-th call (counted from 0) of `spend` throw PlannedFault while an object of this class lives.
template <class Kind>
class Countdown {
  public:
    explicit Countdown(std::uint64_t nth, FaultMode mode = FaultMode::once) {
        remaining_ = static_cast<std::int64_t>(nth);
        mode_ = mode;
        fired_ = false;
    }
    ~Countdown() { remaining_ = -1; }
    Countdown(const Countdown&) = delete;
    Countdown& operator=(const Countdown&) = delete;

    bool fired() const { return fired_; }

    static void spend() {
        if (remaining_ < 0) {
            return;
        }
        if (remaining_ > 0) {
            --remaining_;
            return;
        }
        if (mode_ == FaultMode::once) {
            remaining_ = -1;
        }
        fired_ = true;
        throw PlannedFault{};
    }

  private:
    inline static std::int64_t remaining_ = -1;  // negative: none is planned
    inline static FaultMode mode_ = FaultMode::once;
    inline static bool fired_ = false;
};

/// Spent by a watched object before it is built or copied.
using ConstructionFaults = Countdown<struct Constructions>;
/// Spent by every callback that a test gives to the library.
using CallbackFaults = Countdown<struct Callbacks>;

}  // namespace stoa_test
