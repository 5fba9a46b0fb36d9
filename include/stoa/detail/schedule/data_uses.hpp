// Which components the terms of a query read and write, as data. Used by Access::walks.
#pragma once

#include <cstddef>

#include "stoa/detail/query/data_terms.hpp"

namespace stoa::detail {

// A component that a term reads or writes.
struct DataUse {
    TypeHandle* type;
    bool writes;
};

template <class... Terms>
struct DataUses {
    DataUse all[sizeof...(Terms) + 1] = {};
    std::size_t count = 0;

    constexpr DataUses() { (add<Terms>(), ...); }
    template <class T>
    constexpr void add() {
        if constexpr (Term<T>::names_data)
            all[count++] = {&type_handle<typename Term<T>::Component>, Term<T>::may_write};
    }
};

}  // namespace stoa::detail
