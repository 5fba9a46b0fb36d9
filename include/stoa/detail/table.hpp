// Tables: all entities that have exactly one set of components. Rows live in chunks; inside a chunk every component
// has a column of its own. The data structures are here because the fast paths of spawn and get are inline; what
// changes them is compiled, in src/storage.
//
//     chunk block   | entities | column | column | … | ticks |      every column aligned to 64 bytes or more
//
// Invariants: all chunks of a table have the same layout; only the last used chunk is partly filled; a table with more
// than one chunk has only full-size chunks (the first chunk starts tiny and doubles until it is full-size).
#pragma once

#include <cstddef>
#include <cstdint>

#include "stoa/detail/component_ops.hpp"
#include "stoa/detail/directory.hpp"

namespace stoa::detail {

using Tick = std::uint32_t;

struct Table;

// Where one component's column is inside the chunks of a table, and which tick belongs to it.
struct ColumnAt {
    static constexpr std::uint32_t absent = 0xffffffff;
    std::uint32_t offset = absent;  // 0 for tags: present, without a column
    std::uint32_t tick = 0;
};

// What the lookup of an entity needs, by chunk number: 32 bytes, so that two share a cache line.
struct Chunk {
    std::byte* base;          // the entity column is first
    const ColumnAt* columns;  // of the table, by component id
    Tick* ticks;              // [0] arrivals, [ColumnAt::tick] writes to one column
    Table* table;
};

// How the bytes of one row move. Small trivial values are copied without a call.
enum class Copy : std::uint8_t { b4, b8, b12, b16, b24, b32, bytes, call };

struct Column {
    const ComponentType* type;
    ComponentId id;
    std::uint32_t offset;
    std::uint32_t size;
    Copy copy;
};

// One column of the source of a migration: `to` is its column in the target, or none when the value is dropped.
struct Step {
    static constexpr std::uint16_t none = 0xffff;
    std::uint16_t to;
};

// A cached migration from one table to another.
struct Plan {
    Table* target;
    std::uint64_t key;
    std::size_t bytes;  // of this block: the steps, one per source column, stand behind it
    Step* steps() { return reinterpret_cast<Step*>(this + 1); }  // Safe: the block is allocated with room for them
};

// Open addressing from edge key to plan. Keys are made in src/storage/graph.cpp.
struct EdgeMap {
    Plan** slots = nullptr;
    std::uint32_t mask = 0;
    std::uint32_t size = 0;

    static std::uint32_t hash(std::uint64_t key) { return static_cast<std::uint32_t>((key * 0x9e3779b97f4a7c15u) >> 40); }
    Plan* find(std::uint64_t key) const {
        if (slots == nullptr) return nullptr;
        for (std::uint32_t at = hash(key) & mask;; at = (at + 1) & mask) {
            if (slots[at] == nullptr || slots[at]->key == key) return slots[at];
        }
    }
};

struct Table {
    // Read by the inline fast paths.
    std::byte* tail_base = nullptr;    // the last used chunk
    Tick* tail_ticks = nullptr;
    std::uint32_t tail_rows = 0;       // rows in it
    std::uint32_t chunk_rows = 0;      // capacity of each chunk now; 0 before the first one exists
    std::uint32_t tail_number = 0;
    std::uint32_t at_count = 0;        // ids below this are looked up directly
    ColumnAt* at = nullptr;
    bool plain = true;                 // trivial columns, nothing kept at despawn: rows are bytes
    bool ghost = false;
    bool has_cleanup = false;

    // The set of components, ascending by id; tags are in `ids` only.
    const ComponentId* ids = nullptr;
    const ComponentType* const* types = nullptr;
    Column* columns = nullptr;
    std::uint32_t id_count = 0;
    std::uint32_t column_count = 0;

    // Chunks in order; those behind the tail are empty and kept for growth.
    std::uint32_t* chunks = nullptr;
    std::uint32_t chunk_count = 0;
    std::uint32_t chunk_capacity = 0;
    std::uint32_t tail_index = 0;
    std::uint32_t kept_chunks = 0;     // reserve() promised this many

    std::uint32_t full_rows = 0;       // rows of a full-size chunk
    std::uint32_t alignment = 64;
    std::uint32_t ticks_offset = 0;
    std::uint32_t serial = 0;          // never reused
    std::size_t chunk_bytes = 0;       // of one chunk now
    std::size_t self_bytes = 0;        // of the block that holds this object and its arrays
    std::uint64_t hash = 0;
    EdgeMap edges;

    std::uint64_t rows() const { return std::uint64_t{tail_index} * chunk_rows + tail_rows; }
    bool has_room() const { return tail_rows != chunk_rows; }

    // Where the column of a component is; `absent` when the table does not have it.
    ColumnAt find(ComponentId id) const {
        const auto number = static_cast<std::uint32_t>(id);
        if (number < at_count) [[likely]] return at[number];
        return search(id);
    }
    bool has(ComponentId id) const { return find(id).offset != ColumnAt::absent; }

    STOA_API ColumnAt search(ComponentId id) const;
};

}  // namespace stoa::detail
