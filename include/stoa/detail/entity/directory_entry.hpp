// The entry of one entity index in the directory, in 8 bytes, and the array of entries.
//
//     entry    generation : 32 | dead : 1 | location : 31        dead = 0: alive, at this location
//                                                                dead = 1: a ghost at this location, or an idle entry
//     location chunk number : 19 | row : 12                      whose low bits link to the next free entry
#pragma once

#include <cstddef>
#include <cstdint>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/entity/location.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

constexpr Entity entity_of(std::uint64_t index, std::uint32_t generation) {
    return Entity::from_bits((std::uint64_t{generation} << 32) | index);
}

struct DirectoryEntry {
    static constexpr std::uint32_t link_mask = 0x7fffffff;
    static constexpr std::uint32_t no_link = link_mask;  // so the last of all indices is never used
    static constexpr std::uint64_t dead_bit = Location::dead;
    static constexpr std::uint64_t generation_mask = ~std::uint64_t{0xffffffff};

    std::uint64_t bits;

    // For a ghost, `at` contains Location::dead.
    static constexpr DirectoryEntry used(Entity entity, Location at) noexcept {
        return {(entity.bits() & generation_mask) | at.bits};
    }
    // An entry for an index that is free, reserved or retired: the next entity there has this generation.
    static constexpr DirectoryEntry idle(std::uint32_t generation) noexcept {
        return {(std::uint64_t{generation} << 32) | dead_bit | no_link};
    }

    // The entry of the same index, idle, in the next generation: all lower bits are set in an idle entry.
    constexpr DirectoryEntry next_idle() const noexcept { return {(bits | 0xffffffff) + (std::uint64_t{1} << 32)}; }

    constexpr std::uint32_t generation() const noexcept { return static_cast<std::uint32_t>(bits >> 32); }
    constexpr Entity entity(std::uint32_t index) const noexcept {
        return Entity::from_bits((bits & generation_mask) | index);
    }
    constexpr bool is_dead() const noexcept { return (bits & dead_bit) != 0; }
    constexpr Location location() const noexcept { return {static_cast<std::uint32_t>(bits) & link_mask}; }
    constexpr std::uint32_t next_free() const noexcept { return static_cast<std::uint32_t>(bits) & link_mask; }
    constexpr void link_to(std::uint32_t next) noexcept { bits = (bits & ~std::uint64_t{link_mask}) | next; }

    // Whether the entity is alive here: its generation and a zero dead bit, in one comparison, since bit 31 of a valid
    // index is zero. Shifting would take one more instruction.
    constexpr bool is_alive(Entity entity) const noexcept { return (bits ^ entity.bits()) < dead_bit; }
    // Whether its generation is here with the dead bit: a ghost, or an entity that does not exist yet.
    constexpr bool is_dead(Entity entity) const noexcept { return ((bits ^ entity.bits()) >> 31) == 1; }
};

// The memory of the entries. Where the system supports it, a large array has reserved address space and grows without
// moving, so a growing world copies only the entries of a small one.
class DirectoryEntries {
  public:
    DirectoryEntries() noexcept = default;
    ~DirectoryEntries() { free(); }
    DirectoryEntries(const DirectoryEntries&) = delete;
    DirectoryEntries& operator=(const DirectoryEntries&) = delete;

    // Requires: index < capacity().
    DirectoryEntry& operator[](std::uint32_t index) const noexcept { return data_[index]; }
    std::uint32_t capacity() const noexcept { return capacity_; }

    // Effects: capacity() >= count; the first `kept` entries keep their values. Throws std::bad_alloc, then nothing has
    // changed. Invalidates addresses of entries.
    void reserve(std::uint64_t count, std::uint32_t kept);

    std::uint64_t bytes() const noexcept { return std::uint64_t{capacity_} * sizeof(DirectoryEntry); }
    std::uint64_t bytes_huge() const noexcept;  // of those, in huge pages

  private:
    bool move_to_own_space(std::uint32_t kept) noexcept;
    void replace_block(std::uint64_t count, std::uint32_t kept);
    void replace(void* with, std::uint64_t capacity, bool in_own_space, std::uint32_t kept) noexcept;
    void free() noexcept;

    DirectoryEntry* data_ = nullptr;
    std::uint32_t capacity_ = 0;
    bool in_own_space_ = false;  // in address space that grows in place; else in a block that is replaced
};

}  // namespace stoa::detail
