// The rows that match a query and a filter. They are found before the first one is handed out, so that what a callback
// writes does not change what the walk visits. The search iterates the smallest of: matching tables, a sparse set, the
// result of the filter; the others are tested for each entity. The order is always that of the query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>  // brings std::string, at no further cost
#include <string_view>
#include <utility>
#include <vector>

#include "stoa/detail/query/value_filter.hpp"
#include "stoa/detail/query/walk.hpp"
#include "stoa/filter.hpp"

namespace stoa::detail {

struct FilterNode;

// A query and a filter, from which rows are selected.
struct Selection {
    Store& store;
    const QueryState& state;
    const FilterNode* filter;
    std::uint64_t sparse_size = ~std::uint64_t{0};  // of the smallest sparse set that the query requires
    std::string_view sparse_name = {};
};

class STOA_API Matches {
  public:
    // Moves the mark when it ends, unless it is null. Throws std::bad_alloc, Errc::conflict, and what user code throws.
    Matches(const Selection& from, Order order, Since since, Mark* mark);
    ~Matches() { finish(); }
    Matches(Matches&& other) noexcept
        : store_(other.store_),
          lock_(std::move(other.lock_)),
          mark_(std::exchange(other.mark_, nullptr)),
          list_(std::move(other.list_)),
          at_(other.at_),
          rows_(other.rows_) {}
    Matches& operator=(Matches&& other) noexcept {
        finish();
        store_ = other.store_;
        mark_ = std::exchange(other.mark_, nullptr);
        list_ = std::move(other.list_);
        at_ = other.at_;
        rows_ = other.rows_;
        lock_ = std::move(other.lock_);
        return *this;
    }

    std::size_t count() const { return list_.size(); }
    // Goes to the next rows; false when there are none.
    bool next() {
        if (at_ == list_.size()) return false;
        const Location first = list_[at_++];
        std::uint32_t count = 1;
        // Neighbours in a chunk have neighbouring locations.
        while (at_ != list_.size() && list_[at_].bits == first.bits + count && list_[at_].chunk() == first.chunk()) {
            ++count;
            ++at_;
        }
        rows_ = rows_at(*store_, first, count);
        return true;
    }
    const RowSpan& rows() const { return rows_; }
    std::span<const Entity> ids() const { return {rows_.ids(), rows_.count}; }

  private:
    void finish() noexcept;  // moves the mark

    Store* store_;
    Store::SharedLock lock_;
    Mark* mark_;
    std::vector<Location> list_;
    std::size_t at_ = 0;
    RowSpan rows_;
};

// The row of the entity if it matches, else null.
STOA_API EntityRow find_match(const Selection& from, Entity entity, Since since);
// What a walk iterates, and the estimated sizes of the alternatives, as text.
STOA_API std::string explain_match(const Selection& from, bool active);
// The filter for one observer of a filtered query; null for a filter that all entities pass. Its indexes log changed
// keys as long as it lives. Throws std::bad_alloc.
STOA_API Ref<ValueFilter> follow_filter(Store& store, const Filter& filter);
// Throws Errc::conflict when an index of the filter belongs to another world.
STOA_API void require_same_world(const FilterNode* filter, const StoreLink& link);

}  // namespace stoa::detail
