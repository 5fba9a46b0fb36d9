// Counters that are incremented for the duration of a scope: locks, pins, and everything else that holds while an
// object exists.
#pragma once

#include "stoa/detail/base/config.hpp"

namespace stoa::detail {

// Requires: the counter outlives the scope. Threads: one at a time.
template <class Counter>
class [[nodiscard]] ScopedCount {
  public:
    explicit ScopedCount(Counter& counter) noexcept : counter_(counter) { ++counter_; }
    ~ScopedCount() { --counter_; }
    ScopedCount(const ScopedCount&) = delete;
    ScopedCount& operator=(const ScopedCount&) = delete;

  private:
    Counter& counter_;
};

// The same for a counter that several threads change at the same time. It orders no other memory access.
template <class Counter>
class [[nodiscard]] SharedScopedCount {
  public:
    [[gnu::always_inline]] explicit SharedScopedCount(Counter& counter) noexcept : counter_(counter) {
        __atomic_fetch_add(&counter_, 1, __ATOMIC_RELAXED);
    }
    [[gnu::always_inline]] ~SharedScopedCount() { __atomic_fetch_sub(&counter_, 1, __ATOMIC_RELAXED); }
    SharedScopedCount(const SharedScopedCount&) = delete;
    SharedScopedCount& operator=(const SharedScopedCount&) = delete;

  private:
    Counter& counter_;
};

}  // namespace stoa::detail
