// The terms of a query: as types for the user, as data for the matcher, and what each term hands to a callback. Called
// by Query. A kind of term is a specialisation of `Term`; a new role of a condition must also be handled where roles
// are read: query_index.cpp, query_state.cpp, signals.cpp and schedule/access.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "stoa/detail/resource_verbs.hpp"
#include "stoa/detail/rows.hpp"

namespace stoa {

// Gives a pointer, null where the entity has no T. Matches with or without.
template <class T>
struct Maybe {};

// Filters: give nothing.
template <class... Ts>
struct With {};
template <class... Ts>
struct Without {};
template <class... Ts>
struct AnyOf {};

// Filters: the entity has a T, and it was written, or added, since this handle last walked.
template <class T>
struct Changed {};
template <class T>
struct Added {};

// Makes the query a family: it is active only while these resources exist. `const R` where setup() is to hand out no more.
template <class... Rs>
struct Needs {};

namespace detail {

// One condition of a query, as data. Conditions of one AnyOf share a group number.
struct TermSpec {
    enum class Role : std::uint8_t { required, excluded, any, changed, added };
    TypeSlot* slot;
    Role role;
    [[maybe_unused]] std::uint32_t group = 0;
};

struct TermList {
    const TermSpec* specs;
    std::uint32_t count;
    Ticket ticket;
    ResourceSlot* const* needs = nullptr;
    std::uint32_t need_count = 0;
};

// What the terms on one component have in common. `source` is called once for a walk, `column` once for a table. `open` is
// called once for a run of rows and says where the values are; a writing term stamps them. `at` gives the value of row `i` of
// the run.
template <class T>
struct DataTerm {
    using Component = std::remove_const_t<T>;
    static_assert(is_component<Component>());
    static constexpr bool names_data = true;
    static constexpr bool names_sparse = is_sparse<Component>;
    static constexpr bool tracks = false;
    static constexpr bool writes = !std::is_const_v<T>;

    // In a sparse set.
    struct Loose {
        SparseSet* set;
        const Store* store;

        T* find(Entity entity) const {
            const std::uint32_t slot = set != nullptr ? set->slot_of(entity) : SparseSet::none;
            if (slot == SparseSet::none) return nullptr;
            if constexpr (writes) set->stamp(slot, store->walking_tick());
            if constexpr (is_tag<Component>) {
                return column<Component>(nullptr, 0);
            } else {
                return column<Component>(set->value<Component>(slot), 0);
            }
        }
    };
    using Source = std::conditional_t<is_sparse<Component>, Loose, ComponentId>;
    static Source source(const Store& store) {
        if constexpr (is_sparse<Component>) {
            return {store.find_sparse<Component>(), &store};
        } else {
            return store.id_of<Component>();
        }
    }

    using Column = std::conditional_t<is_sparse<Component>, Loose, ColumnAt>;
    static Column column_in([[maybe_unused]] const Table& table, const Source& source) {
        if constexpr (is_sparse<Component>) {
            return source;
        } else {
            return table.find(source);
        }
    }

    using Place = std::conditional_t<is_sparse<Component>, Loose, T*>;
    static Place open(const Column& column, const Store& store, const Rows& rows, Tick now) {
        if constexpr (is_sparse<Component>) {
            return column;
        } else {
            return open_column(column, store, rows, now);
        }
    }
    static T* open_column(ColumnAt at, [[maybe_unused]] const Store& store, const Rows& rows, [[maybe_unused]] Tick now) {
        if constexpr (writes) {
            __atomic_store_n(&rows.ticks[at.tick], now, __ATOMIC_RELAXED);  // threads may share a chunk
            if (rows.table->tracked_count != 0) [[unlikely]] store.chunk(rows.chunk).stamp(at, rows.first, rows.count, now);
        }
        return detail::address_of(value_at<Component>(rows.base, at.offset, rows.first));
    }
};

// A plain term: T or const T.
template <class T>
struct Term : DataTerm<T> {
    using typename DataTerm<T>::Component;
    using typename DataTerm<T>::Place;
    static constexpr bool gives = !is_tag<Component>;
    static constexpr bool names_data = gives;
    static constexpr bool writes = gives && DataTerm<T>::writes;
    static constexpr bool is_array = gives && !is_sparse<Component>;  // what it opens is an array of T
    using Argument = T&;

    static constexpr std::size_t spec_count = 1;
    static constexpr void specs(TermSpec*& out, std::uint32_t&) { *out++ = {&type_slot<Component>, TermSpec::Role::required}; }

    [[gnu::always_inline]] static T& at(const Place& from, Entity entity, std::size_t i) {
        if constexpr (is_sparse<Component>) {
            return *from.find(entity);
        } else {
            return from[i];
        }
    }
};

template <class T>
struct Term<Maybe<T>> : DataTerm<T> {
    using typename DataTerm<T>::Component;
    using typename DataTerm<T>::Column;
    using typename DataTerm<T>::Place;
    static constexpr bool gives = true;
    static constexpr bool is_array = false;
    using Argument = T*;

    static constexpr std::size_t spec_count = 0;
    static constexpr void specs(TermSpec*&, std::uint32_t&) {}

