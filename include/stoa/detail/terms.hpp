// The terms of a query: as types for the user, as data for the matcher, and what each term hands to a callback. Called by
// Query; adding a kind of term means one specialisation of `Term` here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "stoa/detail/store.hpp"

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

namespace detail {

// One condition of a query, as data. Conditions of one AnyOf share a group number.
struct TermSpec {
    enum class Role : std::uint8_t { required, excluded, any };
    TypeSlot* slot;
    Role role;
    [[maybe_unused]] std::uint32_t group = 0;
};

struct TermList {
    const TermSpec* specs;
    std::uint32_t count;
    Ticket ticket;
};

// What the walk needs to reach one component in the current chunk.
struct TermColumn {
    std::byte* base = nullptr;       // of the column; null when the table does not have it
    const SparseSet* set = nullptr;
};

// A plain term: T or const T.
template <class T>
struct Term {
    using Component = std::remove_const_t<T>;
    static_assert(is_component<Component>());
    static constexpr bool gives = !is_tag<Component>;
    static constexpr bool is_plain = gives && !is_sparse<Component>;  // its column is an array of T
    static constexpr bool names_data = gives;
    static constexpr bool names_sparse = is_sparse<Component>;
    using Argument = T&;

    static constexpr std::size_t spec_count = 1;
    static constexpr void specs(TermSpec*& out, std::uint32_t&) { *out++ = {&type_slot<Component>, TermSpec::Role::required}; }

    static TermColumn column_of(const Store& store, const Chunk& chunk) {
        if constexpr (is_sparse<Component>) {
            return {nullptr, store.find_sparse(store.id_of<Component>())};
        } else {
            const ColumnAt at = chunk.columns->find(store.id_of<Component>());
            if constexpr (!std::is_const_v<T>) chunk.ticks[at.tick] = store.tick();
            return {chunk.base + at.offset, nullptr};
        }
    }
    static T& argument(const TermColumn& from, Entity entity, std::size_t row) {
        if constexpr (is_sparse<Component>) {
            return *column<Component>(from.set->value(from.set->slot_of(entity)), 0);
        } else {
            return column<Component>(from.base, 0)[row];
        }
    }
};

template <class T>
struct Term<Maybe<T>> {
    using Component = std::remove_const_t<T>;
    static_assert(is_component<Component>());
    static constexpr bool gives = true;
    static constexpr bool is_plain = false;
    static constexpr bool names_data = true;
    static constexpr bool names_sparse = is_sparse<Component>;
    using Argument = T*;

    static constexpr std::size_t spec_count = 0;
    static constexpr void specs(TermSpec*&, std::uint32_t&) {}

    static TermColumn column_of(const Store& store, const Chunk& chunk) {
        if constexpr (is_sparse<Component>) {
            return {nullptr, store.find_sparse(store.id_of<Component>())};
        } else {
            const ColumnAt at = chunk.columns->find(store.id_of<Component>());
            if (at.offset == ColumnAt::absent) return {};
            if constexpr (!std::is_const_v<T>) chunk.ticks[at.tick] = store.tick();
            return {chunk.base + at.offset, nullptr};
        }
    }
    static T* argument(const TermColumn& from, Entity entity, std::size_t row) {
        if constexpr (is_sparse<Component>) {
            const std::uint32_t slot = from.set != nullptr ? from.set->slot_of(entity) : SparseSet::none;
            if (slot == SparseSet::none) return nullptr;
            return is_tag<Component> ? &tag_object<Component> : column<Component>(from.set->value(slot), 0);
        } else {
            if (from.base == nullptr) return nullptr;
            return &column<Component>(from.base, 0)[is_tag<Component> ? 0 : row];
        }
    }
};

// What filters have in common.
struct FilterTerm {
    using Component = void;
    static constexpr bool gives = false;
    static constexpr bool is_plain = false;
    static constexpr bool names_data = false;
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

template <class... Terms>
struct TermListOf {
    static constexpr auto all = collect_specs<Terms...>();
    static inline constinit TermList list{all.specs, (0 + ... + Term<Terms>::spec_count), {}};
};

// How often the terms hand out a component.
template <class Component, class... Terms>
inline constexpr int data_terms = (0 + ... + (Term<Terms>::names_data && std::is_same_v<Component, typename Term<Terms>::Component> ? 1 : 0));

template <class... Terms>
consteval bool are_terms() {
    static_assert(((!Term<Terms>::names_data || data_terms<typename Term<Terms>::Component, Terms...> == 1) && ...),
                  "a query names each component in at most one term that reads or writes it");
    return true;
}

}  // namespace detail
}  // namespace stoa
