// Edits as data: a random edit can be recorded in a command buffer, or applied to a world at once. The oracle does one in
// one world and the other in another. Invariant: equal edits in an equal order mean the same in both.
#pragma once

#include "../support/values.hpp"

#include <stoa/stoa.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace command_test {

using stoa::Commands;
using stoa::Entity;
using stoa::World;

/// One list of types, with everything that can be done with it.
struct Combo {
    Entity (*record_spawn)(Commands&, int);
    Entity (*record_default)(Commands&);
    Entity (*record_initialized)(Commands&, int);
    void (*record_set)(Commands&, Entity, int);
    void (*record_add)(Commands&, Entity);
    void (*record_remove)(Commands&, Entity);
    Entity (*spawn)(World&, int);
    Entity (*spawn_default)(World&);
    void (*set)(World&, Entity, int);
    void (*add)(World&, Entity);
    bool (*remove)(World&, Entity);
};

template <class... Ts>
constexpr Combo combo_of() {
    using stoa_test::make;
    using stoa_test::write;
    return {
        [](Commands& later, int n) { return later.spawn(make<Ts>(n)...); },
        [](Commands& later) { return later.spawn<Ts...>(); },
        [](Commands& later, int n) {
            return later.spawn<Ts...>([n](auto&... values) { (write(values, n), ...); });
        },
        [](Commands& later, Entity e, int n) { later.set(e, make<Ts>(n)...); },
        [](Commands& later, Entity e) { later.add<Ts...>(e); },
        [](Commands& later, Entity e) { later.remove<Ts...>(e); },
        [](World& world, int n) { return world.spawn(make<Ts>(n)...); },
        [](World& world) { return world.spawn<Ts...>(); },
        [](World& world, Entity e, int n) { world.set(e, make<Ts>(n)...); },
        [](World& world, Entity e) { world.add<Ts...>(e); },
        [](World& world, Entity e) { return world.remove<Ts...>(e); },
    };
}

const std::vector<Combo>& combos();

enum class Kind : std::uint8_t { spawn, spawn_default, spawn_initialized, despawn, add, set, remove, run };

struct Edit {
    Kind kind = Kind::despawn;
    std::uint32_t combo = 0;
    std::uint32_t subject = 0;  // number of a handle, the same in both worlds
    int number = 0;
    std::vector<Edit> nested;   // of a run: recorded when it runs
};

using Handles = std::vector<Entity>;

/// Records an edit; `handles` gets the id of a spawn.
void record(Commands& later, Handles& handles, const Edit& edit);

struct Counts {
    std::size_t applied = 0;
    std::size_t skipped = 0;
};

/// Applies edits one by one; those of a run come after all others.
Counts apply(World& world, Handles& handles, std::vector<Edit> edits);

/// One sentence on the first difference of an entity in two worlds, or an empty string.
std::string difference(World& a, Entity in_a, World& b, Entity in_b);

}  // namespace command_test
