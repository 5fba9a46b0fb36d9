// Rows and chunks of one table: layout, growth, and the swap that fills a hole. All memory is taken before anything
// changes; moving values never fails.
#include <algorithm>
#include <bit>

#include "base/raise.hpp"
#include "storage/rows.hpp"

namespace stoa::detail {
namespace {

constexpr std::uint32_t first_rows = 8;             // of a table's first chunk
constexpr std::size_t chunk_target = 256 * 1024;    // bytes of a full-size chunk, for rows that are not huge
constexpr std::uint32_t least_full_rows = 8;
constexpr std::uint32_t staggered_rows = 1024;
constexpr std::uint32_t direct_step = 16;           // entries of a column map
constexpr std::uint32_t most_known = 64;

// Walks the columns of a chunk in order and says where each begins. Where destructors can run, a chunk has one row more
// than it uses, for values that depart: they are ended there, after the table has closed the gap, so that a destructor
// that looks at the world never sees an object that is half gone.
class Layout {
  public:
    Layout(const Table& table, std::uint32_t rows)
        : rows_(rows), departing_(table.has_objects ? 1 : 0), end_(sizeof(Entity) * rows) {}

    std::size_t place(const ComponentType& type) {
        const std::size_t alignment = std::max<std::size_t>(column_alignment, type.alignment);
        end_ = round_up(end_, alignment);
        // Columns of a large chunk are powers of two long. Without a stagger all would start at the same offset of a
        // 4 KiB page, and a store to one row would look to the processor like a conflict with a load of another column.
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

std::size_t chunk_bytes(const Table& table, std::uint32_t rows) {
    Layout layout(table, rows);
    for (std::uint32_t i = 0; i < table.column_count; ++i) layout.place(*table.columns[i].type);
    return layout.place_ticks() + tick_bytes(table);
}

std::uint32_t full_rows_for(const Table& table) {
    std::size_t row = sizeof(Entity);
    for (std::uint32_t i = 0; i < table.column_count; ++i) row += table.columns[i].size;
    const auto rows = static_cast<std::uint32_t>(std::bit_floor(std::max<std::size_t>(1, chunk_target / row)));
    return std::clamp(rows, least_full_rows, Location::max_rows);
}

// How many ids have a direct entry in a table with this set: those of all types that are known, so that asking for a component
// which the table does not have is as quick as asking for one that it has; of many types, only those up to its own.
std::uint32_t direct_ids(const ComponentSet& set, std::uint32_t known) {
    const std::uint32_t own = set.ids.size == 0 ? 0 : static_cast<std::uint32_t>(set.ids[set.ids.size - 1]) + 1;
    const std::size_t wanted = round_up(std::max({own, std::min(known, most_known), std::uint32_t{1}}), direct_step);
    return wanted <= ColumnMap::most ? static_cast<std::uint32_t>(wanted) : 0;
}

void* take_chunk(BlockPool& pool, const Table& table, std::uint32_t rows, std::size_t bytes) {
    return rows == table.full_rows ? pool.take_shared(bytes, table.alignment) : pool.take(bytes, table.alignment);
}

void give_chunk(BlockPool& pool, const Table& table, void* block) noexcept {
    if (table.chunk_rows == table.full_rows) {
        pool.give_shared(block, table.chunk_bytes, table.alignment);
    } else {
        pool.give(block, table.chunk_bytes, table.alignment);
    }
}

void start_ticks(Chunk& chunk, const Table& table, Tick now) noexcept {
    chunk.ticks = reinterpret_cast<Tick*>(chunk.base + table.ticks_offset);  // Safe: the layout keeps room for them
    std::fill_n(chunk.ticks, 1 + table.id_count, now);
}

}  // namespace

std::uint32_t Table::rows_in(std::uint32_t chunk_number) const {
    std::uint32_t at = 0;
    while (at < chunk_count && chunks[at] != chunk_number) ++at;
    return at < tail_index ? chunk_rows : at == tail_index ? tail_rows : 0;
}

std::uint32_t ColumnMap::search(ComponentId id) const {
    if (direct != 0) return static_cast<std::uint32_t>(direct);
    const Table& table = reinterpret_cast<const Table*>(this)[-1];  // Safe: the map stands right behind its table
    const ComponentId* end = table.ids + table.id_count;
    const ComponentId* found = std::lower_bound(table.ids, end, id);
    return found != end && *found == id ? static_cast<std::uint32_t>(found - table.ids) : table.id_count;
}

Table& Store::State::create_table(const ComponentSet& set, bool ghost, std::uint64_t hash) {
    const std::uint32_t count = set.ids.size;
    const std::uint32_t direct = direct_ids(set, store.registry().component_count());
    const std::uint32_t entries = direct != 0 ? direct : count;
    const auto columns =
        static_cast<std::uint32_t>(std::count_if(set.types.begin(), set.types.end(), [](auto* type) { return type->size != 0; }));

    // One block: the table and its column map, then its arrays from the most to the least aligned.
    std::size_t end = sizeof(Table);
    const std::size_t map_at = end;
    const std::size_t columns_at = map_at + sizeof(ColumnMap) + (entries + 1) * sizeof(ColumnAt);
    const std::size_t types_at = columns_at + columns * sizeof(Column);
    const std::size_t ids_at = types_at + count * sizeof(const ComponentType*);
    const std::size_t tracked_at = ids_at + count * sizeof(ComponentId);
    end = tracked_at + count * sizeof(std::uint32_t);

    // One place more than needed, so that a removal finds one when there is no memory left.
    const std::uint32_t spare = pool.in_no_fail() ? 1 : 2;
    tables.reserve(pool, tables.size + spare);
    digests.reserve(pool, tables.size + spare);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (set.types[i]->traits.pooled) make_object_pool(set.ids[i], *set.types[i]);
        if (options.keep_removed) make_removed_log(set.ids[i], *set.types[i]);
    }
    if (!pool.in_no_fail()) pool.keep_reserve(2 * end + 4096);

