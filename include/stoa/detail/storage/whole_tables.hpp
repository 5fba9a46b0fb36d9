// The same change for all rows of tables. Each table is changed completely or, when memory runs out, not at all. Called
// by the bulk verbs of queries. Each function returns how many entities it changed, and throws Errc::locked,
// Errc::capacity, std::bad_alloc and what callbacks throw.
#pragma once

#include <cstdint>
#include <span>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/component/type_handle.hpp"

namespace stoa::detail {

class Store;
class Table;

// Adds the components of the list where they are missing, and overwrites present ones if `replace`. `values` are
// trivial, one for each type of the list.
STOA_API std::uint64_t put_rows(Store& store, std::span<Table* const> tables, TypeList& list, const void* const* values,
                                bool replace, const char* verb);
// Replaces the first component of the list by the second, see replace.hpp; `value` is bytes.
STOA_API std::uint64_t replace_rows(Store& store, std::span<Table* const> tables, TypeList& list, const void* value);
STOA_API std::uint64_t remove_rows(Store& store, std::span<Table* const> tables, TypeList& list);
STOA_API std::uint64_t despawn_rows(Store& store, std::span<Table* const> tables);

}  // namespace stoa::detail
