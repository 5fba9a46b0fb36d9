// Row ticks: their memory, how they move with a row, and how old ticks are prevented from looking new; indexed
// components.
#include "storage/change_tracking.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "stoa/detail/base/scope_guard.hpp"

namespace stoa::detail {
namespace {

constexpr std::size_t alignment = alignof(std::max_align_t);

// The ticks of large chunks share slabs, as the chunks do: a walk over scattered changes reads some ticks of each
// chunk, and would otherwise cause a TLB miss for each.
constexpr std::uint32_t shared_from = 1024;  // rows

void* take_ticks(BlockPool& pool, std::uint32_t rows) {
    const std::size_t bytes = RowTicks::bytes(rows);
    return rows < shared_from ? pool.take(bytes, alignment) : pool.take_shared(bytes, alignment);
}

void give_ticks(BlockPool& pool, RowTicks* ticks) noexcept {
    const std::size_t bytes = RowTicks::bytes(ticks->rows);
    ticks->rows < shared_from ? pool.give(ticks, bytes, alignment) : pool.give_shared(ticks, bytes, alignment);
}

void sweep_array(Tick* ticks, std::size_t count, Tick now) noexcept {
    for (std::size_t i = 0; i < count; ++i) ChangeTracking::sweep(ticks[i], now);
}

}  // namespace

void Chunk::stamp(ColumnAt at, std::uint32_t first, std::uint32_t count, Tick now) const noexcept {
    __atomic_store_n(&ticks[index_of(at.tick_index)], now, __ATOMIC_RELAXED);
    if (row_ticks == nullptr || row_ticks[index_of(at.tick_index)] == nullptr) return;
    RowTicks& stamps = *row_ticks[index_of(at.tick_index)];
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

ChangeTracking::~ChangeTracking() {
    for (IndexedComponent* component : indexed_) delete component;
    indexed_.free(pool_);
    tracked_.free(pool_);
}

bool ChangeTracking::is_tracked(ComponentId id, const ComponentType& type) const noexcept {
    const auto number = static_cast<std::uint32_t>(id);
    return type.traits.track == Track::rows || (number < tracked_.size && tracked_[number]);
}

void ChangeTracking::note_tracked(ComponentId id) {
    const auto number = static_cast<std::uint32_t>(id);
    tracked_.reserve(pool_, number + 1);
    while (tracked_.size <= number) tracked_.push(false);
    tracked_[number] = true;
}

void ChangeTracking::start(Table& table, ComponentId id, Tick now) {
    const TickIndex tick_index = table.find(id).tick_index;
    const ArrayView<const TickIndex> known = table.tracked();
    if (std::find(known.begin(), known.end(), tick_index) != known.end()) return;
    ScopeGuard undo([&]() noexcept {
        for (const ChunkNumber number : table.chunks()) {
            Chunk& chunk = chunks_[number];
            if (chunk.row_ticks == nullptr || chunk.row_ticks[index_of(tick_index)] == nullptr) break;
            give_ticks(pool_, std::exchange(chunk.row_ticks[index_of(tick_index)], nullptr));
        }
    });
    for (const ChunkNumber number : table.chunks()) {
        Chunk& chunk = chunks_[number];
        if (chunk.row_ticks == nullptr) chunk.row_ticks = make_pointers(table);
        chunk.row_ticks[index_of(tick_index)] = make_ticks(table.chunk_rows(), now, id);
    }
    undo.dismiss();
    table.add_tracked(tick_index);
    for (const ChunkNumber number : table.chunks()) chunks_[number].ticks[index_of(tick_index)] = now;
}

IndexedComponent& ChangeTracking::make_indexed(ComponentId id) {
    const auto number = static_cast<std::uint32_t>(id);
    indexed_.reserve(pool_, number + 1);
    while (indexed_.size <= number) indexed_.push(nullptr);
    IndexedComponent& made = *(indexed_[number] = new IndexedComponent);
    made.own_last = clock_.tick();
    return made;
}

void ChangeTracking::record_writes(const Table& table, ComponentId id, IndexedComponent& indexed) noexcept {
    const TickIndex tick_index = table.find(id).tick_index;
    for (const ChunkNumber number : table.chunks())
        chunks_[number].row_ticks[index_of(tick_index)]->last = &indexed.own_last;
}

std::size_t ChangeTracking::row_tick_bytes(const Table& table, std::uint32_t tracked_count,
                                           std::uint32_t rows) noexcept {
    if (tracked_count == 0) return 0;
    return sizeof(RowTicks*) * (1 + table.id_count()) +
           tracked_count * (RowTicks::bytes(rows) + BlockPool::slab_header);
}

RowTicks* ChangeTracking::make_ticks(std::uint32_t rows, Tick now, ComponentId id) {
    // Safe: take_ticks gives room for the ticks and the arrays behind them.
    auto* ticks = ::new (take_ticks(pool_, rows)) RowTicks{rows, now - static_cast<Tick>(oldest_age)};
    IndexedComponent* component = find_indexed(id);
    ticks->last = component != nullptr ? &component->own_last : &ticks->own_last;
    std::fill_n(ticks->changed(), 2 * rows, now);
    std::fill_n(ticks->touched(), RowTicks::words(rows), ~std::uint64_t{0});
    return ticks;
}

RowTicks** ChangeTracking::make_pointers(const Table& table) {
    const std::size_t count = 1 + table.id_count();
    // Safe: pointers, all written before they are read.
    auto** pointers = static_cast<RowTicks**>(pool_.take(sizeof(RowTicks*) * count, alignof(RowTicks*)));
    std::fill_n(pointers, count, nullptr);
    return pointers;
}

RowTicks** ChangeTracking::make_row_ticks(const Table& table, std::uint32_t rows) {
    if (!table.is_tracked()) return nullptr;
    RowTicks** made = make_pointers(table);
    ScopeGuard undo([&]() noexcept { free_row_ticks(table, made); });
    for (const TickIndex tick_index : table.tracked())
        made[index_of(tick_index)] = make_ticks(rows, clock_.tick(), table.ids()[position_of(tick_index)]);
    undo.dismiss();
    return made;
}

void ChangeTracking::free_row_ticks(const Table& table, RowTicks** ticks) noexcept {
    if (ticks == nullptr) return;
    const std::size_t count = 1 + table.id_count();
    for (std::size_t i = 0; i < count; ++i) {
        if (ticks[i] != nullptr) give_ticks(pool_, ticks[i]);
    }
    pool_.give(ticks, sizeof(RowTicks*) * count, alignof(RowTicks*));
}

void ChangeTracking::copy_row_ticks(const Table& table, RowTicks** to, RowTicks** from, std::uint32_t count) noexcept {
    for (const TickIndex tick_index : table.tracked()) {
        RowTicks& old = *from[index_of(tick_index)];
        RowTicks& larger = *to[index_of(tick_index)];
        larger.covered = old.covered;
        std::copy_n(old.changed(), count, larger.changed());
        std::copy_n(old.added(), count, larger.added());
        std::copy_n(old.touched(), RowTicks::words(count), larger.touched());
    }
}

void ChangeTracking::stamp_arrivals(const Table& table, ChunkNumber number, std::uint32_t row,
                                    std::uint32_t count) noexcept {
    const Chunk& chunk = chunks_[number];
    for (const TickIndex tick_index : table.tracked()) {
        chunk.stamp({0, tick_index}, row, count, clock_.tick());
        std::fill_n(chunk.row_ticks[index_of(tick_index)]->added() + row, count, clock_.tick());
    }
}

void ChangeTracking::carry(const Chunk& from, std::uint32_t row, const Table& target) noexcept {
    const Chunk& to = chunks_[target.tail_chunk_number()];
    for (const TickIndex tick_index : target.tracked()) {
        const ColumnAt old = from.columns->find(target.ids()[position_of(tick_index)]);
        if (old.offset != ColumnAt::absent) {
            to.row_ticks[index_of(tick_index)]->take(target.tail_rows(), *from.row_ticks[index_of(old.tick_index)],
                                                     row);
        } else {
            to.row_ticks[index_of(tick_index)]->arrive(target.tail_rows(), clock_.tick());
            to.ticks[index_of(tick_index)] = clock_.tick();
        }
    }
    note_departure(from, row, &target);
}

void ChangeTracking::move_last(const Table& table, Location to) noexcept {
    const Chunk& chunk = chunks_[to.chunk()];
    const Chunk& tail = chunks_[table.tail_chunk_number()];
    for (const TickIndex tick_index : table.tracked())
        chunk.row_ticks[index_of(tick_index)]->take(to.row(), *tail.row_ticks[index_of(tick_index)],
                                                    table.tail_rows() - 1);
}

void ChangeTracking::note_indexed_departure(const Chunk& from, std::uint32_t row, const Table* target) noexcept {
    const Table& source = from.table();
    for (const TickIndex tick_index : source.tracked()) {
        const ComponentId id = source.ids()[position_of(tick_index)];
        IndexedComponent* component = find_indexed(id);
        if (component != nullptr && (target == nullptr || !target->has(id))) component->note(entities(from.base)[row]);
    }
}

void ChangeTracking::note_all_depart(const Table& table) noexcept {
    if (indexed_.size == 0 || table.row_count() == 0) return;
    for (const TickIndex tick_index : table.tracked()) {
        IndexedComponent* component = find_indexed(table.ids()[position_of(tick_index)]);
        if (component != nullptr) component->departures.note_many();
    }
}

void ChangeTracking::sweep(Tick& tick, Tick now) noexcept {
    if (age_of(tick, now) > oldest_age) tick = now - static_cast<Tick>(oldest_age);
}

void ChangeTracking::sweep(RowTicks& ticks, Tick now) noexcept {
    sweep_array(ticks.changed(), std::size_t{2} * ticks.rows, now);
    sweep(ticks.covered, now);
}

void ChangeTracking::sweep(const Table& table, Tick now) noexcept {
    for (const ChunkNumber number : table.chunks()) {
        const Chunk& chunk = chunks_[number];
        sweep_array(chunk.ticks, 1 + table.id_count(), now);
        for (const TickIndex tick_index : table.tracked()) sweep(*chunk.row_ticks[index_of(tick_index)], now);
    }
}

// Enlarges the ring while that helps; otherwise drops the oldest entry.
void EntityLog::make_room() noexcept {
    const std::uint64_t larger = std::max(fewest, 2 * capacity_);
    Entity* entries = larger <= most ? new (std::nothrow) Entity[larger] : nullptr;
    if (entries == nullptr) {
        // Without entries there is only the sequence number, which shows that something was missed.
        begin_ = capacity_ == 0 ? ++end_ : begin_ + 1;
        return;
    }
    for (std::uint64_t number = begin_; number != end_; ++number) entries[number & (larger - 1)] = (*this)[number];
    delete[] entries_;
    entries_ = entries;
    capacity_ = larger;
}

}  // namespace stoa::detail
