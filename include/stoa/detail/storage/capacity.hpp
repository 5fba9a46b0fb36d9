// Memory for entities ahead of time, and its return. Called by World, TableRef and prefabs. Each throws Errc::locked.
#pragma once

#include <cstdint>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/component/type_handle.hpp"

namespace stoa::detail {

class Store;

// Makes room for ids, so that there are `entities` in all. Throws Errc::capacity, std::bad_alloc.
STOA_API void reserve(Store& store, std::uint64_t entities);
// Makes room for rows, so that the table of the list has `rows` in all, and for their ids. Throws as reserve.
STOA_API void reserve_rows(Store& store, TypeList& list, std::uint64_t rows);
// Frees spare chunks, empty tables, recycled objects and cached migrations to tables that are gone.
STOA_API void shrink_to_fit(Store& store);

}  // namespace stoa::detail
