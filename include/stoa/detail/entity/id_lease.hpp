// Reserved ids that belong to one command buffer. Filled and emptied by IdLeases while nobody records.
//
// Invariant: every id in it is reserved, and in no other place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stoa/detail/entity/directory.hpp"

namespace stoa::detail {

class STOA_API IdLease {
  public:
    IdLease() = default;
    IdLease(const IdLease&) = delete;
    IdLease& operator=(const IdLease&) = delete;

    // Returns: a reserved id. Throws Errc::capacity. Threads: one for each lease.
    Entity take(const Directory& directory) {
        ++taken_;
        if (next_id_ != ids_.size()) [[likely]]
            return ids_[next_id_++];
        return take_fresh(directory);
    }

  private:
    friend class IdLeases;

    Entity take_fresh(const Directory& directory);
    // Forgets what was handed out and decides how many ids to have. Returns: how many are missing. Throws
    // std::bad_alloc.
    std::size_t prepare();
    void add(const IndexRange& range) noexcept { ranges_.push_back(range); }  // requires: room
    std::size_t left() const noexcept;

    std::vector<Entity> ids_;
    std::size_t next_id_ = 0;
    std::vector<IndexRange> ranges_;  // with room for all that may come before the leases end
    std::size_t next_range_ = 0;
    std::uint32_t share_ = 0;
    std::uint32_t ranges_taken_ = 0;  // since the leases began
    std::size_t taken_ = 0;           // ids, since the last prepare()
    std::size_t wanted_ = 16;
    IdLease* next_retired_ = nullptr;
};

}  // namespace stoa::detail
