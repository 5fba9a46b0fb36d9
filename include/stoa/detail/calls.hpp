// What a callback of a walk looks like, and the loops that call it for the rows of a run. Typed and inline, because this is
// where users' time is spent. Called by Query and TableRef.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "stoa/detail/terms.hpp"
#include "stoa/entity_ref.hpp"

namespace stoa::detail {

template <class... Terms>
struct TermTypes {};

// Those terms that hand something to a callback.
template <class Chosen, class... Terms>
struct GivingTerms {
    using type = Chosen;
};
template <class... Chosen, class T, class... Terms>
struct GivingTerms<TermTypes<Chosen...>, T, Terms...>
    : GivingTerms<std::conditional_t<Term<T>::gives, TermTypes<Chosen..., T>, TermTypes<Chosen...>>, Terms...> {};

// The three shapes of a callback: with an Entity or an EntityRef in front, or with what the terms give alone.
template <class F, class... Args>
inline constexpr bool takes_entity = std::is_invocable_v<F&, Entity, Args...>;
template <class F, class... Args>
inline constexpr bool takes_ref = !takes_entity<F, Args...> && std::is_invocable_v<F&, EntityRef, Args...>;

// The parameters of a callable that has just one signature.
template <class... Ps>
struct Parameters {};
template <class C, class R, class... Ps>
Parameters<Ps...> parameters_of(R (C::*)(Ps...) const);
template <class C, class R, class... Ps>
Parameters<Ps...> parameters_of(R (C::*)(Ps...));
template <class C, class R, class... Ps>
Parameters<Ps...> parameters_of(R (C::*)(Ps...) const noexcept);
template <class C, class R, class... Ps>
Parameters<Ps...> parameters_of(R (C::*)(Ps...) noexcept);

// Fails for the term that does not fit, so that the compiler names it.
template <class Term, class Argument, class Parameter>
struct TermFitsParameter {
    static_assert(std::is_convertible_v<Argument, Parameter>,
                  "the callable does not take what the term gives: T& for T, const T& for const T, a pointer for Maybe, a Mut "
                  "for Mut; see which term and parameter this check names");
    static constexpr bool value = true;
};

template <class... Terms, class... Ps>
consteval bool terms_fit(TermTypes<Terms...>, Parameters<Ps...>) {
    static_assert(sizeof...(Terms) == sizeof...(Ps),
                  "the callable takes another number of values than the terms give: tags and filters give nothing; an Entity or "
                  "EntityRef may stand in front");
    if constexpr (sizeof...(Terms) == sizeof...(Ps)) {
        return (TermFitsParameter<Terms, typename Term<Terms>::Argument, Ps>::value && ... && true);
    }
    return false;
}
// What stands in front is not a term's.
template <class... Terms, class P, class... Ps>
consteval bool terms_fit_behind(TermTypes<Terms...> terms, Parameters<P, Ps...>) {
    if constexpr (std::is_same_v<P, Entity> || std::is_same_v<std::remove_cvref_t<P>, EntityRef> ||
                  (std::is_same_v<std::remove_cvref_t<P>, Entity> && sizeof...(Ps) == sizeof...(Terms))) {
        return terms_fit(terms, Parameters<Ps...>{});
    } else {
        return terms_fit(terms, Parameters<P, Ps...>{});
    }
}
template <class... Terms>
consteval bool terms_fit_behind(TermTypes<Terms...> terms, Parameters<>) {
    return terms_fit(terms, Parameters<>{});
}

// A leading Entity by value is always the id; so a component of type Entity is taken by reference.
template <class... Ps>
consteval bool starts_with_id(Parameters<Ps...>) {
    return false;
}
template <class... Ps>
consteval bool starts_with_id(Parameters<Entity, Ps...>) {
    return true;
}

template <class F, class... Terms>
consteval bool accepts_terms(TermTypes<Terms...> terms) {
    constexpr bool fits = takes_entity<F, typename Term<Terms>::Argument...> || takes_ref<F, typename Term<Terms>::Argument...> ||
                          std::is_invocable_v<F&, typename Term<Terms>::Argument...>;
    if constexpr (requires { parameters_of(&std::remove_reference_t<F>::operator()); }) {
        using Ps = decltype(parameters_of(&std::remove_reference_t<F>::operator()));
        constexpr bool id_first = starts_with_id(Ps{});
        if constexpr (!fits || (id_first && !takes_entity<F, typename Term<Terms>::Argument...>)) {
            return terms_fit_behind(terms, Ps{});
        }
    }
    return fits;
}

template <class F, class... Args>
decltype(auto) call(F& f, Store& store, Entity entity, Args&&... args) {
    if constexpr (takes_entity<F, Args...>) {
        return f(entity, std::forward<Args>(args)...);
    } else if constexpr (takes_ref<F, Args...>) {
        return f(EntityRef(store, entity), std::forward<Args>(args)...);
    } else {
        return f(std::forward<Args>(args)...);
    }
}

// Columns that are arrays are parameters of a function of their own, so that the compiler may believe that they do not
// overlap, and vectorise.
template <class F, class... Ts>
void call_columns(F& f, Store& store, const Entity* ids, std::size_t count, Ts* __restrict... columns) {
    for (std::size_t i = 0; i < count; ++i) call(f, store, ids[i], columns[i]...);
}

template <class F, class... Terms>
void call_mixed(F& f, Store& store, const Rows& rows, TermTypes<Terms...>, const typename Term<Terms>::Place&... from) {
    const Entity* ids = rows.ids();
    for (std::uint32_t i = 0; i < rows.count; ++i) call(f, store, ids[i], Term<Terms>::at(from, ids[i], i)...);
}

template <class F, class... Terms>
void call_rows(F& f, Store& store, const Rows& rows, TermTypes<Terms...> terms) {
    [[maybe_unused]] const Tick before = store.tick();
    if constexpr ((Term<Terms>::is_array && ...)) {
        call_columns(f, store, rows.ids(), rows.count, Term<Terms>::open(store, rows)...);
    } else {
        call_mixed(f, store, rows, terms, Term<Terms>::open(store, rows)...);
    }
    // A walk inside the callback has looked for changes: what was handed out after it counts as changed after it.
    if constexpr ((Term<Terms>::writes || ...)) {
        if (store.tick() != before) [[unlikely]] (static_cast<void>(Term<Terms>::open(store, rows)), ...);
    }
}

// True as soon as one call returns true.
template <class F, class... Terms>
bool call_until(F& f, Store& store, const Rows& rows, TermTypes<Terms...>) {
    const Entity* ids = rows.ids();
    for (std::uint32_t i = 0; i < rows.count; ++i) {
        [[maybe_unused]] const Rows row{rows.chunk, rows.first + i, 1};
        if (call(f, store, ids[i], Term<Terms>::at(Term<Terms>::open(store, row), ids[i], 0)...)) return true;
    }
    return false;
}

// The values that a term gives for a run.
template <class T>
auto span_of(const typename Term<T>::Place& from, const Rows& rows) {
    using Argument = typename Term<T>::Argument;
    static_assert(std::is_reference_v<Argument> || std::is_pointer_v<Argument>,
                  "each_chunk hands out whole columns; Mut marks single entities: use each, or the term T");
    if constexpr (std::is_pointer_v<Argument>) {
        Argument value = Term<T>::at(from, rows.ids()[0], 0);
        return std::span<std::remove_pointer_t<Argument>>(value, value != nullptr ? rows.count : 0);
    } else {
        return std::span<std::remove_reference_t<Argument>>(&Term<T>::at(from, rows.ids()[0], 0), rows.count);
    }
}

template <class F, class... Terms>
void call_spans(F& f, Store& store, const Rows& rows, TermTypes<Terms...>) {
    [[maybe_unused]] const Tick before = store.tick();
    const std::span<const Entity> ids(rows.ids(), rows.count);
    const auto pass = [&](auto... spans) {
        if constexpr (std::is_invocable_v<F&, std::span<const Entity>, decltype(spans)...>) {
            f(ids, spans...);
        } else {
            static_assert(std::is_invocable_v<F&, decltype(spans)...>,
                          "the callable does not take what the terms give: a span of T for T, of const T for const T; "
                          "a span of const Entity may stand in front");
            f(spans...);
        }
    };
    pass(span_of<Terms>(Term<Terms>::open(store, rows), rows)...);
    if constexpr ((Term<Terms>::writes || ...)) {
        if (store.tick() != before) [[unlikely]] (static_cast<void>(Term<Terms>::open(store, rows)), ...);
    }
}

template <class T>
inline constexpr bool gives_sparse = Term<T>::gives && is_sparse<typename Term<T>::Component>;

}  // namespace stoa::detail
