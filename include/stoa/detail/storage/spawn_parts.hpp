// Spawning from parts without types, for prefabs and initializers, and making room for such spawns.
#pragma once

#include <cstdint>
#include <span>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/component/type_handle.hpp"
#include "stoa/detail/storage/edits.hpp"

namespace stoa::detail {

// A new entity with the components of `list` and of `more`, each constructed by one of the parts. Throws as
// Store::prepare_spawn, and what constructing throws: then nothing has changed.
STOA_API Entity spawn_parts(Store& store, TypeList& list, TypeList& more, std::span<RowPart> parts);
// The same for one list; `initialize` is called with the id when the components are constructed, before a lookup finds
// the entity.
STOA_API Entity spawn_parts(Store& store, TypeList& list, std::span<RowPart> parts, Initializer& initialize);
// Makes room for `count` more entities with these components, and recycled objects for the pooled ones; `parts` are the
// components of `list`. Throws as reserve_rows, and what copy constructors throw.
STOA_API void prewarm(Store& store, TypeList& list, std::span<const RowPart> parts, std::uint64_t count);

}  // namespace stoa::detail
