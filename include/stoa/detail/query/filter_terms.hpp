// The terms that give nothing: With, Without, AnyOf, Lacks, Changed, Added and Needs. Used by Query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "stoa/detail/query/term.hpp"

namespace stoa::detail {

// What filters on the presence of components have in common.
template <class... Ts>
struct ComponentFilter : TermDefaults {
    static_assert(are_components<Ts...>());
    static constexpr bool names_sparse = (is_sparse<Ts> || ...);
    static constexpr std::size_t alternative_count = sizeof...(Ts);
};

template <class... Ts>
struct Term<With<Ts...>> : ComponentFilter<Ts...> {
    using Required = Types<Ts...>;
    using Named = Types<Ts...>;
    static constexpr void add_alternatives(Alternative*& out, std::uint32_t& condition) {
        ((*out++ = {&type_handle<Ts>, condition++}), ...);
    }
};

template <class... Ts>
struct Term<Without<Ts...>> : ComponentFilter<Ts...> {
    static constexpr void add_alternatives(Alternative*& out, std::uint32_t& condition) {
        ((*out++ = {&type_handle<Ts>, condition++, false}), ...);
    }
};

template <class... Ts>
struct Term<AnyOf<Ts...>> : ComponentFilter<Ts...> {
    using Named = Types<Ts...>;
    static constexpr void add_alternatives(Alternative*& out, std::uint32_t& condition) {
        ((*out++ = {&type_handle<Ts>, condition}), ...);
        ++condition;
    }
};

template <class... Ts>
struct Term<Lacks<Ts...>> : ComponentFilter<Ts...> {
    static constexpr void add_alternatives(Alternative*& out, std::uint32_t& condition) {
        ((*out++ = {&type_handle<Ts>, condition, false}), ...);
        ++condition;
    }
};

// What Changed and Added have in common.
template <class T, Tracking Which>
struct TrackingTerm : ComponentFilter<T> {
    using Required = Types<T>;
    static constexpr bool tracks = true;
    static constexpr void add_alternatives(Alternative*& out, std::uint32_t& condition) {
        *out++ = {&type_handle<T>, condition++, true, Which};
    }
};
template <class T>
struct Term<Changed<T>> : TrackingTerm<T, Tracking::changed> {};
template <class T>
struct Term<Added<T>> : TrackingTerm<T, Tracking::added> {};

template <class... Rs>
struct Term<Needs<Rs...>> : TermDefaults {
    static_assert(are_resources<std::remove_const_t<Rs>...>());
    using Needed = Types<Rs...>;
};

// Calls f with the resources. Requires: all of them exist. Returns: true.
template <class... Rs, class F>
bool call_with_needs(const Store& store, Types<Rs...>, F& f) {
    static_assert(std::is_invocable_v<F&, Rs&...>, "setup calls with a reference to each needed resource, in order");
    f(resource<Rs>(store)...);
    return true;
}

}  // namespace stoa::detail
