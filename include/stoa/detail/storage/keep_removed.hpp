// Removed values. From keep_removed on, a removed value of the component can be read until forget_removed, whatever
// happens to its entity; if there is no memory to keep it, it is destroyed at once. Called by World and by watches.
#pragma once

#include "stoa/component.hpp"
#include "stoa/detail/base/config.hpp"
#include "stoa/detail/component/type_handle.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

class Store;

// Logs removed values of all components of the list. Allowed while locked. Throws Errc::world_gone, std::bad_alloc:
// then none of them is logged that was not before.
STOA_API void keep_removed(Store& store, TypeList& list);
// Returns: the newest removed value, or null; for a tag any address.
STOA_API const void* find_removed(const Store& store, ComponentId id, Entity entity) noexcept;
// Destroys the logged values. Allowed while locked.
STOA_API void forget_removed(Store& store) noexcept;

}  // namespace stoa::detail
