// A small tuple of what a query gives for one entity, for structured bindings: `for (auto [entity, position] : query)`.
// Not std::tuple, because <tuple> would double the cost of this header.
#pragma once

#include <cstddef>
#include <utility>

#include "stoa/detail/base/config.hpp"

namespace stoa::detail {

template <std::size_t Index, class T>
struct RowValue {
    T value;
};

template <class Indices, class... Ts>
struct RowBase;

template <std::size_t... Indices, class... Ts>
struct RowBase<std::index_sequence<Indices...>, Ts...> : RowValue<Indices, Ts>... {};

template <class... Ts>
struct ResultRow : RowBase<std::index_sequence_for<Ts...>, Ts...> {};

template <std::size_t Index, class T>
[[gnu::always_inline]] inline T get_value_of(const RowValue<Index, T>& row) {
    return row.value;
}

template <std::size_t Index, class... Ts>
[[gnu::always_inline]] inline decltype(auto) get(const ResultRow<Ts...>& row) {
    return get_value_of<Index>(row);
}

template <std::size_t Index, class T>
T row_type(const RowValue<Index, T>*);

}  // namespace stoa::detail

template <class... Ts>
struct std::tuple_size<stoa::detail::ResultRow<Ts...>> : std::integral_constant<std::size_t, sizeof...(Ts)> {};

template <std::size_t Index, class... Ts>
struct std::tuple_element<Index, stoa::detail::ResultRow<Ts...>> {
    using type = decltype(stoa::detail::row_type<Index>(static_cast<const stoa::detail::ResultRow<Ts...>*>(nullptr)));
};
