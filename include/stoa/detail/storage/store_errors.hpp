// The errors of a store. Each message names the operation, the entity, the component and what to do instead. Every
// function raises Errc::world_gone instead if the world was moved from. Called by Store and by the typed verbs.
#pragma once

#include <string_view>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/component/type_handle.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

class Store;

// Raises Errc::dead_entity if the entity is not alive, else Errc::missing_component.
[[noreturn]] STOA_API void fail_lookup(const Store& store, const char* verb, Entity entity, TypeHandle& slot);
[[noreturn]] STOA_API void fail_dead(const Store& store, const char* verb, Entity entity,
                                     std::string_view component = {});
[[noreturn]] STOA_API void fail_locked(const Store& store, const char* verb, std::string_view component = {});
// Raises Errc::conflict: the columns of a bulk spawn have different lengths.
[[noreturn]] STOA_API void fail_lengths(const Store& store);
// Does nothing if the store belongs to a world.
STOA_API void require_world(const Store& store, const char* verb);

}  // namespace stoa::detail
