// Which components the terms of a query name. Called by Watch and Cache.
#pragma once

#include <type_traits>

#include "stoa/detail/terms.hpp"
#include "stoa/mut.hpp"

namespace stoa::detail {

// Whether a term asks for T.
template <class T, class Asking>
inline constexpr bool requires_component = std::is_same_v<T, typename Term<Asking>::Component>;
template <class T, class U>
inline constexpr bool requires_component<T, Maybe<U>> = false;
template <class T, class... Us>
inline constexpr bool requires_component<T, With<Us...>> = (std::is_same_v<T, Us> || ...);

// Whether a term names T as something that an entity has, or may have.
template <class T, class Naming>
inline constexpr bool names_component = requires_component<T, Naming>;
template <class T, class U>
inline constexpr bool names_component<T, Maybe<U>> = std::is_same_v<T, std::remove_const_t<U>>;
template <class T, class... Us>
inline constexpr bool names_component<T, AnyOf<Us...>> = (std::is_same_v<T, Us> || ...);

template <class T, class... Terms>
inline constexpr bool is_named = (names_component<T, Terms> || ...);

}  // namespace stoa::detail
