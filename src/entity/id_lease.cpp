// Leases: how ids are dealt out to buffers that record side by side, and taken back.
//
// Every lease has a seat. Fresh indices beyond the last reserved one are dealt to the seats in blocks, whose sizes double:
//
//     first │ seat 0 │ seat 1 │ … │ all others │ seat 0          │ seat 1          │ …
//             base_block indices each            twice as many each
//
// So a seat that runs out knows its next block without asking anyone, and which ids it gets depends on nothing but how many it
// takes. Recorders without a lease share the last seat.
#include "stoa/detail/id_lease.hpp"

#include <algorithm>
#include <utility>

#include "stoa/detail/directory.hpp"

namespace stoa::detail {

Directory::Block Directory::block(std::uint32_t seat, std::uint32_t number) const noexcept {
    const std::uint64_t before = std::uint64_t{seats_} * base_block * ((std::uint64_t{1} << number) - 1);
    const std::uint64_t size = std::uint64_t{base_block} << number;
    return {first_leased_ + before + seat * size, size};
}

Entity IdLease::take_fresh(const Directory& directory) {
    if (fresh_next_ == fresh_.size()) {
        const Directory::Block block = directory.block(seat_, blocks_);
        if (blocks_ == Directory::most_blocks || block.first + block.size > Directory::nil) directory.fail_capacity(1, "spawn");
        ++blocks_;
        add(block);
    }
    Range& range = fresh_[fresh_next_];
    const std::uint32_t index = range.first++;
    if (--range.count == 0) ++fresh_next_;
    return Entity::from_bits((std::uint64_t{directory.first_generation_} << 32) | index);
}

void IdLease::add(const Directory::Block& block) noexcept {
    fresh_.push_back({static_cast<std::uint32_t>(block.first), static_cast<std::uint32_t>(block.size)});
}

std::size_t IdLease::left() const {
    std::size_t count = stock_.size() - next_;
    for (std::size_t i = fresh_next_; i < fresh_.size(); ++i) count += fresh_[i].count;
    return count;
}

void Directory::begin_leases(std::span<IdLease* const> leases) {
    for (IdLease* lease : leases) {
        lease->stock_.erase(lease->stock_.begin(), lease->stock_.begin() + static_cast<std::ptrdiff_t>(lease->next_));
        lease->fresh_.erase(lease->fresh_.begin(), lease->fresh_.begin() + static_cast<std::ptrdiff_t>(lease->fresh_next_));
        lease->next_ = lease->fresh_next_ = 0;
        lease->fresh_.reserve(lease->fresh_.size() + 2 * most_blocks);
        // As many as it took last time, and some more.
        lease->target_ = std::max(lease->target_ - lease->target_ / 8, lease->taken_ + lease->taken_ / 4 + 16);
        lease->taken_ = 0;
        lease->stock_.reserve(lease->target_);
        for (std::size_t have = lease->left(); have < lease->target_; ++have) lease->stock_.push_back(reserve());
    }
    // Nothing fails from here on.
    std::uint32_t seat = 0;
    for (IdLease* lease : leases) {
        lease->seat_ = seat++;
        lease->blocks_ = 0;
    }
    seats_ = seat + 1;
    others_taken_ = 0;
    first_leased_ = std::uint64_t{size_} + pending_;
}

// An id for a recorder without a lease, while there are leases.
Entity Directory::reserve_beside_leases() {
    std::uint64_t at = __atomic_fetch_add(&others_taken_, 1, __ATOMIC_RELAXED);
    for (std::uint32_t number = 0; number < most_blocks; ++number) {
        const Block own = block(seats_ - 1, number);
        if (at < own.size) {
            if (own.first + at >= nil) break;
            return Entity::from_bits((std::uint64_t{first_generation_} << 32) | (own.first + at));
        }
        at -= own.size;
    }
    __atomic_fetch_sub(&others_taken_, 1, __ATOMIC_RELAXED);
    fail_capacity(1, "spawn");
}

void Directory::end_leases(std::span<IdLease* const> leases) noexcept {
    // Up to the largest block that anyone has reached, all blocks are reserved now.
    std::uint64_t others = others_taken_;
    std::uint32_t blocks = 0;
    for (const IdLease* lease : leases) blocks = std::max(blocks, lease->blocks_);
    while (others > base_block * ((std::uint64_t{1} << blocks) - 1)) ++blocks;
    pending_ += static_cast<std::uint32_t>(block(0, blocks).first - first_leased_);
    if (blocks != 0) ready_ = 0;
    for (std::uint32_t number = 0; number < blocks; ++number) {
        for (IdLease* lease : leases) {
            if (number >= lease->blocks_) lease->add(block(lease->seat_, number));
        }
        // What is left of the last seat goes to the first one.
        Block rest = block(seats_ - 1, number);
        const std::uint64_t used = std::min(others, rest.size);
        others -= used;
        rest.first += used;
        rest.size -= used;
        if (rest.size != 0) leases[0]->add(rest);
    }
    seats_ = 0;
}

void Directory::return_ids(IdLease& lease, std::size_t keep) noexcept {
    for (std::size_t left = lease.left(); left > keep;) {
        if (lease.fresh_next_ == lease.fresh_.size()) {
            give_back(lease.stock_.back());
            lease.stock_.pop_back();
            --left;
            continue;
        }
        IdLease::Range& range = lease.fresh_.back();
        const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(range.count, left - keep));
        for (std::uint32_t i = 0; i < count; ++i) {
            give_back(Entity::from_bits((std::uint64_t{first_generation_} << 32) | (range.first + range.count - count + i)));
        }
        range.count -= count;
        left -= count;
        if (range.count == 0) lease.fresh_.pop_back();
    }
}

void Directory::trim_leases(std::span<IdLease* const> leases) noexcept {
    if (unsettled()) return;
    for (IdLease* lease : leases) return_ids(*lease, 2 * lease->target_ + base_block);
}

void Directory::end_lease(IdLease* lease) noexcept {
    lease->next_ended_ = std::exchange(ended_leases_, lease);
    if (!unsettled()) return_ended_leases();
}

void Directory::return_ended_leases() noexcept {
    // First ended, first returned.
    IdLease* in_order = nullptr;
    while (ended_leases_ != nullptr) {
        IdLease* const lease = std::exchange(ended_leases_, ended_leases_->next_ended_);
        lease->next_ended_ = std::exchange(in_order, lease);
    }
    while (in_order != nullptr) {
        return_ids(*in_order, 0);
        delete std::exchange(in_order, in_order->next_ended_);
    }
}

}  // namespace stoa::detail
