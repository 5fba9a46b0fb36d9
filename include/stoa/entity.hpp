// The handle of an entity: the index of its entry in the directory of a world, and the generation of that index.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>  // declares std::hash at a fraction of the cost of <functional>

#include "stoa/detail/base/config.hpp"

namespace stoa {

/// Names an entity of one world. A handle is a value: copy it, keep it in components, write it to a file.
///
/// A handle whose entity has been despawned never becomes valid again: the index is reused with another generation,
/// and an index whose generations are used up is retired.
/// Threads: as an integer.
class Entity {
  public:
    /// The null entity, which is alive in no world.
    constexpr Entity() noexcept = default;

    /// Returns: the handle with these bits.
    /// Requires: `bits` came from `bits()`. Any other value yields a handle that is not alive, except by coincidence.
    static constexpr Entity from_bits(std::uint64_t bits) noexcept {
        Entity entity;
        entity.bits_ = bits;
        return entity;
    }

    /// Returns: the position of the entity in the directory of its world. Entities that exist at the same time in one
    /// world have different indices; indices are reused in FIFO order, so they stay small and fit an array.
    constexpr std::uint32_t index() const noexcept { return static_cast<std::uint32_t>(bits_); }
    /// Returns: how often the index has been given to an entity, counted from 1; 0 for the null entity.
    constexpr std::uint32_t generation() const noexcept { return static_cast<std::uint32_t>(bits_ >> 32); }
    /// Returns: index and generation in one word, which is 0 for the null entity only.
    constexpr std::uint64_t bits() const noexcept { return bits_; }

    /// Returns: false for the null entity. True does not mean that the entity is alive: ask `World::alive`.
    constexpr explicit operator bool() const noexcept { return bits_ != 0; }

    /// Equal handles name the same entity, within one world.
    friend constexpr bool operator==(Entity, Entity) noexcept = default;

    /// Orders by index, then by generation.
    friend constexpr std::strong_ordering operator<=>(Entity a, Entity b) noexcept {
        if (const auto by_index = a.index() <=> b.index(); by_index != 0) return by_index;
        return a.generation() <=> b.generation();
    }

  private:
    // generation : 32 | index : 32. Generations start at 1, so zero bits name nothing.
    std::uint64_t bits_ = 0;
};

}  // namespace stoa

/// Spreads the bits of an entity: indices are dense, and a hash table with a power of two of buckets uses low bits
/// only.
template <>
struct std::hash<stoa::Entity> {
    std::size_t operator()(stoa::Entity entity) const noexcept {
        const std::uint64_t mixed = entity.bits() * 0x9e3779b97f4a7c15u;
        return static_cast<std::size_t>(mixed ^ (mixed >> 32));
    }
};
