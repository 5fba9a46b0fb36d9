// One table: the layout of its chunks, its block, and its list of chunks. All memory is taken before anything changes;
// moving values never fails.
#include "stoa/detail/storage/table.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/pod_array.hpp"
#include "storage/cells.hpp"
#include "storage/component_set.hpp"

namespace stoa::detail {
namespace {

constexpr std::size_t column_alignment = 64;
constexpr std::size_t chunk_target = 256 * 1024;  // bytes of a full-size chunk, for rows that are not huge
constexpr std::uint32_t least_full_rows = 8;
constexpr std::uint32_t staggered_rows = 1024;
constexpr std::uint32_t direct_step = 16;  // entries of a column map
constexpr std::uint32_t most_known = 64;

// Computes the offset of each column of a chunk, in order. Where destructors can run, a chunk has one row more than it
// uses, the departing row: values are destroyed there, after the gap in the table is closed, so that a destructor that
// reads the world never finds a partly destroyed object.
class Layout {
  public:
    Layout(const Table& table, std::uint32_t rows)
        : rows_(rows), departing_(table.has_objects() ? 1 : 0), end_(sizeof(Entity) * rows) {}

    std::size_t place(const ComponentType& type) {
        const std::size_t alignment = std::max<std::size_t>(column_alignment, type.alignment);
        end_ = round_up(end_, alignment);
        // Columns of a large chunk are powers of two long. Without an extra offset all columns would start at the same
        // offset of a 4 KiB page, and the processor would take a store to one column for a conflict with a load of
        // another (4K aliasing).
        if (rows_ >= staggered_rows && alignment == column_alignment) end_ += 3 * column_alignment;
        const std::size_t offset = end_;
        end_ += std::size_t{type.size} * (rows_ + departing_);
        return offset;
    }
    std::size_t place_ticks() {
        end_ = round_up(end_, column_alignment);
        return end_;
    }

