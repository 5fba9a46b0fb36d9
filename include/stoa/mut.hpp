// Mut<T>: write access that counts as a change only where it is used.
//
//     world.query<Mut<Health>>().each([](Mut<Health> health) {
//         if (health->points < 0) health.write().points = 0;
//     });
//
// A term T counts every row that it hands out as changed, because it cannot see what a callback does with the
// reference.
#pragma once

#include <cstdint>

#include "stoa/detail/storage/store.hpp"
#include "stoa/terms.hpp"

namespace stoa {

namespace detail {

template <class T>
struct ColumnValues;
template <class T>
struct SparseValues;

}  // namespace detail

/// The term Mut<T>, and what it gives for one entity.
///
/// It is a view, valid for one call of the callback or one iteration of a loop. Take it by value. It may be copied, and
/// a copy refers to the same value; it cannot be a component.
///
/// For the schedule the term counts as writing T, whether or not write() is called.
/// Threads: a Mut is used by the thread that got it. In Query::par_each different threads may call write() for
/// different entities at the same time.
template <class T>
class Mut {
  public:
    /// Returns: the value, for reading. It does not count as a change.
    const T& operator*() const { return value_; }
    const T* operator->() const { return detail::address_of(value_); }

    /// Effects: marks the T of this entity, and of no other, as changed. It counts as written now, whether or not the
    /// caller writes; so call it right before the write.
    /// Returns: the value, for writing, valid as long as the Mut.
    /// Complexity: O(1).
    T& write() const {
        // Other threads may be writing other rows; those of one word of bits are neighbours only in tables.
        __atomic_store_n(&summary_, store_.clock().thread_tick(), __ATOMIC_RELAXED);
        if (ticks_ == nullptr) return value_;
        if constexpr (detail::is_sparse<T>) {
            ticks_->change_beside_others(row_, store_.clock().thread_tick());
        } else {
            ticks_->change(row_, store_.clock().thread_tick());
        }
        return value_;
    }

  private:
    friend struct detail::ColumnValues<T>;
    friend struct detail::SparseValues<T>;
    Mut(const detail::Store& store, T& value, detail::Tick& summary, detail::RowTicks* ticks, std::uint32_t row)
        : store_(store), value_(value), summary_(summary), ticks_(ticks), row_(row) {}

    const detail::Store& store_;
    T& value_;
    detail::Tick& summary_;
    detail::RowTicks* ticks_;
    std::uint32_t row_;
};

template <class T>
inline constexpr bool detail::is_handle<Mut<T>> = true;

}  // namespace stoa
