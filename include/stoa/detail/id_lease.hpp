// A stock of reserved ids that belongs to one command buffer, so that buffers which record side by side get the same ids
// whatever the threads do. Filled and emptied by the Directory while nobody records; see Directory::begin_leases.
//
// Invariant: every id in the stock is reserved, and in no other place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stoa/detail/directory.hpp"

namespace stoa::detail {

class STOA_API IdLease {
  public:
    IdLease() = default;
    IdLease(const IdLease&) = delete;
    IdLease& operator=(const IdLease&) = delete;

    // A reserved id. Throws Errc::capacity.
    Entity take(const Directory& directory) {
        ++taken_;
        if (next_ != stock_.size()) [[likely]] return stock_[next_++];
        return take_fresh(directory);
    }

  private:
    friend class Directory;

    // Indices that were never used.
    struct Range {
        std::uint32_t first;
        std::uint32_t count;
    };

    Entity take_fresh(const Directory& directory);
    void add(const Directory::Block& block) noexcept;  // requires: room
    std::size_t left() const;

    std::vector<Entity> stock_;
    std::size_t next_ = 0;
    std::vector<Range> fresh_;     // with room for all that may come before the leases end
    std::size_t fresh_next_ = 0;
    std::uint32_t seat_ = 0;
    std::uint32_t blocks_ = 0;     // claimed since the leases began
    std::size_t taken_ = 0;        // since the stock was last filled up
    std::size_t target_ = 16;
    IdLease* next_ended_ = nullptr;
};

}  // namespace stoa::detail
