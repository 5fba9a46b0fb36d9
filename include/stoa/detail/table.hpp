// Tables: all entities that have exactly one set of components. Rows live in chunks; inside a chunk every component
// has a column of its own. The data structures are here because the fast paths of spawn and get are inline; what
// changes them is compiled, in src/storage.
//
//     chunk block   | entities | column | column | … | ticks |      every column aligned to 64 bytes or more
//
// Invariants: all chunks of a table have the same layout; only the last used chunk, the tail, is partly filled, and it may
// be empty when a spawn that opened it failed; a table with more than one chunk has only full-size chunks (the first chunk
// starts tiny and doubles until it is full-size).
#pragma once

#include <cstddef>
#include <cstdint>

#include "stoa/detail/component_ops.hpp"
#include "stoa/detail/directory.hpp"
#include "stoa/detail/ticks.hpp"

namespace stoa::detail {

struct Table;
struct Watchers;

// A bit for a component. A set whose bits lack it does not have the component; most sets that do not are told so.
inline std::uint64_t digest_of(ComponentId id) { return std::uint64_t{1} << (static_cast<std::uint32_t>(id) % 64); }
// Among components up to such an id, each has a bit of its own.
inline bool is_digest_exact(ComponentId id) { return static_cast<std::uint32_t>(id) < 64; }

// Where one component's column is inside the chunks of a table, and which tick belongs to it.
struct ColumnAt {
    static constexpr std::uint32_t absent = 0xffffffff;
    std::uint32_t offset = absent;  // 0 for tags: present, without a column
    std::uint32_t tick = 0;
};

// From component id to column, for one table: an array by id, with an entry for each component that the table has and for most
// that the world has, and one more that says "absent" and stands for the rest. Whether an entity has a component is often as good
// as random, so the answer is read, and no branch depends on it. The few ids that lie beyond are searched; a table that has
// such an id itself has entries for its own components only, and all of them are searched.
struct ColumnMap {
    static constexpr std::uint32_t most = 1024;
    std::uint64_t direct;  // ids below have an entry of their own number

    ColumnAt find(ComponentId id) const { return entries()[index_of(id)]; }
    std::uint32_t index_of(ComponentId id) const {
        const auto number = static_cast<std::uint32_t>(id);
        return number < direct ? number : search(id);
    }
    // Safe: the block of a table has room for its entries behind its map.
    [[gnu::always_inline]] const ColumnAt* entries() const { return reinterpret_cast<const ColumnAt*>(this + 1); }
    ColumnAt* entries() { return reinterpret_cast<ColumnAt*>(this + 1); }

  private:
    [[gnu::pure]] STOA_API std::uint32_t search(ComponentId id) const;
};

// What the lookup of an entity needs, by chunk number: 32 bytes, so that two share a cache line.
struct Chunk {
    std::byte* base;      // the entity column is first
    ColumnMap* columns;   // of the table
    Tick* ticks;          // [0] arrivals, [ColumnAt::tick] writes to one column
    RowTicks** rows;      // by ColumnAt::tick, null where a component is not tracked; null when none is

    Table& table() const;

    // A value in `row` is handed out for writing.
    void stamp(ColumnAt at, std::uint32_t row, Tick now) const {
        __atomic_store_n(&ticks[at.tick], now, __ATOMIC_RELAXED);
        if (rows == nullptr) [[likely]] return;
        if (RowTicks* stamps = rows[at.tick]) stamps->change(row, now);
    }
    // The same for a run of rows.
    STOA_API void stamp(ColumnAt at, std::uint32_t first, std::uint32_t count, Tick now) const noexcept;
};

struct Column {
    const ComponentType* type;
    ComponentId id;
    std::uint32_t offset;
    std::uint32_t size;
};

// One column of the source of a migration. Offsets are copied here, so that a move reads one small array; they are
// refreshed when the layout of either table has changed.
struct Step {
    std::uint32_t from;
    std::uint32_t to;       // ColumnAt::absent when the value is dropped
    std::uint32_t size;
    std::uint32_t column;   // its position in the source
};

// Kinds of edges; with the number of a type list, or the serial of a table, they make the key of a cached plan.
enum class EdgeKind : std::uint32_t { add = 1, remove, strip, ghost, copy, edit };

inline std::uint64_t edge_key(EdgeKind kind, std::uint32_t number) {
    return (std::uint64_t{number} << 3) | static_cast<std::uint32_t>(kind);
}

// A cached migration from one table to another. The steps stand behind it: first those that keep their value.
struct Plan {
    Table* target;
    const Column* added;    // the first column of the target that the source does not have, or null
    std::uint64_t key;
    std::uint32_t source_layout;
    std::uint32_t target_layout;
    std::uint32_t kept;
    std::uint32_t steps_count;
    std::uint32_t bytes;
    bool common_sizes;      // of all columns of both tables

    // Safe: the block of a plan has room for its steps.
    Step* steps() { return reinterpret_cast<Step*>(this + 1); }
};

// Open addressing from edge key to plan; keys are never zero. The first slot array is shared and empty.
struct EdgeMap {
    struct Slot {
        std::uint64_t key;
        Plan* plan;
    };
    static constexpr Slot none{0, nullptr};

    std::uint64_t recent_key = 0;  // the edge that was used last: most tables are left in one direction at a time
    Plan* recent = nullptr;
    const Slot* slots = &none;
    std::uint32_t mask = 0;
    std::uint32_t size = 0;

