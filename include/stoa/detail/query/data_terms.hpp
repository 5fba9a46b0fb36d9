// The terms that give values: a component itself, Maybe and Mut. Used by Query.
//
// Values are in a column or in a sparse set. ColumnValues and SparseValues know how to reach them; the terms say what
// they ask for and what they hand out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "stoa/detail/query/term.hpp"
#include "stoa/mut.hpp"

namespace stoa::detail {

// Values of T, which is const for reading, in columns.
template <class T>
struct ColumnValues {
    using Component = std::remove_const_t<T>;
    using Source = ComponentId;
    using Column = ColumnAt;
    using Values = T*;
    static constexpr bool is_array = true;

    static Source source(const Store& store) { return store.id_of<Component>(); }
    static Column column_in(const Table& table, const Source& source) { return table.find(source); }
    static Values open(const Column& at, [[maybe_unused]] const Store& store, const RowSpan& rows,
                       [[maybe_unused]] Tick now) {
        if constexpr (!std::is_const_v<T>) {
            __atomic_store_n(&rows.ticks[index_of(at.tick_index)], now, __ATOMIC_RELAXED);  // threads may share a chunk
            if (rows.table->is_tracked()) [[unlikely]]
                store.chunks()[rows.chunk].stamp(at, rows.first, rows.count, now);
        }
        return detail::address_of(value_at<Component>(rows.base, at.offset, rows.first));
    }
    static Values open_maybe(const Column& at, const Store& store, const RowSpan& rows, Tick now) {
        return at.offset != ColumnAt::absent ? open(at, store, rows, now) : nullptr;
    }
    [[gnu::always_inline]] static T& at(const Values& from, Entity, std::size_t i) { return from[i]; }
    static T* find(const Values& from, Entity, std::size_t i) {
        return from != nullptr ? from + (is_tag<Component> ? 0 : i) : nullptr;
    }

    // One value for Mut, with where its ticks are.
    struct MutValues {
        const Store* store;
        T* values;
        Tick* summary;
        RowTicks* ticks;
        std::uint32_t first;
    };
    static MutValues open_mut(const Column& column, const Store& store, const RowSpan& rows) {
        T& first = value_at<Component>(rows.base, column.offset, rows.first);
        return {&store, detail::address_of(first), &rows.ticks[index_of(column.tick_index)], rows.stamps(store, column),
                rows.first};
    }
    static Mut<T> mut_at(const MutValues& from, Entity, std::size_t i) {
        return {*from.store, from.values[i], *from.summary, from.ticks, from.first + static_cast<std::uint32_t>(i)};
    }
};

// The same in a sparse set, where each value is looked up.
template <class T>
struct SparseValues {
    using Component = std::remove_const_t<T>;
    struct Values {
        SparseSet* set;  // null where no entity has one
        const Store* store;
    };
    using Source = Values;
    using Column = Values;
    static constexpr bool is_array = false;

    static Source source(const Store& store) { return {store.find_sparse<Component>(), &store}; }
    static Column column_in(const Table&, const Source& source) { return source; }
    static Values open(const Column& column, const Store&, const RowSpan&, Tick) { return column; }
    static Values open_maybe(const Column& column, const Store&, const RowSpan&, Tick) { return column; }
    static T& at(const Values& from, Entity entity, std::size_t i) { return *find(from, entity, i); }
    static T* find(const Values& from, Entity entity, std::size_t) {
        const SparseSlot slot = from.set != nullptr ? from.set->slot_of(entity) : SparseSlot::none;
        if (slot == SparseSlot::none) return nullptr;
        if constexpr (!std::is_const_v<T>) from.set->stamp(slot, from.store->clock().thread_tick());
        if constexpr (is_tag<Component>) {
            return column<Component>(nullptr, 0);
        } else {
            return column<Component>(from.set->template value<Component>(slot), 0);
        }
    }

    using MutValues = Values;
    static MutValues open_mut(const Column& column, const Store&, const RowSpan&) { return column; }
    static Mut<T> mut_at(const MutValues& from, Entity entity, std::size_t) {
        const SparseSlot slot = from.set->slot_of(entity);
        return {*from.store, *column<Component>(from.set->template value<Component>(slot), 0), from.set->last_change(),
                from.set->ticks(), index_of(slot)};
    }
};

template <class T>
using StoredValues = std::conditional_t<is_sparse<std::remove_const_t<T>>, SparseValues<T>, ColumnValues<T>>;

// What the terms on one component have in common.
template <class T>
struct DataTerm : TermDefaults, StoredValues<T> {
    using Component = std::remove_const_t<T>;
    static_assert(is_component<Component>());
    using Named = Types<Component>;
    static constexpr bool gives = true;
    static constexpr bool names_data = true;
    static constexpr bool names_sparse = is_sparse<Component>;
    static constexpr bool writes = !std::is_const_v<T>;
    static constexpr bool may_write = writes;
};

// A component itself: T or const T. A tag has no value, so it gives nothing.
template <class T>
struct Term : DataTerm<T> {
    using typename DataTerm<T>::Component;
    using Required = Types<Component>;
    using Reading = const T;
    using Argument = T&;
    static constexpr bool gives = !is_tag<Component>;
    static constexpr bool names_data = gives;
    static constexpr bool writes = gives && DataTerm<T>::writes;
    static constexpr bool may_write = writes;
    static constexpr bool is_array = gives && StoredValues<T>::is_array;

    static constexpr std::size_t alternative_count = 1;
    static constexpr void add_alternatives(Alternative*& out, std::uint32_t& condition) {
        *out++ = {&type_handle<Component>, condition++};
    }
};

template <class T>
struct Term<Maybe<T>> : DataTerm<T> {
    using Reading = Maybe<const T>;
    using Argument = T*;
    using typename StoredValues<T>::Column;
    using typename StoredValues<T>::Values;
    static constexpr bool is_array = false;

    static Values open(const Column& column, const Store& store, const RowSpan& rows, Tick now) {
        return StoredValues<T>::open_maybe(column, store, rows, now);
    }
    static T* at(const Values& from, Entity entity, std::size_t i) { return StoredValues<T>::find(from, entity, i); }
};

template <class T>
struct Term<Mut<T>> : DataTerm<T> {
    static_assert(!std::is_const_v<T>,
                  "Mut is for writing: name the component without const, or use const T to read it");
    static_assert(!is_tag<T>, "a tag has no value that Mut<T> could write; name the tag itself");
    using Required = Types<T>;
    using Reading = const T;
    using Argument = Mut<T>;
    using typename StoredValues<T>::Column;
    using Values = typename StoredValues<T>::MutValues;
    static constexpr bool is_array = false;
    static constexpr bool writes = false;  // only where Mut::write is called

    static constexpr std::size_t alternative_count = 1;
    static constexpr void add_alternatives(Alternative*& out, std::uint32_t& condition) {
        *out++ = {&type_handle<T>, condition++};
    }
    static Values open(const Column& column, const Store& store, const RowSpan& rows, Tick) {
        return StoredValues<T>::open_mut(column, store, rows);
    }
    static Mut<T> at(const Values& from, Entity entity, std::size_t i) {
        return StoredValues<T>::mut_at(from, entity, i);
    }
};

}  // namespace stoa::detail
