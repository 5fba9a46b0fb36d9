// Where the columns of a table are: the map from component ids to column offsets, which directly follows its table in
// memory. Read by every lookup; written when a table is made and when its first chunk grows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stoa/detail/component/component_ops.hpp"

namespace stoa::detail {

// A bit for a component. A set whose bits lack it does not have the component. The reverse does not hold: components
// may share a bit.
inline std::uint64_t digest_of(ComponentId id) { return std::uint64_t{1} << (static_cast<std::uint32_t>(id) % 64); }
// Whether all components up to this id have different bits.
inline bool is_digest_exact(ComponentId id) { return static_cast<std::uint32_t>(id) < 64; }

// One of the ticks of a chunk: the first is of arrivals, the others are of writes to the components of the table, in
// order of their ids.
enum class TickIndex : std::uint32_t { arrivals = 0 };

[[gnu::always_inline]] inline constexpr std::uint32_t index_of(TickIndex tick) {
    return static_cast<std::uint32_t>(tick);
}
// From the position of a component among the ids of its table, and back.
constexpr TickIndex tick_index_of(std::uint32_t position) { return TickIndex{position + 1}; }
constexpr std::uint32_t position_of(TickIndex tick) { return index_of(tick) - 1; }

// Where one component's column is inside the chunks of a table, and which tick of a chunk belongs to it.
struct ColumnAt {
    static constexpr std::uint32_t absent = 0xffffffff;
    std::uint32_t offset = absent;  // 0 for tags: present, without a column
    TickIndex tick_index = TickIndex::arrivals;
};

// From component id to column, for one table: an array by id, with an entry for each component that the table has and
// for most that the world has, and one more that says "absent" for the rest. Whether an entity has a component is often
// unpredictable, so a lookup reads the answer and does not branch on it. The few ids beyond the array are searched; a
// table that has such an id itself has entries for its own components only, and all of them are searched.
struct ColumnMap {
    static constexpr std::uint32_t most = 1024;
    std::uint64_t direct;  // ids below this have an entry at their own number

    ColumnAt find(ComponentId id) const { return entries()[index_of(id)]; }
    std::uint32_t index_of(ComponentId id) const {
        const auto number = static_cast<std::uint32_t>(id);
        return number < direct ? number : search(id);
    }
    // Safe: the block of a table has room for the entries after its map.
    [[gnu::always_inline]] const ColumnAt* entries() const { return reinterpret_cast<const ColumnAt*>(this + 1); }
    ColumnAt* entries() { return reinterpret_cast<ColumnAt*>(this + 1); }

  private:
    [[gnu::pure]] STOA_API std::uint32_t search(ComponentId id) const;
};

struct Column {
    const ComponentType* type;
    ComponentId id;
    std::uint32_t offset;
    std::uint32_t size;
};

}  // namespace stoa::detail
