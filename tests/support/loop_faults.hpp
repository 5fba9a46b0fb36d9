// The fault loop: run one operation on equal worlds again and again, and let its first, second, third … allocation
// (or construction) fail, until it completes untouched. After each fault the world must be as it was, check() must
// pass, and the same call must then succeed and give what it gives in a world without faults. Nothing may leak, and
// nothing may be destroyed that was never built. Called by the tests in tests/fault.
#pragma once

#include "fault_allocator.hpp"
#include "ledger.hpp"
#include "scene.hpp"
#include "snapshot.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace stoa_test {

enum class FaultKind { allocation_once, allocation_persistent, construction };

/// What a loop may end in. `may_throw`: the fault reaches the caller, or is absorbed and the call succeeds.
/// `must_succeed`: the operation promises never to fail for lack of memory.
enum class Promise { may_throw, must_succeed };

struct FaultCount {
    std::uint64_t thrown = 0;    // the fault reached the caller
    std::uint64_t absorbed = 0;  // the fault happened and the call succeeded all the same
    std::uint64_t points() const { return thrown + absorbed; }
    FaultCount& operator+=(const FaultCount& other) {
        thrown += other.thrown;
        absorbed += other.absorbed;
        return *this;
    }
};

using MakeScene = std::function<Scene()>;
using Operation = std::function<void(Scene&)>;
/// Asks questions of the world after the operation succeeded; runs without faults.
using Verify = std::function<void(Scene&)>;

/// Loops the fault point over one operation on one scene.
FaultCount loop_faults(FaultKind kind, Promise promise, const MakeScene& make, const Operation& operation,
                       const Verify& verify = {});

/// Loops over every scene with every kind of fault and returns the sum, so that callers can demand a minimum.
FaultCount sweep_faults(const std::string& verb, Promise promise, const Operation& operation,
                        const Verify& verify = {});

}  // namespace stoa_test