  private:
    std::uint32_t rows_;
    std::uint32_t departing_;
    std::size_t end_;
};

std::uint32_t full_rows_for(std::span<const Column> columns) {
    std::size_t row = sizeof(Entity);
    for (const Column& column : columns) row += column.size;
    const auto rows = static_cast<std::uint32_t>(std::bit_floor(std::max<std::size_t>(1, chunk_target / row)));
    return std::clamp(rows, least_full_rows, Location::max_rows);
}

// How many ids have a direct entry in a table with this set: those of all types that are known, so that looking up an
// absent component is as fast as a present one; with many types, only those up to its own highest id.
std::uint32_t direct_ids(const ComponentSet& set, std::uint32_t known_components) {
    const std::uint32_t own = set.size() == 0 ? 0 : static_cast<std::uint32_t>(set.ids[set.size() - 1]) + 1;
    const std::size_t wanted =
        round_up(std::max({own, std::min(known_components, most_known), std::uint32_t{1}}), direct_step);
    return wanted <= ColumnMap::most ? static_cast<std::uint32_t>(wanted) : 0;
}

}  // namespace

std::uint32_t TableChunks::rows_in(ChunkNumber chunk) const {
    const ChunkNumber* const found = std::find(chunks_, chunks_ + chunk_count_, chunk);
    return rows_at(static_cast<std::uint32_t>(found - chunks_));
}

void TableChunks::reserve_chunk_numbers(BlockPool& pool, std::uint32_t count) {
    grow_array(pool, chunks_, chunk_count_, chunk_capacity_, count);
}

void TableChunks::take_chunks_before_tail(TableChunks& from, std::uint32_t count) noexcept {
    ChunkNumber* at = chunks_ + tail_position_;
    std::copy_backward(at, chunks_ + chunk_count_, chunks_ + chunk_count_ + count);
    std::copy_n(from.chunks_, count, at);
    chunk_count_ += count;
    std::copy(from.chunks_ + count, from.chunks_ + from.chunk_count_, from.chunks_);
    from.chunk_count_ -= count;
}

void TableChunks::swap_chunks(TableChunks& other) noexcept {
    std::swap(chunks_, other.chunks_);
    std::swap(chunk_count_, other.chunk_count_);
    std::swap(chunk_capacity_, other.chunk_capacity_);
}

void TableChunks::free_chunk_numbers(BlockPool& pool) noexcept { free_array(pool, chunks_, chunk_capacity_); }

std::uint32_t ColumnMap::search(ComponentId id) const {
    if (direct != 0) return static_cast<std::uint32_t>(direct);
    const Table& table = reinterpret_cast<const Table*>(this)[-1];  // Safe: the map directly follows its table
    const ArrayView<const ComponentId> ids = table.ids();
    const auto found = std::lower_bound(ids.begin(), ids.end(), id);
    return static_cast<std::uint32_t>(found != ids.end() && *found == id ? found - ids.begin() : std::ssize(ids));
}

Table::Block::Block(const ComponentSet& set, std::uint32_t known_components)
    : direct(direct_ids(set, known_components)) {
    const std::uint32_t count = set.size();
    const auto column_count =
        std::count_if(set.types.begin(), set.types.end(), [](auto* type) { return type->size != 0; });
    columns = sizeof(Table) + sizeof(ColumnMap) + ((direct != 0 ? direct : count) + 1) * sizeof(ColumnAt);
    types = columns + static_cast<std::size_t>(column_count) * sizeof(Column);
    ids = types + count * sizeof(const ComponentType*);
    tracked = ids + count * sizeof(ComponentId);
    bytes = tracked + count * sizeof(std::uint32_t);
}

Table& Table::make(BlockPool& pool, const ComponentSet& set, const Block& layout, const Identity& identity) {
    auto* block = static_cast<std::byte*>(pool.take(layout.bytes, alignof(Table)));
    Table& table = *::new (block) Table;  // Safe: the layout begins with the table, and the block is aligned for it
    table.block_bytes_ = layout.bytes;
    table.hash_ = identity.hash;
    table.serial_ = identity.serial;
    table.extra_.is_ghost = identity.is_ghost;
    table.dead_bit_ = identity.is_ghost ? Location::dead : 0;
    // Safe: the layout keeps each array aligned, and all of them hold trivial types.
    table.columns_ = reinterpret_cast<Column*>(block + layout.columns);
    table.types_ = reinterpret_cast<const ComponentType**>(block + layout.types);
    table.ids_ = reinterpret_cast<ComponentId*>(block + layout.ids);
    table.tracked_ = reinterpret_cast<TickIndex*>(block + layout.tracked);
    ::new (static_cast<void*>(&table.map())) ColumnMap{layout.direct};
    table.direct_ = layout.direct;
    std::fill_n(table.map().entries(), (layout.direct != 0 ? layout.direct : set.size()) + 1, ColumnAt{});
    table.fill_components(set);
    table.full_rows_ = full_rows_for(table.columns());
    return table;
}

void Table::fill_components(const ComponentSet& set) noexcept {
    // Safe: make() has placed the arrays in the block of this table, which no other code refers to yet.
    auto* const ids = const_cast<ComponentId*>(ids_);
    auto* const types = const_cast<const ComponentType**>(types_);
    ColumnAt* const entries = map().entries();
    const std::uint32_t count = set.size();
    const bool direct = direct_ != 0;
    std::uint64_t digest = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const ComponentId id = set.ids[i];
        const ComponentType& type = *set.types[i];
        ids[i] = id;
        types[i] = &type;
        digest |= digest_of(id);
        entries[direct ? static_cast<std::uint32_t>(id) : i] = {0, tick_index_of(i)};
        extra_.has_cleanup |= type.traits.cleanup;
        if (type.size == 0) continue;
        // Safe: the array has room for every column that is counted here.
        ::new (&columns_[column_count_++]) Column{&type, id, 0, type.size};
        alignment_ = std::max(alignment_, type.alignment);
        extra_.has_objects |= !type.is_bytes();
        common_sizes_ &= is_common_size(type.size);
    }
    id_count_ = count;
    digest_ = digest;
}

