// How queries iterate over rows: a Walk hands out the matches as row spans, one after the other, and locks the
// structure while it lives. Walks that test or order rows use compiled code, in src/query/walk.cpp, whose data is in a
// RowSelector outside the walk. Used by Query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "stoa/detail/query/query_state.hpp"

namespace stoa::detail {

enum class Order : std::uint8_t { tables, reversed, by_index, from_last_index, none };

constexpr Order reverse_of(Order order) {
    switch (order) {
        case Order::tables:
            return Order::reversed;
        case Order::reversed:
            return Order::tables;
        case Order::by_index:
            return Order::from_last_index;
        case Order::from_last_index:
            return Order::by_index;
        case Order::none:
            break;
    }
    return Order::none;
}
// Whether the order is a reversed one.
constexpr bool is_backward(Order order) { return order == Order::reversed || order == Order::from_last_index; }
constexpr bool is_by_index(Order order) { return order == Order::by_index || order == Order::from_last_index; }

// The end of a range-for. Not std::default_sentinel_t, because <iterator> is a costly header.
struct WalkEnd {};

// What a handle of a query with Changed or Added has seen: everything up to a moment. At first nothing.
struct Mark {
    std::uint64_t moment = 0 - (std::uint64_t{1} << 40);
};

// The chunks of all matching tables, in order. Plain queries use it directly; walks that test rows are built on it. It
// is fully inlined and its address is passed to no compiled function, so it stays in registers.
class ChunkWalk {
  public:
    ChunkWalk() {}  // empty: assigned to later
    ChunkWalk(const Store& store, const QueryState& state)
        : store_(&store), state_(&state), at_(state.tables().data()), end_(at_ + state.tables().size()) {}

    [[gnu::always_inline]] bool next(RowSpan& rows) {
        if (runs_ == 0) {
            do {
                if (at_ == end_) return false;
                rows.table = *at_++;
                if (end_ - at_ > 4) __builtin_prefetch(at_[4]);  // tables are anywhere in memory
                // The tail may be empty when a spawn that opened it failed.
                runs_ = rows.table->used_chunk_count();
                if (runs_ == 0) [[unlikely]]
                    state_->note_empty(*store_);
            } while (runs_ == 0);
            chunk_ = rows.table->chunks().data();
        }
        const Table& table = *rows.table;
        if (--runs_ == 0 && table.tail_rows() != 0) [[likely]] {
            rows.chunk = table.tail_chunk_number();
            rows.base = table.tail_base();
            rows.ticks = table.tail_ticks();
            rows.count = table.tail_rows();
        } else {
            rows.chunk = *chunk_++;
            rows.base = store_->chunks()[rows.chunk].base;
            rows.ticks = store_->chunks()[rows.chunk].ticks;
            rows.count = table.chunk_rows();
        }
        return true;
    }
    // For walks that read the ticks of each chunk and few of its rows: ticks are far apart, and each read would miss
    // the cache.
    void fetch_ticks() const {
        if (runs_ > 8) __builtin_prefetch(store_->chunks()[chunk_[7]].ticks);
    }

  private:
    const Store* store_;
    const QueryState* state_;
    Table* const* at_;
    Table* const* end_;
    const ChunkNumber* chunk_;
    std::uint32_t runs_ = 0;  // left in the table
};

// Selects the rows of a walk that tests them, or that has another order than the tables. Most walks do neither: then it
// is never started, and costs only stack space.
class STOA_API RowSelector {
  public:
    RowSelector() {}
    ~RowSelector() {
        if (store_ != nullptr) [[unlikely]]
            end();
    }
    RowSelector(RowSelector&& other) noexcept { take(other); }
    RowSelector& operator=(RowSelector&& other) noexcept {
        if (store_ != nullptr) end();
        take(other);
        return *this;
    }

    void begin(Store& store, const QueryState& state, Order order, Since since, Mark* mark);
    bool next();
    // The same for callers that accept single rows: if picks() is not empty, it lists the rows of rows() that pass.
    bool next_picks();
    const RowSpan& rows() const { return rows_; }
    std::span<const std::uint16_t> picks() const { return {picks_, pick_count_}; }

  private:
    // One tracking term in the current chunk.
    struct Stamps {
        RowTicks* rows;
        const Tick* stamps;
        bool by_bits;  // else all rows are tested
    };
    struct Ages {
        Age least;
        Age most;
    };

    RowSelector& operator=(const RowSelector&) = default;  // for take()

    void take(RowSelector& other) noexcept;
    void end() noexcept;
    bool next_chunk();
    void open_table(const Table& table);
    bool may_have_changed(const Tick* ticks) const;
    bool may_pass_changes(const Tick* ticks) const;
    void open_stamps(const Chunk& chunk);
    void open_changes(const Chunk& chunk);
    void take_bits(RowTicks& rows, std::uint64_t* bits);
    Tick oldest_needed() const;
    std::uint64_t passing(std::uint32_t word);
    std::uint64_t passing_ticks(const Stamps& stamps, std::uint32_t word, std::uint64_t rows, Tick oldest);
    std::uint64_t passing_changes(std::uint32_t word, std::uint64_t rows);
    std::uint64_t passing_entities(std::uint32_t word, std::uint64_t rows) const;
    std::uint32_t list_candidates(std::uint32_t first_word, std::uint32_t end_word);
    void test_picks(std::uint32_t first_word, std::uint32_t end_word);
    Ages ages(const Tick* stamps) const;
    void list(Order order);
    void hold(std::vector<Location>&& rows);

