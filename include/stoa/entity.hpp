// The handle of an entity: an index into the world's directory and the generation of that index. A handle is a value:
// copy it, store it in components, send it to disk. It never becomes valid again once its entity is gone.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>  // declares std::hash at a fraction of the cost of <functional>

#include "stoa/detail/config.hpp"

namespace stoa {

class Entity {
  public:
    // The null entity: alive in no world.
    constexpr Entity() noexcept = default;

    // Requires: `bits` came from `bits()`; any other value gives a handle that is merely never alive by accident.
    static constexpr Entity from_bits(std::uint64_t bits) noexcept {
        Entity entity;
        entity.bits_ = bits;
        return entity;
    }

    constexpr std::uint32_t index() const noexcept { return static_cast<std::uint32_t>(bits_); }
    constexpr std::uint32_t generation() const noexcept { return static_cast<std::uint32_t>(bits_ >> 32); }
    constexpr std::uint64_t bits() const noexcept { return bits_; }

    // False for the null entity. Says nothing about being alive: ask the world.
    constexpr explicit operator bool() const noexcept { return bits_ != 0; }

    friend constexpr bool operator==(Entity, Entity) noexcept = default;

    // By index, then by generation.
    friend constexpr std::strong_ordering operator<=>(Entity a, Entity b) noexcept {
        if (const auto by_index = a.index() <=> b.index(); by_index != 0) return by_index;
        return a.generation() <=> b.generation();
    }

  private:
    // generation : 32 | index : 32. Generations start at 1, so zero bits name nothing.
    std::uint64_t bits_ = 0;
};

}  // namespace stoa

template <>
struct std::hash<stoa::Entity> {
    std::size_t operator()(stoa::Entity entity) const noexcept {
        // Indices are dense, so hash tables with power-of-two buckets would see their low bits only; spread them.
        const std::uint64_t mixed = entity.bits() * 0x9e3779b97f4a7c15u;
        return static_cast<std::size_t>(mixed ^ (mixed >> 32));
    }
};
