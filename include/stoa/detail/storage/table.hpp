// Tables: all entities that have exactly one set of components. Rows are in chunks; inside a chunk every component has
// a column. The fast paths of spawn and get are inline, so the declarations are here; the code that changes chunks is
// compiled, in src/storage.
//
//     chunk block   | entities | column | column | … | ticks |      every column aligned to 64 bytes or more
//
// Invariants: all chunks of a table have the same layout; only the last used chunk, the tail, is partly filled, and it
// may be empty when a spawn that opened it failed; a table with more than one chunk has only full-size chunks (the
// first chunk starts tiny and doubles until it is full-size).
#pragma once

#include <cstddef>
#include <cstdint>

#include "stoa/detail/base/array_view.hpp"
#include "stoa/detail/component/type_handle.hpp"
#include "stoa/detail/entity/directory.hpp"
#include "stoa/detail/storage/column.hpp"
#include "stoa/detail/storage/column_map.hpp"
#include "stoa/detail/storage/migration.hpp"
#include "stoa/detail/storage/ticks.hpp"

namespace stoa::detail {

class Table;
struct ComponentSet;
struct TableObservers;

// What the lookup of an entity needs, by chunk number: 32 bytes, so that two share a cache line.
struct Chunk {
    std::byte* base;       // the entity column is first
    ColumnMap* columns;    // of the table
    Tick* ticks;           // [0] arrivals, [ColumnAt::tick_index] writes to one column
    RowTicks** row_ticks;  // by tick index, null where a component is not tracked; null when none is

    Table& table() const;

    // A value in `row` is handed out for writing.
    void stamp(ColumnAt at, std::uint32_t row, Tick now) const {
        __atomic_store_n(&ticks[index_of(at.tick_index)], now, __ATOMIC_RELAXED);
        if (row_ticks == nullptr) [[likely]]
            return;
        if (RowTicks* stamps = row_ticks[index_of(at.tick_index)]) stamps->change(row, now);
    }
    // The same for a span of rows.
    STOA_API void stamp(ColumnAt at, std::uint32_t first, std::uint32_t count, Tick now) const noexcept;
};

// The chunks of a table, and how far the tail is filled: all that walks and spawns read of a table.
class TableChunks {
  public:
    std::uint64_t row_count() const { return std::uint64_t{tail_position_} * chunk_rows_ + tail_rows_; }
    bool has_room() const { return tail_rows_ != chunk_rows_; }
    // Whether there is a row, and the tail stays the same chunk without it.
    bool keeps_tail() const { return tail_rows_ > (tail_position_ != 0 ? 1u : 0u); }

    ArrayView<const ChunkNumber> chunks() const { return {chunks_, chunk_count_}; }  // their numbers, in order
    std::uint32_t chunk_count() const { return chunk_count_; }
    std::uint32_t used_chunk_count() const { return tail_position_ + (tail_rows_ != 0 ? 1u : 0u); }  // with rows
    std::uint32_t chunk_rows() const { return chunk_rows_; }  // capacity of each chunk; 0 before the first one exists
    // Rows in use in the chunk at a position, and in the chunk with a number.
    std::uint32_t rows_at(std::uint32_t position) const {
        return position < tail_position_ ? chunk_rows_ : position == tail_position_ ? tail_rows_ : 0;
    }
    STOA_API std::uint32_t rows_in(ChunkNumber chunk) const;

    std::byte* tail_base() const { return tail_base_; }
    Tick* tail_ticks() const { return tail_ticks_; }
    std::uint32_t tail_rows() const { return tail_rows_; }
    ChunkNumber tail_chunk_number() const { return tail_chunk_number_; }
    std::uint32_t tail_position() const { return tail_position_; }
    // Where the next row goes. Requires: room.
    Location next_location() const { return Location::of(tail_chunk_number_, tail_rows_); }

    // Adds the row that was built after the last row of the tail. Requires: room.
    void append(Entity entity, Tick now) {
        entities(tail_base_)[tail_rows_] = entity;
        tail_ticks_[0] = now;
        ++tail_rows_;
    }
    // Sets how many rows of the tail are in use. The caller has built new rows, and moved the values out of others.
    void set_tail_rows(std::uint32_t rows) { tail_rows_ = rows; }
    // Another chunk becomes the tail.
    void set_tail(std::uint32_t position, std::uint32_t rows, const Chunk& chunk) noexcept {
        tail_position_ = position;
        tail_rows_ = rows;
        tail_chunk_number_ = chunks_[position];
        tail_base_ = chunk.base;
        tail_ticks_ = chunk.ticks;
    }
    // Makes room for `count` chunk numbers. Throws std::bad_alloc.
    void reserve_chunk_numbers(BlockPool& pool, std::uint32_t count);
    // Appends a number. Requires: room for it.
    void push_chunk(ChunkNumber number) noexcept { chunks_[chunk_count_++] = number; }
    ChunkNumber pop_chunk() noexcept { return chunks_[--chunk_count_]; }
    // Moves the first `count` numbers of another table before the tail. The caller sets both tails again. Requires:
    // room for them.
    void take_chunks_before_tail(TableChunks& from, std::uint32_t count) noexcept;

