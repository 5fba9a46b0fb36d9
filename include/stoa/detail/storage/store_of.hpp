// The only way from a World to its store, for features that users make from a World: command buffers, prefabs,
// schedules. Declared in this room, because rooms before World need it; defined beside World.
#pragma once

#include "stoa/detail/base/config.hpp"

namespace stoa {

class World;

namespace detail {

class Store;

// Throws Errc::world_gone for a world that was moved from; the message begins with `verb`.
STOA_API Store& store_of(World& world, const char* verb);

}  // namespace detail
}  // namespace stoa
