// Threads: Workers, the executor on oneTBB, and Query::par_each. Needs the library stoa::parallel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "stoa/detail/par_walk.hpp"
#include "stoa/executor.hpp"
#include "stoa/query.hpp"

namespace stoa {

namespace detail {
struct WorkersState;
}

class STOA_API Workers final : public Executor {
  public:
    // So many threads, that of the caller included; 0: as many as the machine has. One is serial. Throws std::bad_alloc.
    explicit Workers(std::size_t threads = 0);
    ~Workers() override;

    std::size_t threads() const noexcept override { return threads_; }
    void run(Jobs& jobs) override;

  private:
    detail::WorkersState* state_;
    std::size_t threads_;
};

template <class... Terms>
template <class F>
void Query<Terms...>::par_each(Executor& executor, F&& f) const {
    static_assert(detail::accepts_terms<F>(Given{}));
    static_assert(!tracks, "a walk over what has changed is short: use each");
    detail::Store& store = living();
    if (executor.threads() < 2 || order() != detail::Order::tables) return each(f);
    struct Callable {
        std::remove_reference_t<F>& f;
        const Sources sources;
    };
    const Callable callable{f, Sources(store)};
    const auto call = [](const void* of, detail::Store& at, const detail::Rows& rows) {
        const auto& called = *static_cast<const Callable*>(of);
        detail::Tick now = at.walking_tick();
        detail::call_rows(called.f, at, rows, called.sources, now);
    };
    detail::ParWalk(store, *state_, call, &callable).run(executor);
}

}  // namespace stoa
