// What a watch has recorded of each entity since the last clear: a hash table by entity, with open addressing and
// linear probing. Clearing is O(1): an entry of another epoch is free.
//
// Invariant: at least one entry is free. The table grows when it is half full; without memory it fills up first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stoa/detail/base/config.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

struct WatchEntry {
    Entity entity;
    std::uint64_t entered;  // the moment; writes up to then belong to the addition
    std::uint32_t epoch;
    std::uint32_t lists;  // bits of WatchLists::List
};

class STOA_API WatchEntries {
  public:
    // Throws std::bad_alloc.
    WatchEntries() : entries_(initial_capacity) {}

    std::size_t capacity() const { return entries_.size(); }
    std::size_t size() const { return used_; }

    // The entry of an entity, or the free one where it would be. Valid until the next reserve.
    WatchEntry& find(Entity entity) { return entries_[position_of(entity)]; }
    bool is_used(const WatchEntry& entry) const { return entry.epoch == epoch_; }
    // Requires: `free` comes from find(entity) and is not used; has_room().
    WatchEntry& use(WatchEntry& free, Entity entity) noexcept {
        ++used_;
        return free = {entity, 0, epoch_, 0};
    }
    bool has_room() const { return used_ + 1 < entries_.size(); }
    bool is_half_full() const { return 2 * (used_ + 1) > entries_.size(); }
    // The capacity with which `count` more entries leave the table half full.
    std::size_t capacity_for(std::size_t count) const;
    // Requires: a power of two that is larger than capacity(). Throws std::bad_alloc: then nothing has changed.
    void reserve(std::size_t capacity);
    void clear() noexcept;

  private:
    static constexpr std::size_t initial_capacity = 64;

    // The position of the entity, or the free one where the search ends.
    std::size_t position_of(Entity entity) const;

    std::vector<WatchEntry> entries_;
    std::size_t used_ = 0;
    std::uint32_t epoch_ = 1;
};

}  // namespace stoa::detail
