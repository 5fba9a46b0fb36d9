// In which key group each entity of an index is, and at which position: an array by entity index. So an entity moves
// between groups without a search.
#pragma once

#include <cstdint>

#include "stoa/detail/index/key_groups.hpp"

namespace stoa::detail {

struct Membership {
    std::uint32_t generation;  // 0: the entity index is not in the index
    KeyGroupId group;
    std::uint32_t position;  // among the members of the group
};

class STOA_API Memberships {
  public:
    Memberships() = default;
    ~Memberships();
    Memberships(const Memberships&) = delete;
    Memberships& operator=(const Memberships&) = delete;

    // How many entities are members.
    std::uint64_t size() const { return size_; }
    // Entity indexes from here on have no room.
    std::uint32_t capacity() const { return capacity_; }
    // Requires: the index is less than capacity().
    const Membership& operator[](std::uint32_t index) const { return entries_[index]; }
    // The group of an entity, or no_group.
    KeyGroupId group_of(Entity entity) const {
        if (entity.index() >= capacity_) return no_group;
        const Membership& entry = entries_[entity.index()];
        return entry.generation == entity.generation() ? entry.group : no_group;
    }

    // Makes room for an entity index. Throws std::bad_alloc.
    void reserve(std::uint32_t index) {
        if (index >= capacity_) grow(index);
    }
    // Returns: the membership that the entity index had. Requires: there is room.
    Membership exchange(Entity entity, KeyGroupId group, std::uint32_t position) noexcept {
        Membership& entry = entries_[entity.index()];
        const Membership old = entry;
        entry = {entity.generation(), group, position};
        size_ += old.generation == 0;
        return old;
    }
    // Requires: the entity index is a member's.
    Membership erase(std::uint32_t index) noexcept {
        const Membership old = entries_[index];
        entries_[index].generation = 0;
        --size_;
        return old;
    }
    void set_position(std::uint32_t index, std::uint32_t position) noexcept { entries_[index].position = position; }
    void prefetch(std::uint32_t index) const {
        if (index < capacity_) __builtin_prefetch(&entries_[index], 1);
    }

  private:
    void grow(std::uint32_t index);

    Membership* entries_ = nullptr;
    std::uint32_t capacity_ = 0;
    std::uint64_t size_ = 0;
};

}  // namespace stoa::detail
