// How queries go over rows: a Walk hands out runs of matching rows, one after the other, and keeps the structure locked while
// it lives. Everything that is more than «next chunk of the next table» is compiled, in src/query/walk.cpp, and has its data
// in a Sieve beside the walk. Called by Query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stoa/detail/query_state.hpp"

namespace stoa::detail {

enum class Order : std::uint8_t { tables, reversed, by_index, from_last_index, none };

constexpr Order reverse_of(Order order) {
    switch (order) {
        case Order::tables: return Order::reversed;
        case Order::reversed: return Order::tables;
        case Order::by_index: return Order::from_last_index;
        case Order::from_last_index: return Order::by_index;
        case Order::none: break;
    }
    return Order::none;
}
// Whether what comes last otherwise comes first.
constexpr bool is_backward(Order order) { return order == Order::reversed || order == Order::from_last_index; }
constexpr bool is_by_index(Order order) { return order == Order::by_index || order == Order::from_last_index; }

// The end of a range-for. Of its own, because <iterator> is a costly header.
struct WalkEnd {};

// What a handle of a query with Changed or Added has seen: everything up to a moment. At first nothing.
struct Mark {
    std::uint64_t moment = 0 - (std::uint64_t{1} << 40);
};

// The chunks of all matching tables, in order. A walk of its own for plain queries, and the ground of a filtered one. No
// function that is compiled elsewhere gets its address, and its parts are inlined, so it lives in registers.
class ChunkWalk {
  public:
    ChunkWalk() {}  // goes nowhere: to be assigned to
    ChunkWalk(const Store& store, const QueryState& state)
        : store_(&store),
          state_(&state),
          at_(state.tables().data()),
          end_(at_ + state.tables().size()) {}

    [[gnu::always_inline]] bool next(Rows& rows) {
        if (runs_ == 0) {
            do {
                if (at_ == end_) return false;
                rows.table = *at_++;
                if (end_ - at_ > 4) __builtin_prefetch(at_[4]);  // they stand anywhere
                // The tail may be empty when a spawn that opened it failed.
                runs_ = rows.table->tail_index + (rows.table->tail_rows != 0);
                if (runs_ == 0) [[unlikely]] state_->note_empty(*store_);
            } while (runs_ == 0);
            chunk_ = rows.table->chunks;
        }
        const Table& table = *rows.table;
        if (--runs_ == 0 && table.tail_rows != 0) [[likely]] {
            rows.chunk = table.tail_number;
            rows.base = table.tail_base;
            rows.ticks = table.tail_ticks;
            rows.count = table.tail_rows;
        } else {
            rows.chunk = *chunk_++;
            rows.base = store_->chunk(rows.chunk).base;
            rows.ticks = store_->chunk(rows.chunk).ticks;
            rows.count = table.chunk_rows;
        }
        return true;
    }
    // Whoever looks at the ticks of each chunk, and at few rows, would wait for each of them: they lie far apart.
    void fetch_ticks() const {
        if (runs_ > 8) __builtin_prefetch(store_->chunk(chunk_[7]).ticks);
    }

  private:
    const Store* store_;
    const QueryState* state_;
    Table* const* at_;
    Table* const* end_;
    const std::uint32_t* chunk_;
    std::uint32_t runs_ = 0;  // left in the table
};

// The rows of a walk that tests them, or takes them in an order of its own. Most walks do neither: then it is never begun,
// and costs nothing but its place on the stack.
class STOA_API Sieve {
  public:
    Sieve() {}
    ~Sieve() {
        if (store_ != nullptr) [[unlikely]] end();
    }
    Sieve(const Sieve&) = delete;
    Sieve& operator=(const Sieve&) = delete;

    void begin(Store& store, const QueryState& state, Order order, Since since, Mark* mark);
    bool next();
    // The same for whoever takes rows here and there too: if picks() are not empty, they say which of rows() pass.
    bool next_picks();
    const Rows& rows() const { return rows_; }
    std::span<const std::uint16_t> picks() const { return {picks_, pick_count_}; }

