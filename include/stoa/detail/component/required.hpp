// Required components: which components come with those that a call names. `RequiredBy<Ts...>` are the types that Ts
// require, directly or through others, and that are not among Ts. For types that require nothing it is empty, and all
// code that asks for it is what it would be without.
#pragma once

#include <type_traits>

#include "stoa/component.hpp"
#include "stoa/detail/base/types.hpp"
#include "stoa/detail/component/component_ops.hpp"

namespace stoa::detail {

template <class... Ts>
consteval bool are_required(Types<Ts...>) {
    static_assert((is_component<Ts>() && ...));
    static_assert((std::is_default_constructible_v<Ts> && ...),
                  "a required component is default-constructed where it is missing, so it needs a default constructor");
    return true;
}

template <class... Ts>
Types<Ts...> types_of(const Requires<Ts...>&);

// Those of a list of Requires that are in none of the other lists.
template <class Named, class Found, class Required>
struct NewlyRequired;
template <class Named, class Found, class... Ts>
struct NewlyRequired<Named, Found, Types<Ts...>>
    : Joined<std::conditional_t<is_listed<Ts, Named> || is_listed<Ts, Found>, Types<>, Types<Ts>>...> {};

// Follows the requirements of the types in `Open`; `Found` are those that were found before.
template <class Named, class Found, class Open>
struct RequiredClosure {
    using type = Found;
};
template <class Named, class Found, class T, class... Ts>
struct RequiredClosure<Named, Found, Types<T, Ts...>> : RequiredClosure<Named, Found, Types<Ts...>> {};
template <class Named, class Found, NamesRequired T, class... Ts>
struct RequiredClosure<Named, Found, Types<T, Ts...>> {
    using New = typename NewlyRequired<Named, Found, decltype(types_of(T::stoa_requires))>::type;
    using type = typename RequiredClosure<Named, typename Joined<Found, New>::type,
                                          typename Joined<Types<Ts...>, New>::type>::type;
};

template <bool Any, class... Ts>
struct RequiredTypes {
    using type = Types<>;
};
template <class... Ts>
struct RequiredTypes<true, Ts...> {
    using type = typename RequiredClosure<Types<Ts...>, Types<>, Types<Ts...>>::type;
    static_assert(are_required(type{}));
};

template <class... Ts>
using RequiredBy = typename RequiredTypes<(NamesRequired<Ts> || ...), Ts...>::type;

template <class... Ts>
inline constexpr bool requires_more = !std::is_same_v<RequiredBy<Ts...>, Types<>>;

}  // namespace stoa::detail
