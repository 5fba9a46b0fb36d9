// A thousand component types, reached by number. Used where the number of types, tables or queries matters.
#pragma once

#include <stoa/stoa.hpp>

#include <cstddef>

namespace bench {

/// Gives the entity the component with this number, one of `own_count`.
void add_own(stoa::World& world, stoa::Entity id, std::size_t number);

/// Makes the query for Data without the component with this number, and drops the handle; the world keeps the query.
void query_without_own(stoa::World& world, std::size_t number);

}  // namespace bench
