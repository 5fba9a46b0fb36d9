// Copies of whole entities; cleanup components are not copied. Called by World. Both throw Errc::dead_entity,
// Errc::not_copyable, Errc::locked, std::bad_alloc and what copy constructors throw; then nothing has changed.
#pragma once

#include "stoa/detail/base/config.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

class Store;

// A new entity with copies of the components of `model`.
STOA_API Entity clone_entity(Store& store, Entity model);
// Adds or overwrites the components of `to` with copies of those of `from`.
STOA_API void copy_components(Store& store, Entity from, Entity to);

}  // namespace stoa::detail
