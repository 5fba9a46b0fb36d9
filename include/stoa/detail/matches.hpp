// The rows that match a query and a filter, found before the first one is handed out: so what a callback writes does not change
// what a walk visits. The smallest of tables, sparse sets and filters is gone through, the others are tests; the order is that
// of the query, whichever it is. Compiled, in src/index. Called by Filtered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>  // brings std::string, at no further cost
#include <string_view>
#include <vector>

#include "stoa/detail/walk.hpp"

namespace stoa::detail {

struct FilterNode;

// What is selected from.
struct Selection {
    Store& store;
    const QueryState& state;
    const FilterNode* filter;
    std::uint64_t sparse_size = ~std::uint64_t{0};  // of the smallest sparse set that the query requires
    std::string_view sparse_name = {};
};

class STOA_API Matches {
  public:
    // Moves the mark when it ends, unless that is null. Throws std::bad_alloc, Errc::conflict, and what code of the user throws.
    Matches(const Selection& from, Order order, Since since, Mark* mark);
    ~Matches();
    Matches(const Matches&) = delete;
    Matches& operator=(const Matches&) = delete;

    std::size_t count() const { return list_.size(); }
    // Goes to the next run; false when there is none.
    bool next() {
        if (at_ == list_.size()) return false;
        run_ = {list_[at_++], 1};
        // Neighbours in a chunk have neighbouring locations.
        while (at_ != list_.size() && list_[at_].bits == run_.first.bits + run_.count && list_[at_].chunk() == run_.first.chunk()) {
            ++run_.count;
            ++at_;
        }
        return true;
    }
    // Consecutive rows of one chunk.
    struct Run {
        Location first;
        std::uint32_t count;
    };
    const Run& run() const { return run_; }
    const Entity* ids() const { return entities(store_.chunk(run_.first.chunk()).base) + run_.first.row(); }

  private:
    Store& store_;
    Store::SharedLock lock_;
    Mark* mark_;
    std::vector<Location> list_;
    std::size_t at_ = 0;
    Run run_{};
};

// The row of the entity when it matches.
STOA_API Place find_match(const Selection& from, Entity entity, Since since);
// What drives a walk, and what the others are estimated at, as text.
STOA_API std::string explain_match(const Selection& from, bool active);
// Throws Errc::conflict when an index of the filter belongs to another world.
STOA_API void require_same_world(const FilterNode* filter, const StoreLink& link);

}  // namespace stoa::detail
