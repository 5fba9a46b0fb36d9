// A walk in pieces: the matching rows of a query, cut into stretches that start at multiples of 64 rows, so that two threads never
// write the same word of change bits. Called by Query::par_each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stoa/detail/query_state.hpp"
#include "stoa/detail/rows.hpp"
#include "stoa/executor.hpp"

namespace stoa::detail {

class STOA_API ParWalk {
  public:
    using Call = void (*)(const void* callable, Store& store, const Rows& rows);

    // Lists the rows, and keeps the structure locked. Throws std::bad_alloc.
    ParWalk(Store& store, const QueryState& state, Call call, const void* callable);
    ParWalk(const ParWalk&) = delete;
    ParWalk& operator=(const ParWalk&) = delete;

    // Calls for all pieces. Throws what a call threw, the first in the order of the walk.
    void run(Executor& executor);

  private:
    class Pieces;

    Store& store_;
    Store::SharedLock lock_;
    Call call_;
    const void* callable_;
    std::vector<Rows> runs_;
    std::uint64_t rows_ = 0;
};

}  // namespace stoa::detail
