// Which fresh indices belong to whom while several command buffers record side by side, so that each gets the same ids
// whatever the threads do.
//
// Every lease has a share of the fresh indices; recorders without a lease have the last share together. Indices are
// dealt in ranges, whose sizes double:
//
//     first │ share 0 │ share 1 │ … │ all others │ share 0        │ share 1        │ …
//             first_range indices each             twice as many each
//
// So a lease that runs out knows its next range without asking anyone, and which ids it gets depends on nothing but how
// many it takes.
//
// Invariant: while leases are active, no index from the first on is reserved by any other way. One per directory.
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

    // Effects: until end(), each of these leases has ids of its own. Requires: nobody reserves meanwhile; in between,
    // Directory::reserve works on. Throws std::bad_alloc, Errc::capacity: then they are not active.
    void begin(std::span<IdLease* const> leases);
    void end(std::span<IdLease* const> leases) noexcept;
    bool active() const noexcept { return shares_ != 0; }

    // Gives back what a lease has more than it needs, unless ids wait to be settled.
    void trim(std::span<IdLease* const> leases) noexcept;
    // Gives all ids of a lease back, at the next Directory::settle if ids wait for that. Owns the lease, which was made
    // by new, from now on.
    void retire(IdLease* lease) noexcept;

    // For the directory. A fresh id for a recorder without a lease. Requires: active(). Throws Errc::capacity.
    // Threads: may run beside itself.
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
