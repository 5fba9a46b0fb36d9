// Deals reserved ids to leases that are used at the same time, one for each piece of a parallel walk. What a lease gets
// depends only on how many ids it takes itself, so the ids of a walk do not depend on threads.
//
// The ids that a command buffer would reserve, one after the other, form one sequence. It is divided by position, in
// rounds, and each round deals twice as many ids as the one before:
//
//     lease 0 │ lease 1 │ … │ lease 0        │ lease 1        │ …
//     first_deal ids each     twice as many each
//
// Ids that no lease has handed out stay here for the next walk. A dealer belongs to one command buffer.
//
// Invariant: between walks, every id here is reserved and belongs to no other lease or list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "stoa/detail/entity/id_lease.hpp"

namespace stoa::detail {

class IdDealer {
  public:
    IdDealer() = default;
    // Requires: give_back() was called.
    ~IdDealer();
    IdDealer(const IdDealer&) = delete;
    IdDealer& operator=(const IdDealer&) = delete;

    // Effects: until end(), each of `count` leases has ids of its own. They come from `parent`, or from the directory
    // if that is null; the caller does not use it in the meantime. Throws std::bad_alloc.
    void begin(Directory& directory, IdLease* parent, std::size_t count);
    IdLease& lease(std::size_t number) noexcept { return *leases_[number]; }
    // Effects: takes back what the leases have not handed out. If that is much more than they have, a part of it is
    // given back to the directory.
    void end() noexcept;

    // For a lease that has handed out all of its ids: gives it more. Throws Errc::capacity, std::bad_alloc. Threads:
    // any.
    void deal(IdLease& lease);

    // Effects: gives all ids back to the directory, unless it is null because the world is gone.
    void give_back(Directory* directory) noexcept;

  private:
    static constexpr std::uint64_t first_deal = 16;

    Entity* ids() noexcept { return stock_->ids(); }
    std::size_t size() const noexcept { return stock_ != nullptr ? stock_->count : 0; }
    void add(Entity id) noexcept;  // requires: room
    void reserve(std::size_t count);
    void fill(std::size_t count);
    void trim(std::size_t used) noexcept;

    Directory* directory_ = nullptr;
    IdLease* parent_ = nullptr;
    std::uint64_t count_ = 0;  // leases of this walk
    std::uint64_t dealt_ = 0;  // ids, in this walk
    std::vector<std::unique_ptr<IdLease>> leases_;
    // The front of the sequence; null where an id was dealt. A block as the directory takes it, so that giving ids back
    // needs no memory.
    IdBlock* stock_ = nullptr;
    std::size_t capacity_ = 0;
    std::mutex mutex_;
};

}  // namespace stoa::detail
