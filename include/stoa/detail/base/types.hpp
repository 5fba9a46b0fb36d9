// A list of types: of the terms of a query, or of components that belong together.
#pragma once

#include <type_traits>

#include "stoa/detail/base/config.hpp"

namespace stoa::detail {

template <class... Ts>
struct Types {};

template <class T, class List>
inline constexpr bool is_listed = false;
template <class T, class... Ts>
inline constexpr bool is_listed<T, Types<Ts...>> = (std::is_same_v<T, Ts> || ...);

template <class List>
inline constexpr unsigned type_count = 0;
template <class... Ts>
inline constexpr unsigned type_count<Types<Ts...>> = sizeof...(Ts);

template <class... Lists>
struct Joined {
    using type = Types<>;
};
template <class... Ts>
struct Joined<Types<Ts...>> {
    using type = Types<Ts...>;
};
template <class... Ts, class... Us, class... Lists>
struct Joined<Types<Ts...>, Types<Us...>, Lists...> : Joined<Types<Ts..., Us...>, Lists...> {};

}  // namespace stoa::detail
