// The stock of a dealer, and what each lease gets of it.
#include "entity/id_dealer.hpp"

#include <algorithm>
#include <new>

#include "base/attempt.hpp"
#include "base/block_pool.hpp"

namespace stoa::detail {
namespace {

// A block of ids with room for `count`. Throws std::bad_alloc.
IdBlock* new_id_block(std::size_t count) {
    // Safe: room for the header and the ids, aligned for both.
    return ::new (new_block(IdBlock::header + count * sizeof(Entity), IdBlock::alignment)) IdBlock;
}

}  // namespace

IdDealer::~IdDealer() {
    if (stock_ != nullptr) delete_block(stock_, IdBlock::alignment);
}

void IdDealer::begin(Directory& directory, IdLease* parent, std::size_t count) {
    while (leases_.size() < count) leases_.push_back(std::make_unique<IdLease>());
    directory_ = &directory;
    parent_ = parent;
    count_ = count;
    dealt_ = 0;
    for (std::size_t i = 0; i < count; ++i) {
        IdLease& lease = *leases_[i];
        lease.dealer_ = this;
        lease.share_ = static_cast<std::uint32_t>(i);
        lease.ranges_taken_ = 0;
    }
}

void IdDealer::deal(IdLease& lease) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t count = first_deal << lease.ranges_taken_;
    const std::uint64_t first = count_ * (count - first_deal) + lease.share_ * count;
    lease.ids_.reserve(count);
    fill(first + count);
    lease.ids_.assign(ids() + first, ids() + first + count);
    lease.next_id_ = 0;
    std::fill_n(ids() + first, count, Entity{});
    dealt_ += count;
    ++lease.ranges_taken_;
}

// Makes the stock `count` ids long.
void IdDealer::fill(std::size_t count) {
    reserve(count);
    while (size() < count) add(parent_ != nullptr ? parent_->take(*directory_) : directory_->reserve());
}

void IdDealer::add(Entity id) noexcept {
    // Safe: there is room for another id behind the header.
    ::new (&ids()[stock_->count]) Entity(id);
    ++stock_->count;
}

void IdDealer::reserve(std::size_t count) {
    if (count <= capacity_) return;
    const std::size_t grown = std::max(count, capacity_ * 2);
    IdBlock* const larger = new_id_block(grown);
    IdBlock* const old = stock_;
    stock_ = larger;
    capacity_ = grown;
    if (old == nullptr) return;
    for (std::uint32_t i = 0; i < old->count; ++i) add(old->ids()[i]);
    delete_block(old, IdBlock::alignment);
}

void IdDealer::end() noexcept {
    std::uint64_t left = 0;
    if (stock_ != nullptr) {
        Entity* const last = std::remove(ids(), ids() + size(), Entity{});
        stock_->count = static_cast<std::uint32_t>(last - ids());
        for (std::uint64_t i = 0; i < count_; ++i) {
            IdLease& lease = *leases_[i];
            left += lease.ids_.size() - lease.next_id_;
            for (; lease.next_id_ != lease.ids_.size(); ++lease.next_id_) add(lease.ids_[lease.next_id_]);
        }
        trim(dealt_ - left);
    }
    parent_ = nullptr;
    count_ = 0;
}

void IdDealer::trim(std::size_t used) noexcept {
    constexpr std::size_t few = 4096;
    const std::size_t keep = 2 * used + few;
    if (size() <= 2 * keep) return;
    // Without memory they stay here.
    attempt([&] {
        IdBlock* const rest = new_id_block(size() - keep);
        // Safe: there is room for these ids.
        for (std::size_t i = keep; i < size(); ++i) ::new (&rest->ids()[rest->count++]) Entity(ids()[i]);
        stock_->count = static_cast<std::uint32_t>(keep);
        directory_->give_back_later(rest, rest);
    });
}

void IdDealer::give_back(Directory* directory) noexcept {
    if (directory == nullptr || size() == 0) return;
    directory->give_back_later(stock_, stock_);
    stock_ = nullptr;
    capacity_ = 0;
}

}  // namespace stoa::detail