void Table::destroy(BlockPool& pool) noexcept {
    migrations_.clear(pool);
    free_chunk_numbers(pool);
    pool.give(this, block_bytes_, alignof(Table));
}

// Tags have ticks too; spare ticks allow a chunk to be passed to a table with one more tag.
std::size_t Table::tick_bytes() const { return round_up((1 + id_count()) * sizeof(Tick), column_alignment); }

bool Table::may_move(const void* bytes) const {
    if (chunk_count() != 1 || has_full_chunks()) return false;
    return bytes >= tail_base() && bytes < tail_base() + chunk_bytes_;
}

std::size_t Table::chunk_bytes_for(std::uint32_t rows) const {
    Layout layout(*this, rows);
    for (const Column& column : columns()) layout.place(*column.type);
    return layout.place_ticks() + tick_bytes();
}

std::byte* Table::take_block(BlockPool& pool, std::uint32_t rows) const {
    const std::size_t bytes = rows == chunk_rows() ? chunk_bytes_ : chunk_bytes_for(rows);
    return static_cast<std::byte*>(rows == full_rows_ ? pool.take_shared(bytes, alignment_)
                                                      : pool.take(bytes, alignment_));
}

void Table::give_block(BlockPool& pool, std::byte* block) const noexcept {
    if (has_full_chunks()) {
        pool.give_shared(block, chunk_bytes_, alignment_);
    } else {
        pool.give(block, chunk_bytes_, alignment_);
    }
}

void Table::start_ticks(Chunk& chunk, Tick now) const noexcept {
    chunk.ticks = reinterpret_cast<Tick*>(chunk.base + ticks_offset_);  // Safe: the layout keeps room for them
    std::fill_n(chunk.ticks, 1 + id_count(), now);
}

void Table::grow_first_chunk(BlockPool& pool, Chunk& chunk, std::uint32_t rows, Tick now) {
    std::byte* const base = take_block(pool, rows);
    const std::uint32_t count = tail_rows();
    if (count != 0) std::memcpy(static_cast<void*>(base), chunk.base, sizeof(Entity) * count);
    Layout layout(*this, rows);
    for (std::uint32_t i = 0; i < column_count_; ++i) {
        const Column& column = columns_[i];
        const std::size_t offset = layout.place(*column.type);
        if (count != 0) column.type->relocate_values(base + offset, chunk.base + column.offset, count);
        place_column(i, static_cast<std::uint32_t>(offset));
    }
    const Tick* old_ticks = chunk.ticks;
    std::byte* old_base = chunk.base;
    ticks_offset_ = static_cast<std::uint32_t>(layout.place_ticks());
    chunk.base = base;
    start_ticks(chunk, now);
    if (old_base != nullptr) {
        std::copy_n(old_ticks, 1 + id_count(), chunk.ticks);
        give_block(pool, old_base);
    }
    set_chunk_rows(rows);
    chunk_bytes_ = layout.place_ticks() + tick_bytes();
    ++layout_version_;
}

void Table::adopt_chunks(Table& from) noexcept {
    swap_chunks(from);
    set_chunk_rows(from.chunk_rows());
    chunk_bytes_ = from.chunk_bytes_;
    ticks_offset_ = from.ticks_offset_;
    for (std::uint32_t i = 0; i < column_count_; ++i) place_column(i, from.columns_[i].offset);
    ++layout_version_;
}

bool Table::stayed_empty(Tick now) noexcept {
    // No rows: the tick of arrivals is unused, and shows whether rows arrived and left since the last call.
    if (was_empty_ && tail_ticks()[0] == empty_since_) return true;
    was_empty_ = true;
    tail_ticks()[0] = empty_since_ = now - static_cast<Tick>(oldest_age);
    return false;
}

}  // namespace stoa::detail
