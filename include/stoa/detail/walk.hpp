// How queries go over rows: a Walk hands out runs of matching rows, one after the other, and keeps the structure locked while
// it lives. Everything that is more than «next chunk of the next table» is compiled, in src/query/walk.cpp. Called by Query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stoa/detail/query_state.hpp"

namespace stoa::detail {

enum class Order : std::uint8_t { tables, reversed, by_index, none };

// The end of a range-for. Of its own, because <iterator> is a costly header.
struct WalkEnd {};

// What a handle of a query with Changed or Added has seen: everything up to a moment. At first nothing.
struct Mark {
    std::uint64_t moment = 0 - (std::uint64_t{1} << 40);
};

class STOA_API Walk {
  public:
    // Over all matches, since `since` where the query has tracking terms.
    Walk(Store& store, const QueryState& state, Order order, Since since) : Walk(store, state, order, since, nullptr) {}
    // The same since `mark`, which is moved when the walk ends, however it ends: what was written meanwhile is not seen by
    // the next walk.
    Walk(Store& store, const QueryState& state, Order order, Mark& mark)
        : Walk(store, state, order, store.since(mark.moment), &mark) {}
    ~Walk() {
        if (filtered_) [[unlikely]] end_filtered();
    }
    Walk(const Walk&) = delete;
    Walk& operator=(const Walk&) = delete;

    // Goes to the next run; false when there is none.
    bool next() {
        if (filtered_) [[unlikely]] return next_passing();
        if (chunk_ == chunk_end_ && !next_table()) return false;
        rows_.chunk = &store_.chunk(*chunk_++);
        rows_.count = chunk_ == chunk_end_ ? tail_rows_ : chunk_rows_;
        return true;
    }
    const Rows& rows() const { return rows_; }

  private:
    // One tracking term in the current chunk.
    struct Stamps {
        RowTicks* rows;
        const Tick* stamps;
        std::uint64_t* touched;  // null when all rows are to be looked at
    };

    Walk(Store& store, const QueryState& state, Order order, Since since, Mark* mark)
        : store_(store),
          lock_(store),
          state_(state),
          table_(state.tables().data()),
          table_end_(table_ + state.tables().size()),
          filtered_(!state.is_plain() || order != Order::tables) {
        if (filtered_) [[unlikely]] begin_filtered(order, since, mark);
    }

    bool next_table() {
        while (table_ != table_end_) {
            const Table& table = **table_++;
            // The tail may be empty when a spawn that opened it failed.
            const bool has_tail = table.tail_rows != 0;
            if (!has_tail && table.tail_index == 0) [[unlikely]] {
                state_.note_empty(store_);
                continue;
            }
            chunk_ = table.chunks;
            chunk_end_ = chunk_ + table.tail_index + has_tail;
            chunk_rows_ = table.chunk_rows;
            tail_rows_ = has_tail ? table.tail_rows : table.chunk_rows;
            return true;
        }
        return false;
    }

    void begin_filtered(Order order, Since since, Mark* mark);
    void end_filtered() noexcept;
    bool next_passing();
    bool next_chunk();
    bool open_stamps(const Chunk& chunk);
    std::uint64_t passing(std::uint32_t word);
    void list(Order order);
    void hold(std::vector<Location>&& rows);

    Store& store_;
    Store::SharedLock lock_;
    const QueryState& state_;
    Rows rows_;
    Table* const* table_;
    Table* const* table_end_;
    const std::uint32_t* chunk_ = nullptr;
    const std::uint32_t* chunk_end_ = nullptr;
    std::uint32_t chunk_rows_ = 0;
    std::uint32_t tail_rows_ = 0;
    const bool filtered_;

    // Only what is filtered, or in an order of its own, uses what follows; so it is left as it is until then.
    bool listed_;
    Since since_;
    Mark* mark_;
    std::vector<Location>* list_;  // matches that were looked for beforehand
    std::size_t listed_at_;
    std::uint32_t count_;          // rows of the chunk
    std::uint32_t word_;           // 64 rows
    std::uint64_t passing_;        // those of them that pass and are still to be handed out
    std::uint32_t stamps_count_;
    Stamps stamps_[most_tracked];
};

}  // namespace stoa::detail
