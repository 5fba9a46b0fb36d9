// What a store says about itself: its component types, the components of an entity, and whether its invariants hold.
// Called by World and by tests.
#pragma once

#include <vector>

#include "stoa/component.hpp"
#include "stoa/detail/base/config.hpp"
#include "stoa/detail/component/component_ops.hpp"
#include "stoa/detail/component/type_handle.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

class Store;

STOA_API ComponentInfo component_info(ComponentId id, const ComponentType& type);
STOA_API ComponentInfo component_info(const Store& store, TypeHandle& slot);
// In order of ids, sparse components last. Empty if the entity is not alive.
STOA_API std::vector<ComponentInfo> components_of(const Store& store, Entity entity);
// Throws Errc::corrupt with the first invariant that does not hold.
STOA_API void check(const Store& store);

}  // namespace stoa::detail