  private:
    // One tracking term in the current chunk.
    struct Stamps {
        RowTicks* rows;
        const Tick* stamps;
        bool by_bits;  // else all rows are looked at
    };
    struct Ages {
        Age least;
        Age most;
    };

    void end() noexcept;
    bool next_chunk();
    void open_table(const Table& table);
    bool may_have_changed(const Tick* ticks) const;
    void open_stamps(const Chunk& chunk);
    void take_bits(RowTicks& rows);
    Tick kept() const;
    std::uint64_t passing(std::uint32_t word);
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
    Rows rows_;
    std::uint32_t count_;          // rows of the chunk
    bool listed_;
    std::vector<Location>* list_;  // matches that were looked for beforehand
    std::size_t listed_at_;
    const Table* table_;                   // of the chunk
    std::uint32_t tick_of_[most_tracked];  // where it keeps what the tracking terms ask for
    std::uint32_t word_;           // 64 rows, the last that were looked at
    std::uint32_t stamps_count_;
    std::uint64_t passing_;        // those of them that pass and are still to be handed out
    Stamps stamps_[most_tracked];
    // Rows of the chunk that may pass. A copy, because a walk inside the callback drops bits that this one still needs.
    std::uint64_t candidates_[Location::max_rows / 64];
    static constexpr std::uint32_t most_picks = 256;
    bool picks_rows_;              // nothing but stamps is tested, so many rows can be tested at once
    std::uint32_t pick_count_ = 0;
    std::uint16_t picks_[most_picks + 64];
};

// A sieve that is made when it is needed, for whoever keeps its walk in one object with it: that object can live in registers as
// long as nothing that is compiled elsewhere gets an address in it.
class RareSieve {
  public:
    RareSieve() {}
    ~RareSieve() { delete sieve_; }
    RareSieve(const RareSieve&) = delete;
    RareSieve& operator=(const RareSieve&) = delete;

    Sieve& get() { return *(sieve_ = new Sieve); }

  private:
    Sieve* sieve_ = nullptr;
};

class Walk {
  public:
    // Over all matches, since `since` where the query has tracking terms. The sieve, a Sieve or a RareSieve, must be fresh, and
    // outlive the walk.
    template <class AnySieve>
    [[gnu::always_inline]] Walk(Store& store, const QueryState& state, Order order, Since since, AnySieve& sieve)
        : Walk(store, state, order, since, nullptr, sieve) {}
    // The same since `mark`, which is moved when the sieve ends, however the walk ends: what was written meanwhile is not
    // seen by the next walk.
    template <class AnySieve>
    [[gnu::always_inline]] Walk(Store& store, const QueryState& state, Order order, Mark& mark, AnySieve& sieve)
        : Walk(store, state, order, store.since(mark.moment), &mark, sieve) {}
    Walk(const Walk&) = delete;
    Walk& operator=(const Walk&) = delete;

    // Goes to the next run; false when there is none.
    [[gnu::always_inline]] bool next() {
        if (sieve_ == nullptr) [[likely]] return chunks_.next(rows_);
        if (!sieve_->next()) return false;
        rows_ = sieve_->rows();
        return true;
    }
    // The same; see Sieve. Requires: the query tests rows.
    bool next_picks() {
        if (!sieve_->next_picks()) return false;
        rows_ = sieve_->rows();
        return true;
    }
    [[gnu::always_inline]] const Rows& rows() const { return rows_; }
    std::span<const std::uint16_t> picks() const { return sieve_->picks(); }

  private:
    template <class AnySieve>
    [[gnu::always_inline]] Walk(Store& store, const QueryState& state, Order order, Since since, Mark* mark, AnySieve& sieve)
        : lock_(store), chunks_(store, state) {
        if (state.is_plain() && order == Order::tables) [[likely]] return;
        sieve_ = &chosen(sieve);
        sieve_->begin(store, state, order, since, mark);
    }
    static Sieve& chosen(Sieve& sieve) { return sieve; }
    static Sieve& chosen(RareSieve& rare) { return rare.get(); }

    Store::SharedLock lock_;
    ChunkWalk chunks_;
    Sieve* sieve_ = nullptr;
    Rows rows_;
};

}  // namespace stoa::detail
