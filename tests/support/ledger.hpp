// Bookkeeping of objects that tests watch: how many live, how they came to be, and whether one was used that was never
// built or already destroyed. One ledger per family of objects, and one countdown for all that makes the n-th
// construction or copy throw. Invariant: alive == built - destroyed. Called by the instrumented components.
#pragma once

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

/// Makes the n-th construction or copy (counted from 0) of any watched object throw PlannedFault, once.
class ConstructionFaults {
  public:
    explicit ConstructionFaults(std::uint64_t nth) {
        remaining_ = static_cast<std::int64_t>(nth);
        fired_ = false;
    }
    ~ConstructionFaults() { remaining_ = -1; }
    ConstructionFaults(const ConstructionFaults&) = delete;
    ConstructionFaults& operator=(const ConstructionFaults&) = delete;

    bool fired() const { return fired_; }

    /// Called by a watched object before it is built or copied.
    static void spend() {
        if (remaining_ < 0) {
            return;
        }
        if (remaining_-- == 0) {
            fired_ = true;
            throw PlannedFault{};
        }
    }

  private:
    inline static std::int64_t remaining_ = -1;
    inline static bool fired_ = false;
};

}  // namespace stoa_test
