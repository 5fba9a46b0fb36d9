// A walk in pieces: the matching rows of a query, cut into stretches that start at multiples of 64 rows, so that two threads never
// write the same word of change bits. Called by Query::par_each.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stoa/detail/query_state.hpp"
#include "stoa/detail/rows.hpp"
#include "stoa/executor.hpp"

namespace stoa::detail {

class STOA_API ParWalk {
  public:
    using Call = void (*)(const void* callable, Store& store, const Rows& rows);

    // Keeps the structure locked.
    ParWalk(Store& store, const QueryState& state, Call call, const void* callable);
    ParWalk(const ParWalk&) = delete;
    ParWalk& operator=(const ParWalk&) = delete;

    // Calls for all pieces. Throws what a call threw, the first in the order of the walk; a filtered walk also std::bad_alloc.
    void run(Executor& executor);

  private:
    class Pieces;
    class Stretches;
    class Runs;

    Store& store_;
    const QueryState& state_;
    Store::SharedLock lock_;
    Call call_;
    const void* callable_;
};

}  // namespace stoa::detail
