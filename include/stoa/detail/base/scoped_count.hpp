// Counters that are incremented for the duration of a scope: locks, pins, and everything else that holds while an
// object exists.
#pragma once

#include <utility>

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

// The same for a counter that several threads change at the same time. It orders no other memory access. One that was
// moved from, or made without a counter, counts nothing.
template <class Counter>
class [[nodiscard]] SharedScopedCount {
  public:
    SharedScopedCount() noexcept = default;
    [[gnu::always_inline]] explicit SharedScopedCount(Counter& counter) noexcept : counter_(&counter) {
        __atomic_fetch_add(counter_, 1, __ATOMIC_RELAXED);
    }
    [[gnu::always_inline]] ~SharedScopedCount() {
        if (counter_ != nullptr) __atomic_fetch_sub(counter_, 1, __ATOMIC_RELAXED);
    }
    SharedScopedCount(SharedScopedCount&& other) noexcept : counter_(std::exchange(other.counter_, nullptr)) {}
    SharedScopedCount& operator=(SharedScopedCount&& other) noexcept {
        const SharedScopedCount old(std::move(*this));
        counter_ = std::exchange(other.counter_, nullptr);
        return *this;
    }

  private:
    Counter* counter_ = nullptr;
};

}  // namespace stoa::detail
