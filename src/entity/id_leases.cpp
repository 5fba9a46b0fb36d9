// Assigns ranges of fresh indices to leases, and takes ids back.
#include "stoa/detail/entity/id_leases.hpp"

#include <algorithm>
#include <utility>

#include "entity/id_dealer.hpp"
#include "stoa/detail/entity/directory.hpp"
#include "stoa/detail/entity/id_lease.hpp"

namespace stoa::detail {

IndexRange IdLeases::range(std::uint32_t share, std::uint32_t number) const noexcept {
    const std::uint64_t before = std::uint64_t{shares_} * first_range * ((std::uint64_t{1} << number) - 1);
    const std::uint64_t size = std::uint64_t{first_range} << number;
    return {first_index_ + before + share * size, size};
}

Entity IdLease::take_fresh(const Directory& directory) {
    if (dealer_ != nullptr) {
        dealer_->deal(*this);
        return ids_[next_id_++];
    }
    if (next_range_ == ranges_.size()) {
        const IndexRange range = directory.leases().range(share_, ranges_taken_);
        if (ranges_taken_ == IdLeases::most_ranges || range.first + range.count > Directory::none)
            directory.fail_capacity(1, "spawn");
        ++ranges_taken_;
        add(range);
    }
    IndexRange& range = ranges_[next_range_];
    const std::uint64_t index = range.first++;
    if (--range.count == 0) ++next_range_;
    return entity_of(index, directory.first_generation_);
}

std::size_t IdLease::left() const noexcept {
    std::size_t count = ids_.size() - next_id_;
    for (std::size_t i = next_range_; i < ranges_.size(); ++i) count += ranges_[i].count;
    return count;
}

std::size_t IdLease::prepare() {
    ids_.erase(ids_.begin(), ids_.begin() + static_cast<std::ptrdiff_t>(next_id_));
    ranges_.erase(ranges_.begin(), ranges_.begin() + static_cast<std::ptrdiff_t>(next_range_));
    next_id_ = next_range_ = 0;
    ranges_.reserve(ranges_.size() + 2 * IdLeases::most_ranges);
    // As many as the lease used last time, and some more.
    wanted_ = std::max(wanted_ - wanted_ / 8, taken_ + taken_ / 4 + 16);
    taken_ = 0;
    ids_.reserve(wanted_);
    return wanted_ - std::min(wanted_, left());
}

IdLeases::~IdLeases() {
    while (retired_ != nullptr) delete std::exchange(retired_, retired_->next_retired_);
}

void IdLeases::begin(std::span<IdLease* const> leases) {
    for (IdLease* lease : leases) {
        for (std::size_t missing = lease->prepare(); missing != 0; --missing) {
            lease->ids_.push_back(directory_.reserve());
        }
    }
    // Nothing fails from here on.
    std::uint32_t share = 0;
    for (IdLease* lease : leases) {
        lease->share_ = share++;
        lease->ranges_taken_ = 0;
    }
    shares_ = share + 1;
    unleased_taken_ = 0;
    first_index_ = directory_.first_unreserved();
}

Entity IdLeases::take_unleased() {
    std::uint64_t at = __atomic_fetch_add(&unleased_taken_, 1, __ATOMIC_RELAXED);
    for (std::uint32_t number = 0; number < most_ranges; ++number) {
        const IndexRange own = range(shares_ - 1, number);
        if (at < own.count) {
            if (own.first + at >= Directory::none) break;
            return entity_of(own.first + at, directory_.first_generation_);
        }
        at -= own.count;
    }
    __atomic_fetch_sub(&unleased_taken_, 1, __ATOMIC_RELAXED);
    directory_.fail_capacity(1, "spawn");
}

void IdLeases::end(std::span<IdLease* const> leases) noexcept {
    // All ranges up to the last one that a share has reached are reserved now.
    std::uint64_t unleased = unleased_taken_;
    std::uint32_t reached = 0;
    for (const IdLease* lease : leases) reached = std::max(reached, lease->ranges_taken_);
    while (unleased > first_range * ((std::uint64_t{1} << reached) - 1)) ++reached;
    directory_.add_pending(static_cast<std::uint32_t>(range(0, reached).first - first_index_));
    for (std::uint32_t number = 0; number < reached; ++number) {
        for (IdLease* lease : leases) {
            if (number >= lease->ranges_taken_) lease->add(range(lease->share_, number));
        }
        // What is left of the last share goes to the first lease.
        IndexRange rest = range(shares_ - 1, number);
        const std::uint64_t used = std::min(unleased, rest.count);
        unleased -= used;
        rest.first += used;
        rest.count -= used;
        if (rest.count != 0) leases[0]->add(rest);
    }
    shares_ = 0;
}

void IdLeases::return_ids(IdLease& lease, std::size_t keep) noexcept {
    for (std::size_t left = lease.left(); left > keep;) {
        if (lease.next_range_ == lease.ranges_.size()) {
            directory_.give_back(lease.ids_.back());
            lease.ids_.pop_back();
            --left;
            continue;
        }
        IndexRange& range = lease.ranges_.back();
        const std::uint64_t count = std::min<std::uint64_t>(range.count, left - keep);
        range.count -= count;
        left -= count;
        const std::uint64_t first = range.first + range.count;
        for (std::uint64_t i = 0; i < count; ++i)
            directory_.give_back(entity_of(first + i, directory_.first_generation_));
        if (range.count == 0) lease.ranges_.pop_back();
    }
}

void IdLeases::trim(std::span<IdLease* const> leases) noexcept {
    if (directory_.unsettled()) return;
    for (IdLease* lease : leases) return_ids(*lease, 2 * lease->wanted_ + first_range);
}

void IdLeases::retire(IdLease* lease) noexcept {
    lease->next_retired_ = std::exchange(retired_, lease);
    if (!directory_.unsettled()) return_retired();
}

void IdLeases::return_retired() noexcept {
    // In FIFO order.
    IdLease* in_order = nullptr;
    while (retired_ != nullptr) {
        IdLease* const lease = std::exchange(retired_, retired_->next_retired_);
        lease->next_retired_ = std::exchange(in_order, lease);
    }
    while (in_order != nullptr) {
        return_ids(*in_order, 0);
        delete std::exchange(in_order, in_order->next_retired_);
    }
}

}  // namespace stoa::detail
