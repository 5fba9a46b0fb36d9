// Despawning entities of many tables. Called by World.
#pragma once

#include <cstddef>
#include <span>

#include "stoa/detail/base/config.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

class Store;

// Returns: how many were alive. Throws Errc::locked, and what callbacks throw; then the others are as they were.
STOA_API std::size_t despawn_many(Store& store, std::span<const Entity> entities);

}  // namespace stoa::detail