    auto* block = static_cast<std::byte*>(pool.take(end, alignof(Table)));
    Table& table = *::new (block) Table;
    table.self_bytes = end;
    table.hash = hash;
    table.ghost = ghost;
    table.dead_bit = ghost ? Location::dead : 0;
    table.serial = next_serial++;
    // Safe: the offsets above keep each array aligned, and all of them hold trivial types.
    auto* ids = reinterpret_cast<ComponentId*>(block + ids_at);
    auto** types = reinterpret_cast<const ComponentType**>(block + types_at);
    table.columns = reinterpret_cast<Column*>(block + columns_at);
    ::new (block + map_at) ColumnMap{direct};
    table.direct = direct;
    std::fill_n(table.map().entries(), entries + 1, ColumnAt{});
    table.ids = ids;
    table.types = types;
    table.tracked = reinterpret_cast<std::uint32_t*>(block + tracked_at);
    table.id_count = count;
    for (std::uint32_t i = 0; i < count; ++i) {
        const ComponentType& type = *set.types[i];
        ids[i] = set.ids[i];
        types[i] = &type;
        table.digest |= digest_of(ids[i]);
        table.map().entries()[direct != 0 ? static_cast<std::uint32_t>(ids[i]) : i] = {0, i + 1};
        if (is_tracked(ids[i], type)) table.tracked[table.tracked_count++] = i + 1;
        table.has_cleanup |= type.traits.cleanup;
        if (options.keep_removed) removed_logs[static_cast<std::uint32_t>(ids[i])]->use();
        if (removed_log(ids[i]) != nullptr) table.watch(Table::keeps);
        if (type.size == 0) continue;
        ::new (&table.columns[table.column_count++]) Column{&type, ids[i], 0, type.size};
        table.alignment = std::max(table.alignment, type.alignment);
        table.has_objects |= type.relocate != nullptr || type.destroy != nullptr || type.traits.pooled;
        table.common_sizes &= is_common_size(type.size);
    }
    table.full_rows = full_rows_for(table);
    tables.push(&table);
    digests.push(table.digest);
    return table;
}

void Store::State::destroy_table(Table& table) noexcept {
    release_spare_chunks(table, 0);
    free_edges(table);
    free_array(pool, table.chunks, table.chunk_capacity);
    pool.give(&table, table.self_bytes, alignof(Table));
}

void Store::State::set_tail(Table& table, std::uint32_t index_of_tail, std::uint32_t rows) noexcept {
    table.tail_index = index_of_tail;
    table.tail_rows = rows;
    table.tail_number = table.chunks[index_of_tail];
    const Chunk& chunk = store.chunks_[table.tail_number];
    table.tail_base = chunk.base;
    table.tail_ticks = chunk.ticks;
}

namespace {

// Gives the first chunk `rows` rows: a larger block, every column moved over.
void grow_first_chunk(BlockPool& pool, Table& table, Chunk& chunk, std::uint32_t rows, Tick now) {
    const std::size_t bytes = chunk_bytes(table, rows);
    auto* base = static_cast<std::byte*>(take_chunk(pool, table, rows, bytes));
    const std::uint32_t count = table.tail_rows;
    if (count != 0) std::memcpy(static_cast<void*>(base), chunk.base, sizeof(Entity) * count);
    Layout layout(table, rows);
    for (std::uint32_t i = 0; i < table.column_count; ++i) {
        Column& column = table.columns[i];
        const std::size_t offset = layout.place(*column.type);
        if (count != 0) relocate_values(column, base + offset, chunk.base + column.offset, count);
        table.place_column(i, static_cast<std::uint32_t>(offset));
    }
    const Tick* old_ticks = chunk.ticks;
    std::byte* old_base = chunk.base;
    table.ticks_offset = static_cast<std::uint32_t>(layout.place_ticks());
    chunk.base = base;
    start_ticks(chunk, table, now);
    if (old_base != nullptr) {
        std::copy_n(old_ticks, 1 + table.id_count, chunk.ticks);
        give_chunk(pool, table, old_base);
    }
    table.chunk_rows = rows;
    table.chunk_bytes = bytes;
    ++table.layout;
}

}  // namespace

std::size_t Store::State::reserve_for(const Table& table, std::uint32_t rows) {
    return chunk_bytes(table, rows) + row_tick_bytes(table, rows) + 2 * table.self_bytes + 4096;
}

void Store::State::grow_first(Table& table, std::uint32_t rows) {
    Chunk& chunk = store.chunks_[table.chunks[0]];
    // First the ticks: more than the chunk needs is harmless should there be no memory for the rest.
    if (RowTicks** larger = new_row_ticks(table, rows)) {
        copy_row_ticks(table, larger, chunk.rows, table.tail_rows);
        free_row_ticks(table, chunk.rows);
        chunk.rows = larger;
    }
    struct Growing {
        State& state;
        const Store::Lock lock;  // growing moves values, and their move constructors are the user's
        explicit Growing(State& of) : state(of), lock(of.store) { state.is_growing = true; }
        ~Growing() { state.is_growing = false; }
    } const growing(*this);
    grow_first_chunk(pool, table, chunk, rows, store.tick());
    set_tail(table, 0, table.tail_rows);
}

void Store::State::make_room(Table& table) {
    if (table.tail_index + 1 < table.chunk_count) return advance_tail(table);

    const bool growing = table.chunk_count == 1 && table.chunk_rows < table.full_rows;
    const std::uint32_t rows =
        growing ? table.chunk_rows * 2 : (table.chunk_count == 0 ? std::min(first_rows, table.full_rows) : table.full_rows);
    // A removal may later need the next block of any table, and a table of its own.
    const std::uint32_t next_rows = std::min(rows * 2, table.full_rows);
    if (!pool.in_no_fail()) pool.keep_reserve(reserve_for(table, next_rows));

    if (growing) return grow_first(table, rows);

    // A further chunk, with a number of its own.
    const std::uint32_t spare = pool.in_no_fail() ? 1 : 2;
    if (free_chunks.size == 0 && chunk_count == Location::max_chunks) {
        raise(Errc::capacity, "spawn: the world is out of chunks; despawn entities or call shrink_to_fit()");
    }
    grow_array(pool, store.chunks_, chunk_count, chunk_capacity, chunk_count + spare);
    free_chunks.reserve(pool, chunk_count + spare);  // so that giving a number back needs no memory
    grow_array(pool, table.chunks, table.chunk_count, table.chunk_capacity, table.chunk_count + spare);

    struct Ticks {
        State& state;
        Table& table;
        RowTicks** rows;
        ~Ticks() { state.free_row_ticks(table, rows); }
    } ticks{*this, table, new_row_ticks(table, rows)};
    Chunk chunk{nullptr, &table.map(), nullptr, nullptr};
    if (table.chunk_count == 0) {
        table.chunk_rows = 0;
        grow_first_chunk(pool, table, chunk, rows, store.tick());
    } else {
        chunk.base = static_cast<std::byte*>(take_chunk(pool, table, rows, table.chunk_bytes));
        start_ticks(chunk, table, store.tick());
    }
    std::swap(chunk.rows, ticks.rows);
    const std::uint32_t number = free_chunks.size != 0 ? free_chunks[--free_chunks.size] : chunk_count++;
    store.chunks_[number] = chunk;
    ++chunks_in_use;
    table.chunks[table.chunk_count++] = number;
    set_tail(table, table.chunk_count - 1, 0);
    wake(table);
}

void Store::State::wake(Table& table) noexcept {
    if (!table.asleep) return;
    table.asleep = false;
    table.drowsy = false;
    if (store.listener_ != nullptr) store.listener_->table_added(table);
}

void Store::State::reserve_rows(Table& table, std::uint64_t rows) {
    const std::uint32_t tail = table.tail_index;
    const std::uint32_t in_tail = table.tail_rows;
    struct Restore {
        State& state;
        Table& table;
        std::uint32_t tail;
        std::uint32_t in_tail;
        ~Restore() {
            if (table.chunk_count != 0) state.set_tail(table, tail, in_tail);
        }
    } restore{*this, table, tail, in_tail};

    while (std::uint64_t{table.chunk_count} * table.chunk_rows < rows) {
        if (table.chunk_count == 1 && table.chunk_rows < table.full_rows && rows > table.chunk_rows) {
            // Straight to the size that is needed: one move instead of one per doubling.
            const auto wanted = static_cast<std::uint32_t>(std::bit_ceil(std::min<std::uint64_t>(rows, table.full_rows)));
            pool.keep_reserve(reserve_for(table, std::min(wanted * 2, table.full_rows)));
            grow_first(table, wanted);
            continue;
        }
        // make_room adds a chunk behind the last one only when the tail is there.
        if (table.chunk_count != 0) set_tail(table, table.chunk_count - 1, 0);
        make_room(table);
    }
}

void Store::State::release_spare_chunks(Table& table, std::uint32_t keep) noexcept {
    while (table.chunk_count > keep) {
        const std::uint32_t number = table.chunks[--table.chunk_count];
        Chunk& chunk = store.chunks_[number];
        give_chunk(pool, table, chunk.base);
        free_row_ticks(table, chunk.rows);
        chunk = {};
        free_chunks.push(number);
        --chunks_in_use;
    }
}

void Store::State::release_all_chunks(Table& table) noexcept {
    release_spare_chunks(table, 0);
    table.tail_rows = table.chunk_rows = table.tail_index = 0;
    table.tail_base = nullptr;
}

void Store::State::retreat_tail(Table& table) noexcept {
    set_tail(table, table.tail_index - 1, table.chunk_rows);
    // One spare chunk stays, so that coming and going at the border of a chunk costs nothing.
    release_spare_chunks(table, std::max(table.tail_index + 2, table.kept_chunks));
}

// Moves the values of a row to the departing row of its chunk, and the last row into the hole.
void Store::State::drop_row_with_values(Table& table, Location at) noexcept {
    const Store::Lock lock(store);
    leave_empty_tail(table);
    const Chunk chunk = store.chunks_[at.chunk()];
    const Entity entity = entities(chunk.base)[at.row()];
    const std::uint32_t departing = table.chunk_rows;
    const std::uint32_t last = table.tail_rows - 1;
    for (std::uint32_t i = 0; i < table.column_count; ++i) {
        const Column& column = table.columns[i];
        std::byte* hole = cell_of(chunk.base, column, at.row());
        std::byte* filling = cell_of(table.tail_base, column, last);
        relocate_value(column, cell_of(chunk.base, column, departing), hole);
        if (filling != hole) relocate_value(column, hole, filling);
    }
    close_hole(table, at, chunk);
    for (std::uint32_t i = 0; i < table.column_count; ++i) {
        const Column& column = table.columns[i];
        keep_or_drop(entity, *column.type, column.id, cell_of(chunk.base, column, departing));
    }
}

void Store::State::migrate_values(Table& source, Location from, Plan& along) noexcept {
    const Store::Lock lock(store);
    const Table& target = *along.target;
    std::byte* base = store.chunks_[from.chunk()].base;
    for (Step *step = along.steps(), *end = step + along.steps_count; step != end; ++step) {
        const Column& column = source.columns[step->column];
        std::byte* hole = cell_of(base, column, from.row());
        std::byte* filling = cell_of(source.tail_base, column, source.tail_rows - 1);
        std::byte* to = step->to != ColumnAt::absent
                            ? target.tail_base + step->to + std::size_t{target.tail_rows} * column.size
                            : cell_of(base, column, source.chunk_rows);
        relocate_value(column, to, hole);
        if (filling != hole) relocate_value(column, hole, filling);
    }
}

void Store::State::end_departed(Entity entity, Table& source, Location from, Plan& along) noexcept {
    const Store::Lock lock(store);
    std::byte* base = store.chunks_[from.chunk()].base;
    for (std::uint32_t i = along.kept; i < along.steps_count; ++i) {
        const Column& column = source.columns[along.steps()[i].column];
        keep_or_drop(entity, *column.type, column.id, cell_of(base, column, source.chunk_rows));
    }
}

void Store::State::drop_all_rows(Table& table) noexcept {
    if (table.chunk_count == 0) return;
    const std::uint32_t last_chunk = table.tail_index;
    const std::uint32_t last_rows = table.tail_rows;
    set_tail(table, 0, 0);
    for (std::uint32_t c = 0; table.has_objects && c <= last_chunk; ++c) {
        std::byte* base = store.chunks_[table.chunks[c]].base;
        const std::uint32_t rows = c == last_chunk ? last_rows : table.chunk_rows;
        for (std::uint32_t i = 0; i < table.column_count; ++i) {
            const Column& column = table.columns[i];
            for (std::uint32_t row = 0; row < rows; ++row) {
                keep_or_drop(entities(base)[row], *column.type, column.id, cell_of(base, column, row));
            }
        }
    }
    release_spare_chunks(table, std::max<std::uint32_t>(1, table.kept_chunks));
}

}  // namespace stoa::detail
