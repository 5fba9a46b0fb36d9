// A walk that is divided among threads: the matching rows of a query, cut at multiples of 64 rows, so that two threads
// never write the same word of change bits. Called by Query::par_each.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stoa/detail/query/calls.hpp"
#include "stoa/detail/query/query_state.hpp"
#include "stoa/detail/query/row_span.hpp"
#include "stoa/executor.hpp"

namespace stoa::detail {

class STOA_API ParWalk {
  public:
    using Call = void (*)(const void* callable, Store& store, const RowSpan& rows);

    // Locks the structure while it lives.
    ParWalk(Store& store, const QueryState& state, Call call, const void* callable);
    ParWalk(const ParWalk&) = delete;
    ParWalk& operator=(const ParWalk&) = delete;

    // Makes all calls. Throws the exception of a call that is first in the order of the walk; a walk that tests rows
    // also throws std::bad_alloc.
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

// Calls f for each row, as call_rows does, on the threads of the executor.
template <class F, class... Terms>
void call_in_parallel(F& f, Store& store, const QueryState& state, const Sources<Terms...>& sources,
                      Executor& executor) {
    struct Callable {
        F& f;
        const Sources<Terms...>& sources;
    };
    const Callable callable{f, sources};
    const auto call = [](const void* of, Store& at, const RowSpan& rows) {
        const auto& called = *object_at<Callable>(of);  // Safe: it is the callable below
        Tick now = at.clock().thread_tick();
        call_rows(called.f, at, rows, called.sources, now);
    };
    ParWalk(store, state, call, &callable).run(executor);
}

}  // namespace stoa::detail
