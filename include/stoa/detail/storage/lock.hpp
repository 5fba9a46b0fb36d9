// The structure lock of a store: a count of holders. Structural verbs test it. Walks hold it, verbs hold it while user
// code runs, and so does everything that hands out rows.
#pragma once

#include <cstdint>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/base/scoped_count.hpp"

namespace stoa::detail {

class StructureLock {
  public:
    bool locked() const { return depth_ != 0; }

    // For walks: several threads may hold one at the same time.
    class SharedLock {
      public:
        SharedLock() noexcept = default;  // holds nothing, like one that was moved from
        [[gnu::always_inline]] explicit SharedLock(StructureLock& lock) : count_(lock.depth_) {}
        // Inlined into iterators, which otherwise would not stay in registers.
        [[gnu::always_inline]] ~SharedLock() = default;
        SharedLock(SharedLock&&) noexcept = default;
        SharedLock& operator=(SharedLock&&) noexcept = default;

      private:
        SharedScopedCount<std::uint32_t> count_;
    };
    // For verbs, which never run concurrently with other calls.
    class Lock {
      public:
        explicit Lock(StructureLock& lock) : count_(lock.depth_) {}

      private:
        ScopedCount<std::uint32_t> count_;
    };
    // Prevents tables from being freed during a walk that allows structural changes.
    class TableHold {
      public:
        explicit TableHold(StructureLock& lock) : count_(lock.table_holds_) {}

      private:
        ScopedCount<std::uint32_t> count_;
    };

    bool holds_tables() const { return table_holds_ != 0; }

  protected:
    void lock_permanently() { depth_ = 1; }
    void clear_locks() { depth_ = 0; }

  private:
    std::uint32_t depth_ = 0;
    std::uint32_t table_holds_ = 0;
};

}  // namespace stoa::detail