  protected:
    void swap_chunks(TableChunks& other) noexcept;
    void set_chunk_rows(std::uint32_t rows) { chunk_rows_ = rows; }
    // No chunk is left.
    void forget_tail() {
        tail_rows_ = chunk_rows_ = tail_position_ = 0;
        tail_base_ = nullptr;
    }
    void free_chunk_numbers(BlockPool& pool) noexcept;

  private:
    std::byte* tail_base_ = nullptr;
    Tick* tail_ticks_ = nullptr;
    ChunkNumber* chunks_ = nullptr;  // those after the tail are empty and reserved for growth
    std::uint32_t tail_rows_ = 0;
    std::uint32_t chunk_rows_ = 0;
    ChunkNumber tail_chunk_number_{};
    std::uint32_t tail_position_ = 0;
    std::uint32_t chunk_count_ = 0;
    std::uint32_t chunk_capacity_ = 0;
};

// What moving a row needs beyond copying bytes. Every field is zero for most tables, so all of them are tested at once.
struct ExtraWork {
    std::uint32_t tracked_count = 0;  // components with ticks of rows
    bool has_objects = false;         // values that are not plain bytes, see ComponentType::is_bytes
    bool is_ghost = false;
    bool has_cleanup = false;
    std::uint8_t reports = 0;  // see TableComponents::reports

    std::uint64_t bits() const { return __builtin_bit_cast(std::uint64_t, *this); }
};

// The set of components of a table, ascending by id, and what follows from it. Tags have an id and no column.
class TableComponents {
  public:
    ArrayView<const ComponentId> ids() const { return {ids_, id_count_}; }
    const ComponentType& type(std::uint32_t i) const { return *types_[i]; }  // of the component ids()[i]
    std::uint32_t id_count() const { return id_count_; }
    ArrayView<const Column> columns() const { return {columns_, column_count_}; }
    std::uint32_t column_count() const { return column_count_; }
    std::uint64_t digest() const { return digest_; }  // the bits of all components
    std::uint64_t hash() const { return hash_; }
    std::uint32_t serial() const { return serial_; }  // never reused
    bool is_ghost() const { return extra_.is_ghost; }
    bool has_cleanup() const { return extra_.has_cleanup; }
    bool has_objects() const { return extra_.has_objects; }
    bool has_common_sizes() const { return common_sizes_; }  // of all columns
    // The dead bit in the locations of its entities: Location::dead for ghosts, else 0.
    std::uint32_t dead_bit() const { return dead_bit_; }
    // Zero when moving a row is only copying bytes: nothing is tracked, and the table does not report.
    std::uint64_t extra_work() const { return extra_.bits(); }

    // The tick indexes of the tracked components.
    ArrayView<const TickIndex> tracked() const { return {tracked_, extra_.tracked_count}; }
    std::uint32_t tracked_count() const { return extra_.tracked_count; }
    bool is_tracked() const { return extra_.tracked_count != 0; }
    void add_tracked(TickIndex tick_index) { tracked_[extra_.tracked_count++] = tick_index; }

    // A table reports arrivals and departures to the notifier while it is observed or logged: each has a bit, and verbs
    // test both at once.
    std::uint8_t reports() const { return extra_.reports; }
    bool is_observed() const { return (extra_.reports & observed) != 0; }
    bool is_logged() const { return (extra_.reports & logged) != 0; }
    void set_observed(bool on) {
        extra_.reports = static_cast<std::uint8_t>(on ? extra_.reports | observed : extra_.reports & ~observed);
    }
    void set_logged() { extra_.reports = static_cast<std::uint8_t>(extra_.reports | logged); }

  private:
    friend class Table;

    static constexpr std::uint8_t observed = 1;
    static constexpr std::uint8_t logged = 2;

    ExtraWork extra_;
    std::uint64_t direct_ = 0;  // of the column map, so that walks of many tables read one cache line less
    const ComponentId* ids_ = nullptr;
    const ComponentType* const* types_ = nullptr;
    Column* columns_ = nullptr;
    TickIndex* tracked_ = nullptr;
    std::uint64_t digest_ = 0;
    std::uint64_t hash_ = 0;
    std::uint32_t id_count_ = 0;
    std::uint32_t column_count_ = 0;
    std::uint32_t serial_ = 0;
    std::uint32_t dead_bit_ = 0;
    bool common_sizes_ = true;
};

// The bases are in this order so that what walks and spawns read is one cache line.
class alignas(64) Table : public TableChunks, public TableComponents {
  public:
    // What identifies a table beside its components.
    struct Identity {
        bool is_ghost;
        std::uint64_t hash;
        std::uint32_t serial;
    };
    // The block of a table: first the table and its column map, then its arrays from the most to the least aligned.
    struct Block {
        std::uint32_t direct;  // of the column map
        std::size_t columns;   // offsets of the arrays
        std::size_t types;
        std::size_t ids;
        std::size_t tracked;
        std::size_t bytes;

