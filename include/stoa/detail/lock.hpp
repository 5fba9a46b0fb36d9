// What keeps the structure of a store still: a count of those who need it to stay. Tested by every structural verb, held by
// walks, by verbs while code of the user runs, and by whoever hands out rows.
#pragma once

#include <cstdint>

#include "stoa/detail/config.hpp"

namespace stoa::detail {

class StructureLock {
  public:
    bool locked() const { return depth_ != 0; }

    // For walks: several threads may read at the same time.
    class SharedLock {
      public:
        explicit SharedLock(StructureLock& lock) : lock_(lock) { __atomic_fetch_add(&lock_.depth_, 1, __ATOMIC_RELAXED); }
        [[gnu::always_inline]] ~SharedLock() { __atomic_fetch_sub(&lock_.depth_, 1, __ATOMIC_RELAXED); }
        SharedLock(const SharedLock&) = delete;
        SharedLock& operator=(const SharedLock&) = delete;

      private:
        StructureLock& lock_;
    };
    // For verbs, which never run beside anything else.
    class Lock {
      public:
        explicit Lock(StructureLock& lock) : lock_(lock) { ++lock_.depth_; }
        ~Lock() { --lock_.depth_; }
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;

      private:
        StructureLock& lock_;
    };
    // Keeps tables in place, empty ones too, for a walk that lets structure change.
    class TableHold {
      public:
        explicit TableHold(StructureLock& lock) : lock_(lock) { ++lock_.table_holds_; }
        ~TableHold() { --lock_.table_holds_; }
        TableHold(const TableHold&) = delete;
        TableHold& operator=(const TableHold&) = delete;

      private:
        StructureLock& lock_;
    };

  protected:
    void lock_for_ever() { depth_ = 1; }
    void unlock_wholly() { depth_ = 0; }
    bool holds_tables() const { return table_holds_ != 0; }

  private:
    std::uint32_t depth_ = 0;
    std::uint32_t table_holds_ = 0;
};

}  // namespace stoa::detail
