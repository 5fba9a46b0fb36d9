// Despawning entities of many tables: those of one table leave together, so that each column is gone through once.
#include "stoa/detail/storage/despawn_many.hpp"

#include <algorithm>

#include "storage/batches.hpp"

namespace stoa::detail {
namespace {

// Enough to find neighbours in the same table; on the stack, since a removal must not need memory.
constexpr std::size_t window = 256;

// Despawns `entities`, of which the first is alive, as long as the same can be done to them. Returns: how many it has
// looked at; `alive` counts those that it despawned.
std::size_t despawn_some(Store& store, std::span<const std::uint64_t> entities, std::size_t& alive) {
    const EntityBatch batch{entities.data(), static_cast<std::uint32_t>(entities.size()), 1};
    if (const std::uint32_t done = despawn_batch(store, batch); done != 0) {
        alive += done;
        return done;
    }
    alive += store.despawn(Entity::from_bits(entities[0])) ? 1u : 0u;
    return 1;
}

// Puts the entities of the table of the first one first, in their order, then the others in theirs. Returns: how many
// are of that table. Requires: the first one is alive.
std::size_t gather(const Store& store, std::span<std::uint64_t> entities) {
    const Table* const first = &store.locate(Entity::from_bits(entities[0])).chunk->table();
    const auto is_in_table = [&](std::uint64_t bits) {
        const EntityRow place = store.locate(Entity::from_bits(bits));
        return place && &place.chunk->table() == first;
    };
    std::uint64_t others[window];
    std::size_t in_table = 0;
    std::size_t other_count = 0;
    for (const std::uint64_t entity : entities) {
        if (is_in_table(entity)) {
            entities[in_table++] = entity;
        } else {
            others[other_count++] = entity;
        }
    }
    std::copy_n(others, other_count, entities.begin() + static_cast<std::ptrdiff_t>(in_table));
    return in_table;
}

}  // namespace

std::size_t despawn_many(Store& store, std::span<const Entity> entities) {
    store.require_unlocked("despawn_many");
    std::size_t alive = 0;
    std::uint64_t buffer[window];
    while (!entities.empty()) {
        const std::size_t count = std::min(window, entities.size());
        std::transform(entities.begin(), entities.begin() + static_cast<std::ptrdiff_t>(count), buffer,
                       [](Entity entity) { return entity.bits(); });
        entities = entities.subspan(count);
        std::span<std::uint64_t> rest(buffer, count);
        while (!rest.empty()) {
            if (!store.alive(Entity::from_bits(rest[0]))) {  // also one that occurred before
                rest = rest.subspan(1);
                continue;
            }
            for (std::size_t together = gather(store, rest); together != 0;) {
                const std::size_t done = despawn_some(store, rest.first(together), alive);
                rest = rest.subspan(done);
                together -= done;
            }
        }
    }
    return alive;
}

}  // namespace stoa::detail
