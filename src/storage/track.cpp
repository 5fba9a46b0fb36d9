// Ticks of single rows: where they are kept, how they follow a row, and how old ones are kept from looking new. They stand
// in blocks of their own beside the chunks, so that tracking can be switched on while the world is walked: no value moves.
//
// Invariant: every chunk of a table has RowTicks for exactly the components in `Table::tracked`, with room for all rows.
#include <algorithm>

#include "storage/state.hpp"

namespace stoa::detail {
namespace {

// Those of large chunks share slabs, as the chunks do: a walk over changes here and there reads some of each, and would
// miss a page for each.
constexpr std::uint32_t shared_from = 1024;  // rows

void* take_stamps(BlockPool& pool, std::uint32_t rows) {
    const std::size_t bytes = RowTicks::bytes(rows);
    constexpr std::size_t alignment = alignof(std::max_align_t);
    return rows < shared_from ? pool.take(bytes, alignment) : pool.take_shared(bytes, alignment);
}

void give_stamps(BlockPool& pool, RowTicks* stamps) noexcept {
    const std::size_t bytes = RowTicks::bytes(stamps->rows);
    constexpr std::size_t alignment = alignof(std::max_align_t);
    stamps->rows < shared_from ? pool.give(stamps, bytes, alignment) : pool.give_shared(stamps, bytes, alignment);
}

}  // namespace

void Chunk::stamp(ColumnAt at, std::uint32_t first, std::uint32_t count, Tick now) const noexcept {
    __atomic_store_n(&ticks[at.tick], now, __ATOMIC_RELAXED);
    if (rows == nullptr || rows[at.tick] == nullptr) return;
    RowTicks& stamps = *rows[at.tick];
    std::fill_n(stamps.changed() + first, count, now);
    stamps.note(now);
    const std::uint32_t end = first + count;
    for (std::uint32_t row = first; row < end;) {
        const std::uint32_t from = row % 64;
        const std::uint32_t bits = std::min(64 - from, end - row);
        stamps.touched()[row / 64] |= (~std::uint64_t{0} >> (64 - bits)) << from;
        row += bits;
    }
}

bool Store::State::is_tracked(ComponentId id, const ComponentType& type) const {
    const auto number = static_cast<std::uint32_t>(id);
    return type.traits.track == Track::rows || (number < tracked.size && tracked[number]);
}

void Store::State::note_tracked(ComponentId id) {
    const auto number = static_cast<std::uint32_t>(id);
    tracked.reserve(pool, number + 1);
    while (tracked.size <= number) tracked.push(false);
    tracked[number] = true;
}

std::size_t Store::State::row_tick_bytes(const Table& table, std::uint32_t rows) {
    if (table.tracked_count == 0) return 0;
    return sizeof(RowTicks*) * (1 + table.id_count) +
           table.tracked_count * (RowTicks::bytes(rows) + BlockPool::slab_header);
}

RowTicks* Store::State::new_stamps(std::uint32_t rows, Tick now, ComponentId id) {
    auto* stamps = ::new (take_stamps(pool, rows)) RowTicks{rows, now - static_cast<Tick>(oldest_age)};
    Followed* component = find_followed(id);
    stamps->last = component != nullptr ? &component->own_last : &stamps->own_last;
    std::fill_n(stamps->changed(), 2 * rows, now);
    std::fill_n(stamps->touched(), RowTicks::words(rows), ~std::uint64_t{0});
    return stamps;
}

RowTicks** Store::State::new_row_ticks(const Table& table, std::uint32_t rows) {
    if (table.tracked_count == 0) return nullptr;
    struct Made {
        State& state;
        const Table& table;
        RowTicks** ticks;
        ~Made() { state.free_row_ticks(table, ticks); }
    } made{*this, table, static_cast<RowTicks**>(pool.take(sizeof(RowTicks*) * (1 + table.id_count), alignof(RowTicks*)))};
    std::fill_n(made.ticks, 1 + table.id_count, nullptr);
    for (std::uint32_t i = 0; i < table.tracked_count; ++i) {
        made.ticks[table.tracked[i]] = new_stamps(rows, store.tick(), table.ids[table.tracked[i] - 1]);
    }
    return std::exchange(made.ticks, nullptr);
}

void Store::State::free_row_ticks(const Table& table, RowTicks** ticks) noexcept {
    if (ticks == nullptr) return;
    for (std::uint32_t i = 0; i <= table.id_count; ++i) {
        if (ticks[i] != nullptr) give_stamps(pool, ticks[i]);
    }
    pool.give(ticks, sizeof(RowTicks*) * (1 + table.id_count), alignof(RowTicks*));
}

void Store::State::copy_row_ticks(const Table& table, RowTicks** to, RowTicks** from, std::uint32_t count) noexcept {
    for (std::uint32_t i = 0; i < table.tracked_count; ++i) {
        RowTicks& old = *from[table.tracked[i]];
        RowTicks& larger = *to[table.tracked[i]];
        larger.covered = old.covered;
        std::copy_n(old.changed(), count, larger.changed());
        std::copy_n(old.added(), count, larger.added());
        std::copy_n(old.touched(), RowTicks::words(count), larger.touched());
    }
}

// All or nothing for one table.
void Store::State::track_in(Table& table, ComponentId id, Tick now) {
    const std::uint32_t position = table.find(id).tick;
    if (std::find(table.tracked, table.tracked + table.tracked_count, position) != table.tracked + table.tracked_count) return;
    ++table.tracked_count;  // for the size of the reserve
    const std::size_t reserve = table.chunk_rows == 0 ? 0 : reserve_for(table, std::min(2 * table.chunk_rows, table.full_rows));
    --table.tracked_count;
    pool.keep_reserve(reserve);
    struct Unfinished {
        State& state;
        Table& table;
        std::uint32_t position;
        bool done = false;
        ~Unfinished() {
            for (std::uint32_t c = 0; !done && c < table.chunk_count; ++c) {
                Chunk& chunk = state.store.chunks_[table.chunks[c]];
                if (chunk.rows == nullptr || chunk.rows[position] == nullptr) break;
                give_stamps(state.pool, chunk.rows[position]);
                chunk.rows[position] = nullptr;
            }
        }
    } attempt{*this, table, position};
    for (std::uint32_t c = 0; c < table.chunk_count; ++c) {
        Chunk& chunk = store.chunks_[table.chunks[c]];
        if (chunk.rows == nullptr) {
            auto** rows = static_cast<RowTicks**>(pool.take(sizeof(RowTicks*) * (1 + table.id_count), alignof(RowTicks*)));
            std::fill_n(rows, 1 + table.id_count, nullptr);
            chunk.rows = rows;
        }
        chunk.rows[position] = new_stamps(table.chunk_rows, now, id);
    }
    attempt.done = true;
    table.tracked[table.tracked_count++] = position;
    for (std::uint32_t c = 0; c < table.chunk_count; ++c) store.chunks_[table.chunks[c]].ticks[position] = now;
}

void Store::track(TypeSlot& slot) {
    const ComponentId id = resolve(*registry_, slot);
    State& state = *state_;
    const auto number = static_cast<std::uint32_t>(id);
    if (state.is_growing) fail_locked("query", slot.type->name());
    state.note_tracked(id);
    // A walk that is under way wrote what it wrote without these ticks: as if everything changed right after this moment.
    const Tick now = tick() + (locked() ? 1 : 0);
    if (registry_->type(id).is_sparse()) {
        sparse_set(slot).track(now);
    } else {
        for (Table* table : state.tables) {
            if (table->has(ComponentId{number})) state.track_in(*table, id, now);
        }
    }
}

void Store::stamp_arrivals(const Table& table, std::uint32_t number, std::uint32_t row, std::uint32_t count) noexcept {
    const Chunk& chunk = chunks_[number];
    for (std::uint32_t i = 0; i < table.tracked_count; ++i) {
        RowTicks& stamps = *chunk.rows[table.tracked[i]];
        chunk.stamp({0, table.tracked[i]}, row, count, tick());
        std::fill_n(stamps.added() + row, count, tick());
    }
}

// What the target has and the source has not is new.
void Store::State::carry_stamps(const Chunk& from, std::uint32_t row, const Table& target) noexcept {
    const Chunk& to = store.chunks_[target.tail_number];
    for (std::uint32_t i = 0; i < target.tracked_count; ++i) {
        const std::uint32_t position = target.tracked[i];
        const ColumnAt old = from.columns->find(target.ids[position - 1]);
        if (old.offset != ColumnAt::absent) {
            to.rows[position]->take(target.tail_rows, *from.rows[old.tick], row);
        } else {
            to.rows[position]->arrive(target.tail_rows, store.tick());
            to.ticks[position] = store.tick();
        }
    }
    note_departure(from, row, &target);
}

void Store::State::move_last_stamps(const Table& table, Location to) noexcept {
    const Chunk& chunk = store.chunks_[to.chunk()];
    const Chunk& tail = store.chunks_[table.tail_number];
    for (std::uint32_t i = 0; i < table.tracked_count; ++i) {
        const std::uint32_t position = table.tracked[i];
        chunk.rows[position]->take(to.row(), *tail.rows[position], table.tail_rows - 1);
    }
}

namespace {

void rejuvenate(Tick* stamps, std::size_t count, Tick now) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        if (age_of(stamps[i], now) > oldest_age) stamps[i] = now - static_cast<Tick>(oldest_age);
    }
}

void rejuvenate(RowTicks& stamps, Tick now) noexcept {
    rejuvenate(stamps.changed(), std::size_t{2} * stamps.rows, now);
    rejuvenate(&stamps.covered, 1, now);
}

}  // namespace

void Store::sweep_ticks() noexcept {
    for (const Table* table : state_->tables) {
        for (std::uint32_t c = 0; c < table->chunk_count; ++c) {
            const Chunk& chunk = chunks_[table->chunks[c]];
            rejuvenate(chunk.ticks, 1 + table->id_count, tick());
            for (std::uint32_t i = 0; i < table->tracked_count; ++i) rejuvenate(*chunk.rows[table->tracked[i]], tick());
        }
    }
    for (SparseSet* set : state_->sparse_sets) {
        rejuvenate(&set->last_change(), 1, tick());
        if (set->ticks() != nullptr) rejuvenate(*set->ticks(), tick());
    }
}

}  // namespace stoa::detail
