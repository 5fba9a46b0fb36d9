// The same spawn, removal or despawn for one entity after the other, as recorded commands bring them. Called by the
// replay of commands. Each function does the first entities of a batch, as many as it can treat alike.
// Returns: how many; 0 if the first one must go alone.
#pragma once

#include <cstdint>

#include "stoa/detail/storage/store.hpp"

namespace stoa::detail {

std::uint32_t remove_batch(Store& store, const EntityBatch& batch, TypeList& list);
std::uint32_t despawn_batch(Store& store, const EntityBatch& batch);
// Throws as Store::prepare_spawn: then nothing has changed.
std::uint32_t spawn_batch(Store& store, const SpawnBatch& batch, TypeList& list);

}  // namespace stoa::detail
