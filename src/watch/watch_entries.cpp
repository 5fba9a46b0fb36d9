// The hash table of a watch.
#include "stoa/detail/watch/watch_entries.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace stoa::detail {

std::size_t WatchEntries::position_of(Entity entity) const {
    const std::size_t mask = entries_.size() - 1;
    std::size_t at = std::hash<Entity>{}(entity)&mask;
    while (entries_[at].epoch == epoch_ && entries_[at].entity != entity) at = (at + 1) & mask;
    return at;
}

std::size_t WatchEntries::capacity_for(std::size_t count) const {
    std::size_t capacity = entries_.size();
    while (capacity < 2 * (used_ + count)) capacity *= 2;
    return capacity;
}

void WatchEntries::reserve(std::size_t capacity) {
    std::vector<WatchEntry> old = std::exchange(entries_, std::vector<WatchEntry>(capacity));
    for (const WatchEntry& entry : old) {
        if (entry.epoch == epoch_) entries_[position_of(entry.entity)] = entry;
    }
}

void WatchEntries::clear() noexcept {
    used_ = 0;
    if (++epoch_ != 0) return;
    std::fill(entries_.begin(), entries_.end(), WatchEntry{});
    epoch_ = 1;
}

}  // namespace stoa::detail
