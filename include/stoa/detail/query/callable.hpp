// Checks the callback of a walk: whether it takes what the terms give, in which of three forms, and the messages for a
// callback that does not fit. Everything here is evaluated at compile time. Used by walks, table handles, initializers
// and signals.
#pragma once

#include <type_traits>
#include <utility>

#include "stoa/detail/base/signature.hpp"
#include "stoa/entity_ref.hpp"

namespace stoa::detail {

// The three forms of a callback: preceded by an Entity, preceded by an EntityRef, or only with what the terms give.
template <class F, class... Args>
inline constexpr bool takes_entity = std::is_invocable_v<F&, Entity, Args...>;
template <class F, class... Args>
inline constexpr bool takes_ref = !takes_entity<F, Args...> && std::is_invocable_v<F&, EntityRef, Args...>;
template <class F, class... Args>
inline constexpr bool takes = takes_entity<F, Args...> || takes_ref<F, Args...> || std::is_invocable_v<F&, Args...>;

// A leading Entity by value is always the id, so a component of type Entity is taken by reference.
template <class... Ps>
std::true_type starts_with_entity(Parameters<Entity, Ps...>);
std::false_type starts_with_entity(...);
template <class F>
consteval bool starts_with_id() {
    if constexpr (requires { parameters_of(&F::operator()); }) {
        return decltype(starts_with_entity(parameters_of(&F::operator())))::value;
    } else {
        return false;
    }
}

// Whether a parameter is a copy of what a term gives for writing. A copied pointer or handle still refers to the value.
template <class Given, class Taken>
inline constexpr bool is_copy_of = false;
template <class Given>
inline constexpr bool is_copy_of<Given&, Given> = !std::is_pointer_v<Given> && !is_handle<Given>;
template <class... Given>
struct CopyOf {
    template <class... Taken>
        requires(sizeof...(Taken) == sizeof...(Given))
    static std::bool_constant<(is_copy_of<Given, Taken> || ...)> among(Parameters<Taken...>);
    template <class Front, class... Taken>
        requires(sizeof...(Taken) == sizeof...(Given))
    static std::bool_constant<(is_copy_of<Given, Taken> || ...)> among(Parameters<Front, Taken...>);
    static std::false_type among(...);
};

// For a generic callable this is known if all of its parameters are `auto`: then it takes all values by copy.
template <class F, class... Args>
concept TakesValues = requires { static_cast<void (F::*)(std::remove_cvref_t<Args>...) const>(&F::operator()); };

// Requires: F takes them.
template <class F, class... Args>
consteval bool takes_copy() {
    // NOLINTNEXTLINE(bugprone-branch-clone): the questions must be asked in this order.
    if constexpr (!(std::is_same_v<Args, std::remove_cvref_t<Args>&> || ...)) {
        return false;  // nothing is written
    } else if constexpr (!std::is_void_v<CallParameters<F>>) {
        return decltype(CopyOf<Args...>::among(CallParameters<F>{}))::value;
    } else if constexpr ((std::is_pointer_v<std::remove_cvref_t<Args>> || ...)) {
        return false;  // the tests below must not be instantiated for it
    } else if constexpr (takes_entity<F, Args...>) {
        return TakesValues<F, Entity, Args...>;
    } else {
        return TakesValues<F, Args...>;
    }
}

template <class Argument>
using WithoutConst = std::conditional_t<std::is_reference_v<Argument>, std::remove_cvref_t<Argument>&, Argument>;

// Whether a callable takes what the terms of a query give. A template of the signature, so that the compiler names it
// when it says that the callable does not fit.
template <class Signature, class F>
struct WantedSignature;
template <class... Args, class F>
struct WantedSignature<void(Args...), F> {
    static constexpr bool fits = takes<F, Args...> && !(!takes_entity<F, Args...> && starts_with_id<F>());
    // Evaluated only for a callable that does not fit: the body of one that fits need not compile with other arguments.
    static consteval bool takes_without_const() {
        if constexpr (fits) {
            return false;
        } else {
            return takes<F, WithoutConst<Args>...>;
        }
    }
    static consteval bool loses_writes() {
        if constexpr (fits) {
            return takes_copy<F, Args...>();
        } else {
            return false;
        }
    }
    static_assert(!takes_without_const(), "this callable writes what a const term only reads");
    static_assert(
        fits,
        "the callable does not take what the terms give: WantedSignature<void(...)>, in the lines around this one, "
        "names the parameters it must have; an Entity or EntityRef may come first; tags and filters give nothing");
    static_assert(!loses_writes(),
                  "this callable takes a copy of a component that its term writes, so what it writes is lost: take T&, "
                  "or name const T");
};

}  // namespace stoa::detail