    Store* store_ = nullptr;
    const QueryState* state_;
    Mark* mark_;
    ChunkWalk chunks_;
    Since since_;
    RowSpan rows_;
    std::uint32_t count_;  // rows of the chunk
    bool listed_;
    std::vector<Location>* list_;  // matches that were collected before the walk
    std::size_t listed_at_;
    const Table* table_;               // of the chunk
    TickIndex tick_of_[most_tracked];  // the tick index of each tracking term in it
    std::uint32_t word_;               // the 64 rows that were tested last
    std::uint32_t stamps_count_;
    std::uint64_t passing_;  // those of them that pass and are still to be handed out
    Stamps stamps_[most_tracked];
    // Rows of the chunk that may pass. A copy, because a walk inside the callback may drop bits that this walk still
    // needs.
    std::uint64_t candidates_[Location::max_rows / 64];
    static constexpr std::uint32_t most_picks = 256;
    bool picks_rows_;  // only ticks are tested, so many rows can be tested at once
    std::uint32_t pick_count_ = 0;
    std::uint16_t picks_[most_picks + 64];
};

// A selector that is made on first use, for objects that contain it and a walk: such an object stays in registers as
// long as no compiled function gets its address.
class LazyRowSelector {
  public:
    LazyRowSelector() {}
    [[gnu::always_inline]] ~LazyRowSelector() { delete selector_; }
    LazyRowSelector(LazyRowSelector&& other) noexcept : selector_(std::exchange(other.selector_, nullptr)) {}
    LazyRowSelector& operator=(LazyRowSelector&& other) noexcept {
        delete std::exchange(selector_, std::exchange(other.selector_, nullptr));
        return *this;
    }

    RowSelector& get() { return *(selector_ = new RowSelector); }

  private:
    RowSelector* selector_ = nullptr;
};

class Walk {
  public:
    // Over all matches, since `since` where the query has tracking terms. The selector, a RowSelector or a
    // LazyRowSelector, must be fresh, and outlive the walk.
    template <class AnySelector>
    [[gnu::always_inline]] Walk(Store& store, const QueryState& state, Order order, Since since, AnySelector& selector)
        : Walk(store, state, order, since, nullptr, selector) {}
    // The same since `mark`. The destructor of the selector moves the mark, however the walk ends, so the next walk
    // does not see what was written during this one.
    template <class AnySelector>
    [[gnu::always_inline]] Walk(Store& store, const QueryState& state, Order order, Mark& mark, AnySelector& selector)
        : Walk(store, state, order, store.clock().since(mark.moment), &mark, selector) {}
    [[gnu::always_inline]] ~Walk() = default;
    // The new walk goes on. If its RowSelector moves too, it must be told.
    Walk(Walk&&) noexcept = default;
    Walk& operator=(Walk&&) noexcept = default;
    void move_to(RowSelector& selector) {
        if (selector_ != nullptr) selector_ = &selector;
    }

    // Goes to the next row span; false when there is none.
    [[gnu::always_inline]] bool next() {
        if (selector_ == nullptr) [[likely]]
            return chunks_.next(rows_);
        if (!selector_->next()) return false;
        rows_ = selector_->rows();
        return true;
    }
    // The same; see RowSelector. Requires: the query tests rows.
    bool next_picks() {
        if (!selector_->next_picks()) return false;
        rows_ = selector_->rows();
        return true;
    }
    [[gnu::always_inline]] const RowSpan& rows() const { return rows_; }
    std::span<const std::uint16_t> picks() const { return selector_->picks(); }
    std::span<const Entity> ids() const { return {rows_.ids(), rows_.count}; }

  private:
    template <class AnySelector>
    [[gnu::always_inline]] Walk(Store& store, const QueryState& state, Order order, Since since, Mark* mark,
                                AnySelector& selector)
        : lock_(store), chunks_(store, state) {
        if (state.is_plain() && order == Order::tables) [[likely]]
            return;
        selector_ = &chosen(selector);
        selector_->begin(store, state, order, since, mark);
    }
    static RowSelector& chosen(RowSelector& selector) { return selector; }
    static RowSelector& chosen(LazyRowSelector& rare) { return rare.get(); }

    Store::SharedLock lock_;
    ChunkWalk chunks_;
    RowSelector* selector_ = nullptr;
    RowSpan rows_;
};

// A walk over all rows of one table; over none if `table` is null.
class TableWalk {
  public:
    TableWalk(Store& store, const Table* table) : store_(store), lock_(store), table_(table) {
        if (table_ != nullptr && table_->row_count() == 0) table_ = nullptr;
    }
    TableWalk(const TableWalk&) = delete;
    TableWalk& operator=(const TableWalk&) = delete;

    bool next() {
        if (table_ == nullptr || at_ == table_->used_chunk_count()) return false;
        rows_ = rows_at(store_, Location::of(table_->chunks()[at_], 0), table_->rows_at(at_));
        ++at_;
        return true;
    }
    const RowSpan& rows() const { return rows_; }
    std::span<const Entity> ids() const { return {rows_.ids(), rows_.count}; }

  private:
    Store& store_;
    Store::SharedLock lock_;
    const Table* table_;
    std::uint32_t at_ = 0;
    RowSpan rows_;
};

}  // namespace stoa::detail