    // Whether this is the edge that was used last. The number need not be one: it may come from a ticket that is not known here.
    bool is_recent(EdgeKind kind, std::uint64_t number) const {
        return number < Ticket::limit && recent_key == edge_key(kind, static_cast<std::uint32_t>(number));
    }
    Plan* find(std::uint64_t key) {
        if (recent_key == key) [[likely]] return recent;
        Plan* found = search(key);
        if (found != nullptr) {
            recent_key = key;
            recent = found;
        }
        return found;
    }
    Plan* search(std::uint64_t key) const {
        // Keys are numbers in order of first use, so they spread by themselves.
        for (std::uint64_t at = key & mask;; at = (at + 1) & mask) {
            if (slots[at].key == key) [[likely]] return slots[at].plan;
            if (slots[at].key == 0) return nullptr;
        }
    }
};

// What makes moving a row more than copying bytes. Zero for most tables, and tested at once.
struct Peculiarities {
    std::uint32_t tracked_count = 0;  // components with ticks of rows
    bool has_objects = false;         // values that are more than bytes, or that are kept at despawn
    bool ghost = false;
    bool has_cleanup = false;
    std::uint8_t watched = 0;         // who wants to hear of entities that come and go: verbs test all of them at once

    std::uint64_t peculiar() const { return __builtin_bit_cast(std::uint64_t, *this); }
};

struct alignas(64) Table : Peculiarities {
    // Read by the inline fast paths and by walks: one cache line.
    std::byte* tail_base = nullptr;    // the last used chunk
    Tick* tail_ticks = nullptr;
    std::uint64_t direct = 0;          // of its map, so that walks of many tables read one line less
    std::uint32_t* chunks = nullptr;   // in order; those behind the tail are empty and kept for growth
    std::uint32_t tail_rows = 0;       // rows in the tail
    std::uint32_t chunk_rows = 0;      // capacity of each chunk now; 0 before the first one exists
    std::uint32_t tail_number = 0;
    std::uint32_t tail_index = 0;
    bool asleep = false;               // empty for long, and out of the lists of queries
    bool common_sizes = true;          // of all columns
    bool drowsy = false;               // was empty when last looked at; any arrival since then has changed the tick
    Tick drowsy_since = 0;
    EdgeMap edges;
    std::uint32_t layout = 0;          // counts the changes of column offsets
    std::uint32_t dead_bit = 0;        // Location::dead for a table of ghosts: stands in the records of its entities

    // The set of components, ascending by id; tags are in `ids` only.
    const ComponentId* ids = nullptr;
    const ComponentType* const* types = nullptr;
    Column* columns = nullptr;
    Watchers* watchers = nullptr;      // kept by the listener
    std::uint32_t* tracked = nullptr;  // the ColumnAt::tick of each tracked component
    std::uint32_t id_count = 0;
    std::uint32_t column_count = 0;

    std::uint32_t chunk_count = 0;
    std::uint32_t chunk_capacity = 0;
    std::uint32_t kept_chunks = 0;     // reserve() promised this many

    std::uint32_t full_rows = 0;       // rows of a full-size chunk
    std::uint32_t alignment = 64;
    std::uint32_t ticks_offset = 0;
    std::uint32_t serial = 0;          // never reused
    std::size_t chunk_bytes = 0;       // of one chunk now
    std::size_t self_bytes = 0;        // of the block that holds this object and its arrays
    std::uint64_t hash = 0;
    std::uint64_t digest = 0;          // the bits of all components

    std::uint64_t rows() const { return std::uint64_t{tail_index} * chunk_rows + tail_rows; }
    bool has_room() const { return tail_rows != chunk_rows; }
    // There is a row, and without it the tail is the same chunk.
    bool keeps_tail() const { return tail_rows > (tail_index != 0 ? 1u : 0u); }
    // Rows in use in one of its chunks.
    STOA_API std::uint32_t rows_in(std::uint32_t chunk_number) const;

    void place_column(std::uint32_t column, std::uint32_t offset) {
        columns[column].offset = offset;
        map().entries()[map().index_of(columns[column].id)].offset = offset;
    }

    // Those who watch: queries that are observed, and the logs of removed values.
    static constexpr std::uint8_t observed = 1;
    static constexpr std::uint8_t keeps = 2;
    bool is_watched(std::uint8_t by) const { return (watched & by) != 0; }
    void watch(std::uint8_t by) { watched = static_cast<std::uint8_t>(watched | by); }
    void unwatch(std::uint8_t by) { watched = static_cast<std::uint8_t>(watched & ~by); }

    // Safe: the map stands right behind its table, in one block.
    ColumnMap& map() { return reinterpret_cast<ColumnMap*>(this + 1)[0]; }
    const ColumnMap& map() const { return reinterpret_cast<const ColumnMap*>(this + 1)[0]; }
    ColumnAt find(ComponentId id) const {
        const auto number = static_cast<std::uint32_t>(id);
        return number < direct ? map().entries()[number] : map().find(id);
    }
    bool has(ComponentId id) const { return find(id).offset != ColumnAt::absent; }
};

// Safe: the column map stands right behind its table, in one block.
inline Table& Chunk::table() const { return reinterpret_cast<Table*>(columns)[-1]; }

}  // namespace stoa::detail
