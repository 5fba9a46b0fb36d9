// Memory that runs out on demand. The test programs replace every form of operator new and delete; while an
// AllocationFaults object lives on a thread, the n-th allocation of that thread fails (once, or from then on), and
// everything is counted. Invariant: without such an object allocation behaves as usual. Called by the fault loops.
#pragma once

#include "fault_mode.hpp"

#include <cstdint>

namespace stoa_test {

/// Makes the n-th allocation of this thread (counted from 0) fail while this object lives.
class AllocationFaults {
  public:
    AllocationFaults(std::uint64_t nth, FaultMode mode);
    ~AllocationFaults();
    AllocationFaults(const AllocationFaults&) = delete;
    AllocationFaults& operator=(const AllocationFaults&) = delete;

    /// Whether an allocation has failed since this object was made.
    bool fired() const;
};

/// Fills each block that this thread allocates with a repeated word while this object lives, as memory that a program
/// used before might be filled.
class FilledMemory {
  public:
    explicit FilledMemory(std::uint64_t word);
    ~FilledMemory();
    FilledMemory(const FilledMemory&) = delete;
    FilledMemory& operator=(const FilledMemory&) = delete;
};

/// Returns how many allocations this thread has asked for since it started.
std::uint64_t allocations_of_thread();

/// Returns how many allocations all threads together have asked for.
std::uint64_t allocations_of_process();

/// Returns how many blocks of the whole process are allocated and not yet freed.
std::int64_t live_blocks();

}  // namespace stoa_test