    static Place open(const Column& column, const Store& store, const Rows& rows, Tick now) {
        if constexpr (is_sparse<Component>) {
            return column;
        } else {
            return column.offset != ColumnAt::absent ? DataTerm<T>::open_column(column, store, rows, now) : nullptr;
        }
    }

    static T* at(const Place& from, Entity entity, std::size_t i) {
        if constexpr (is_sparse<Component>) {
            return from.find(entity);
        } else {
            return from != nullptr ? from + (is_tag<Component> ? 0 : i) : nullptr;
        }
    }
};

// What filters have in common.
struct FilterTerm {
    using Component = void;
    static constexpr bool gives = false;
    static constexpr bool names_data = false;
    static constexpr bool tracks = false;
    static constexpr bool writes = false;
};

template <class... Ts>
struct Term<With<Ts...>> : FilterTerm {
    static_assert(are_components<Ts...>());
    static constexpr bool names_sparse = (is_sparse<Ts> || ...);
    static constexpr std::size_t spec_count = sizeof...(Ts);
    static constexpr void specs(TermSpec*& out, std::uint32_t&) {
        ((*out++ = {&type_slot<Ts>, TermSpec::Role::required}), ...);
    }
};

template <class... Ts>
struct Term<Without<Ts...>> : FilterTerm {
    static_assert(are_components<Ts...>());
    static constexpr bool names_sparse = (is_sparse<Ts> || ...);
    static constexpr std::size_t spec_count = sizeof...(Ts);
    static constexpr void specs(TermSpec*& out, std::uint32_t&) {
        ((*out++ = {&type_slot<Ts>, TermSpec::Role::excluded}), ...);
    }
};

template <class... Ts>
struct Term<AnyOf<Ts...>> : FilterTerm {
    static_assert(are_components<Ts...>());
    static constexpr bool names_sparse = (is_sparse<Ts> || ...);
    static constexpr std::size_t spec_count = sizeof...(Ts);
    static constexpr void specs(TermSpec*& out, std::uint32_t& group) {
        ((*out++ = {&type_slot<Ts>, TermSpec::Role::any, group}), ...);
        ++group;
    }
};

// What Changed and Added have in common.
template <class T, TermSpec::Role Which>
struct TrackingTerm : FilterTerm {
    static_assert(is_component<T>());
    static constexpr bool names_sparse = is_sparse<T>;
    static constexpr bool tracks = true;
    static constexpr std::size_t spec_count = 1;
    static constexpr void specs(TermSpec*& out, std::uint32_t&) { *out++ = {&type_slot<T>, Which}; }
};
template <class T>
struct Term<Changed<T>> : TrackingTerm<T, TermSpec::Role::changed> {};
template <class T>
struct Term<Added<T>> : TrackingTerm<T, TermSpec::Role::added> {};

template <class... Rs>
struct Term<Needs<Rs...>> : FilterTerm {
    static_assert(are_resources<std::remove_const_t<Rs>...>());
    static constexpr bool names_sparse = false;
    static constexpr std::size_t spec_count = 0;
    static constexpr void specs(TermSpec*&, std::uint32_t&) {}
    static constexpr void needs(ResourceSlot**& out) { ((*out++ = &resource_slot<std::remove_const_t<Rs>>), ...); }
};

template <std::size_t Count>
struct TermSpecs {
    TermSpec specs[Count + 1] = {};
};

template <class... Terms>
constexpr auto collect_specs() {
    TermSpecs<(0 + ... + Term<Terms>::spec_count)> all;
    [[maybe_unused]] TermSpec* out = all.specs;
    [[maybe_unused]] std::uint32_t group = 0;
    (Term<Terms>::specs(out, group), ...);
    return all;
}

template <class T>
inline constexpr std::size_t needs_of = 0;
template <class... Rs>
inline constexpr std::size_t needs_of<Needs<Rs...>> = sizeof...(Rs);

template <class... Terms>
struct NeedsOf {
    ResourceSlot* slots[(1 + ... + needs_of<Terms>)] = {};

    constexpr NeedsOf() {
        [[maybe_unused]] ResourceSlot** out = slots;
        (add<Terms>(out), ...);
    }
    template <class T>
    static constexpr void add(ResourceSlot**& out) {
        if constexpr (needs_of<T> != 0) Term<T>::needs(out);
    }
};

template <class... Terms>
struct TermListOf {
    static constexpr auto all = collect_specs<Terms...>();
    static constexpr NeedsOf<Terms...> needs{};
    static inline constinit TermList list{all.specs, (0 + ... + Term<Terms>::spec_count), {}, needs.slots, (0 + ... + needs_of<Terms>)};
};

// How often the terms hand out a component.
template <class Component, class... Terms>
inline constexpr int data_terms = (0 + ... + (Term<Terms>::names_data && std::is_same_v<Component, typename Term<Terms>::Component> ? 1 : 0));

inline constexpr int most_tracked = 8;

template <class... Terms>
consteval bool are_terms() {
    static_assert(((!Term<Terms>::names_data || data_terms<typename Term<Terms>::Component, Terms...> == 1) && ...),
                  "a query names each component in at most one term that reads or writes it");
    static_assert((0 + ... + (Term<Terms>::tracks ? 1 : 0)) <= most_tracked, "a query has at most eight Changed and Added terms");
    return true;
}

}  // namespace detail
}  // namespace stoa
