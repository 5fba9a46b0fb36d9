// The terms that give nothing: With, Without, AnyOf, Lacks, Or, Changed, Added and Needs. Used by Query.
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

// The conditions of one filter.
template <class F>
struct ConditionsOf {
    static constexpr std::size_t alternative_count = Term<F>::alternative_count;
    static constexpr auto alternatives = collect_alternatives<F>();
    static constexpr std::uint32_t count =
        alternative_count == 0 ? 0 : alternatives.all[alternative_count - 1].condition + 1;

    // Appends the alternatives of one condition to those of condition `to`.
    static constexpr void append(std::uint32_t which, Alternative*& out, std::uint32_t to) {
        for (std::size_t i = 0; i < alternative_count; ++i) {
            if (alternatives.all[i].condition != which) continue;
            *out = alternatives.all[i];
            out++->condition = to;
        }
    }
};

// One of several filters holds. F or G holds where one of f and g does for each condition f of F and each g of G.
template <class... Fs>
struct Either : TermDefaults {};
template <class F>
struct Either<F> : Term<F> {};
template <class F, class G>
struct Either<F, G> : TermDefaults {
    using Named = typename Joined<typename Term<F>::Named, typename Term<G>::Named>::type;
    static constexpr bool names_sparse = Term<F>::names_sparse || Term<G>::names_sparse;
    static constexpr bool tracks = Term<F>::tracks || Term<G>::tracks;
    static constexpr std::size_t alternative_count =
        Term<F>::alternative_count * ConditionsOf<G>::count + Term<G>::alternative_count * ConditionsOf<F>::count;
    static constexpr void add_alternatives(Alternative*& out, std::uint32_t& condition) {
        for (std::uint32_t f = 0; f < ConditionsOf<F>::count; ++f) {
            for (std::uint32_t g = 0; g < ConditionsOf<G>::count; ++g, ++condition) {
                ConditionsOf<F>::append(f, out, condition);
                ConditionsOf<G>::append(g, out, condition);
            }
        }
    }
};
template <class F, class G, class... Rest>
struct Either<F, G, Rest...> : Either<Or<F, G>, Rest...> {};

template <class F>
inline constexpr bool is_filter = !Term<F>::names_data && type_count<typename Term<F>::Needed> == 0;

template <class... Fs>
struct Term<Or<Fs...>> : Either<Fs...> {
    static_assert(sizeof...(Fs) != 0 && (is_filter<Fs> && ...),
                  "Or combines filters: With, Without, AnyOf, Lacks, Changed, Added and Or");
};

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
