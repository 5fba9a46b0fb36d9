// The term and the value Mut<T>: write access that counts as a change only where it is used.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stoa/detail/terms.hpp"

namespace stoa {

// What the term Mut<T> gives for one entity: `*m` and `m->` read; write() hands out the value and marks just this entity's T
// as changed. Valid for one callback or one turn of a loop.
template <class T>
class Mut {
  public:
    const T& operator*() const { return value_; }
    const T* operator->() const { return detail::address_of(value_); }

    T& write() const {
        // Other threads may be writing other rows; those of one word of bits are neighbours only in tables.
        __atomic_store_n(&summary_, store_.walking_tick(), __ATOMIC_RELAXED);
        if (stamps_ == nullptr) return value_;
        if constexpr (detail::is_sparse<T>) {
            stamps_->change_beside_others(row_, store_.walking_tick());
        } else {
            stamps_->change(row_, store_.walking_tick());
        }
        return value_;
    }

  private:
    friend struct detail::Term<Mut<T>>;
    Mut(const detail::Store& store, T& value, detail::Tick& summary, detail::RowTicks* stamps, std::uint32_t row)
        : store_(store), value_(value), summary_(summary), stamps_(stamps), row_(row) {}

    const detail::Store& store_;
    T& value_;
    detail::Tick& summary_;
    detail::RowTicks* stamps_;
    std::uint32_t row_;
};

namespace detail {

template <class T>
inline constexpr bool is_handle<Mut<T>> = true;

template <class T>
struct Term<Mut<T>> : DataTerm<const T> {
    static_assert(!std::is_const_v<T>, "Mut is for writing: name the component without const, or use const T to read it");
    static_assert(!is_tag<T>, "a tag has no value that Mut<T> could write; name the tag itself");
    using Component = T;
    static constexpr bool gives = true;
    static constexpr bool is_array = false;
    static constexpr bool writes = false;  // until told
    using Argument = Mut<T>;

    static constexpr std::size_t spec_count = 1;
    static constexpr void specs(TermSpec*& out, std::uint32_t&) { *out++ = {&type_slot<T>, TermSpec::Role::required}; }

    struct Place {
        const Store* store;
        T* values;  // in a column
        SparseSet* set;
        Tick* summary;
        RowTicks* stamps;
        std::uint32_t first;
    };
    static Place open(const typename DataTerm<const T>::Column& column, const Store& store, const Rows& rows, Tick) {
        if constexpr (is_sparse<T>) {
            return {&store, nullptr, column.set, &column.set->last_change(), column.set->ticks(), 0};
        } else {
            T& first = value_at<T>(rows.base, column.offset, rows.first);
            Tick* summary = &rows.ticks[column.tick];
            return {&store, detail::address_of(first), nullptr, summary, rows.stamps(store, column), rows.first};
        }
    }
    static Mut<T> at(const Place& from, Entity entity, std::size_t i) {
        if constexpr (is_sparse<T>) {
            const std::uint32_t slot = from.set->slot_of(entity);
            return {*from.store, *column<T>(from.set->template value<T>(slot), 0), *from.summary, from.stamps, slot};
        } else {
            return {*from.store, from.values[i], *from.summary, from.stamps, from.first + static_cast<std::uint32_t>(i)};
        }
    }
};

}  // namespace detail
}  // namespace stoa
