// Divides the fresh indices among command buffers that record concurrently, so that the ids of each buffer do not
// depend on the timing of threads.
//
// Every lease has a share of the fresh indices; buffers without a lease use the last share together. Indices are
// assigned in ranges, whose sizes double:
//
//     first │ share 0 │ share 1 │ … │ all others │ share 0        │ share 1        │ …
//             first_range indices each             twice as many each
//
// So a lease that runs out computes its next range without synchronisation, and its ids depend only on how many it
// takes.
//
// Invariant: while leases are active, indices from the first on are reserved only through their shares. One per
// directory.
#pragma once

#include <cstdint>
#include <span>

#include "stoa/detail/base/config.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

class Directory;
class IdLease;

// Consecutive indices that no entity has used.
struct IndexRange {
    std::uint64_t first;
    std::uint64_t count;
};

class STOA_API IdLeases {
  public:
    explicit IdLeases(Directory& directory) noexcept : directory_(directory) {}
    ~IdLeases();
    IdLeases(const IdLeases&) = delete;
    IdLeases& operator=(const IdLeases&) = delete;

    // Effects: until end(), each of these leases has ids of its own. Requires: no thread reserves during the call.
    // While leases are active, Directory::reserve still works. Throws std::bad_alloc, Errc::capacity: then they are not
    // active.
    void begin(std::span<IdLease* const> leases);
    void end(std::span<IdLease* const> leases) noexcept;
    bool active() const noexcept { return shares_ != 0; }

    // Gives back the ids that a lease does not need, unless reserved ids are not settled yet.
    void trim(std::span<IdLease* const> leases) noexcept;
    // Gives back all ids of a lease, at the next Directory::settle if reserved ids are not settled yet. Takes ownership
    // of the lease, which was made by new.
    void retire(IdLease* lease) noexcept;

    // For the directory. A fresh id for a buffer without a lease. Requires: active(). Throws Errc::capacity. Threads:
    // may run concurrently with itself.
    Entity take_unleased();
    // For the directory. Gives back the ids of retired leases. Requires: settled.
    void return_retired() noexcept;

  private:
    friend class IdLease;

    static constexpr std::uint32_t first_range = 256;
    static constexpr std::uint32_t most_ranges = 24;

    // The range of a share: number 0 is the first one it gets.
    IndexRange range(std::uint32_t share, std::uint32_t number) const noexcept;
    void return_ids(IdLease& lease, std::size_t keep) noexcept;  // requires: settled

    Directory& directory_;
    std::uint32_t shares_ = 0;          // 0 while no leases are active
    std::uint64_t unleased_taken_ = 0;  // from the last share
    std::uint64_t first_index_ = 0;
    IdLease* retired_ = nullptr;  // whose ids go back at the next settle
};

}  // namespace stoa::detail