        Block(const ComponentSet& set, std::uint32_t known_components);
    };
    // Throws std::bad_alloc.
    static Table& make(BlockPool& pool, const ComponentSet& set, const Block& layout, const Identity& identity);
    // Requires: no chunks.
    void destroy(BlockPool& pool) noexcept;
    std::size_t block_bytes() const { return block_bytes_; }

    // Safe: the map directly follows its table, in one block.
    ColumnMap& map() { return reinterpret_cast<ColumnMap*>(this + 1)[0]; }
    const ColumnMap& map() const { return reinterpret_cast<const ColumnMap*>(this + 1)[0]; }
    ColumnAt find(ComponentId id) const {
        const auto number = static_cast<std::uint32_t>(id);
        return number < direct_ ? map().entries()[number] : map().find(id);
    }
    bool has(ComponentId id) const { return find(id).offset != ColumnAt::absent; }

    // Layout of the chunks. Its version counts the changes of column offsets.
    std::uint32_t layout_version() const { return layout_version_; }
    std::uint32_t full_rows() const { return full_rows_; }  // rows of a full-size chunk
    bool has_full_chunks() const { return chunk_rows() == full_rows_; }
    std::uint32_t alignment() const { return alignment_; }
    std::uint32_t ticks_offset() const { return ticks_offset_; }
    std::size_t chunk_bytes() const { return chunk_bytes_; }  // of one chunk now
    // Whether the bytes are in the first chunk, and growing may replace it.
    STOA_API bool may_move(const void* bytes) const;
    std::size_t chunk_bytes_for(std::uint32_t rows) const;
    std::size_t tick_bytes() const;
    // A block for a chunk of `rows` rows. Throws std::bad_alloc.
    std::byte* take_block(BlockPool& pool, std::uint32_t rows) const;
    void give_block(BlockPool& pool, std::byte* block) const noexcept;
    // The ticks of a new chunk, which all begin at `now`.
    void start_ticks(Chunk& chunk, Tick now) const noexcept;
    // Moves the first chunk to a larger block with room for `rows` rows. Relocates user values. Throws std::bad_alloc;
    // then nothing has changed.
    void grow_first_chunk(BlockPool& pool, Chunk& chunk, std::uint32_t rows, Tick now);
    // Takes all chunks of a table with the same columns, and its layout. The caller sets the tail again. Requires: this
    // table has no chunks.
    void adopt_chunks(Table& from) noexcept;
    // Requires: no chunks.
    void forget_chunks() noexcept { forget_tail(); }

    // This many chunks stay when rows leave.
    std::uint32_t reserved_chunks() const { return reserved_chunks_; }
    void set_reserved_chunks(std::uint32_t count) { reserved_chunks_ = count; }

    MigrationCache& migrations() { return migrations_; }
    const MigrationCache& migrations() const { return migrations_; }
    TableObservers* observers() const { return observers_; }  // set by the listener
    void set_observers(TableObservers* observers) { observers_ = observers; }

    // A dormant table has been empty for some time: it has no chunks, and is in no list of a query.
    bool is_dormant() const { return dormant_; }
    void set_dormant(bool dormant) {
        dormant_ = dormant;
        was_empty_ = false;
    }
    // Whether no row arrived since the last call. Requires: no rows, and a chunk.
    bool stayed_empty(Tick now) noexcept;

  private:
    void fill_components(const ComponentSet& set) noexcept;
    void place_column(std::uint32_t column, std::uint32_t offset) {
        columns_[column].offset = offset;
        map().entries()[map().index_of(columns_[column].id)].offset = offset;
    }

    MigrationCache migrations_;
    TableObservers* observers_ = nullptr;
    std::size_t chunk_bytes_ = 0;
    std::size_t block_bytes_ = 0;
    std::uint32_t layout_version_ = 0;
    std::uint32_t full_rows_ = 0;
    std::uint32_t alignment_ = 64;
    std::uint32_t ticks_offset_ = 0;
    std::uint32_t reserved_chunks_ = 0;
    Tick empty_since_ = 0;
    bool was_empty_ = false;  // at the last call of stayed_empty; any arrival since then has changed the tick
    bool dormant_ = false;
};

// Safe: the column map directly follows its table, in one block.
inline Table& Chunk::table() const { return reinterpret_cast<Table*>(columns)[-1]; }

}  // namespace stoa::detail
