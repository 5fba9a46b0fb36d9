// Reserved ids that belong to one command buffer. IdLeases fills and empties it while no thread records; that of a
// piece of a parallel walk belongs to an IdDealer, which gives it more when it runs out.
//
// Invariant: every id in it is reserved, and belongs to no other lease or list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stoa/detail/entity/directory.hpp"

namespace stoa::detail {

class IdDealer;

class STOA_API IdLease {
  public:
    IdLease() = default;
    IdLease(const IdLease&) = delete;
    IdLease& operator=(const IdLease&) = delete;

    // Returns: a reserved id. Throws Errc::capacity. Threads: one thread for each lease.
    Entity take(const Directory& directory) {
        ++taken_;
        if (next_id_ != ids_.size()) [[likely]]
            return ids_[next_id_++];
        return take_fresh(directory);
    }

  private:
    friend class IdDealer;
    friend class IdLeases;

    Entity take_fresh(const Directory& directory);
    // Forgets the ids that were handed out, and determines how many the lease should hold. Returns: how many are
    // missing. Throws std::bad_alloc.
    std::size_t prepare();
    void add(const IndexRange& range) noexcept { ranges_.push_back(range); }  // requires: room
    std::size_t left() const noexcept;

    std::vector<Entity> ids_;
    std::size_t next_id_ = 0;
    std::vector<IndexRange> ranges_;  // with capacity for all ranges that may be added before the leases end
    std::size_t next_range_ = 0;
    std::uint32_t share_ = 0;
    std::uint32_t ranges_taken_ = 0;  // since the leases began
    std::size_t taken_ = 0;           // ids, since the last prepare()
    std::size_t wanted_ = 16;
    IdLease* next_retired_ = nullptr;
    IdDealer* dealer_ = nullptr;
};

}  // namespace stoa::detail
