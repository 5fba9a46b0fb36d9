// Sets of one to three components, and the verbs that take several at once, for each set. Types meet numbers here: the
// driver chooses a combo and hands over numbers. Invariant: a verb that the types of a set do not allow (values of a
// non-movable type, bulk copies of a move-only one) is null. Called by the driver.
#pragma once

#include "kinds.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace stoa_test {

inline constexpr std::size_t combo_limit = 3;
using Numbers = std::array<int, combo_limit>;

/// How a table handle is asked for an entity.
enum class TableSpawn { defaults, values, callable, callable_with_entity };

struct Combo {
    KindMask mask = 0;
    std::vector<std::uint32_t> kinds;  // in the order in which the types are named

    stoa::Entity (*spawn_defaults)(stoa::World&) = nullptr;
    stoa::Entity (*spawn_values)(stoa::World&, const Numbers&) = nullptr;
    void (*spawn_many)(stoa::World&, std::size_t, const Numbers&) = nullptr;
    void (*spawn_many_ids)(stoa::World&, std::span<stoa::Entity>, const Numbers&) = nullptr;
    void (*spawn_columns)(stoa::World&, std::span<stoa::Entity>, std::span<const Numbers>) = nullptr;
    bool (*add)(stoa::World&, stoa::Entity) = nullptr;
    bool (*add_values)(stoa::World&, stoa::Entity, const Numbers&) = nullptr;
    void (*set)(stoa::World&, stoa::Entity, const Numbers&) = nullptr;
    bool (*remove)(stoa::World&, stoa::Entity) = nullptr;
    // the first by the second; only for sets of two and three
    bool (*replace)(stoa::World&, stoa::Entity, const Numbers&) = nullptr;
    bool (*has)(stoa::World&, stoa::Entity) = nullptr;
    bool (*has_any)(stoa::World&, stoa::Entity) = nullptr;
    void (*reserve)(stoa::World&, std::size_t) = nullptr;
    // add the first, set the second, remove the third; only for sets of three
    void (*chain)(stoa::World&, stoa::Entity, const Numbers&) = nullptr;
    stoa::Entity (*table_spawn)(stoa::World&, TableSpawn, const Numbers&) = nullptr;
    std::size_t (*table_size)(stoa::World&) = nullptr;
    void (*table_reserve)(stoa::World&, std::size_t) = nullptr;
};

const std::vector<Combo>& combos();

// The parts of the list, each compiled in a file of its own.
std::vector<Combo> combos_of_one();
std::vector<Combo> combos_of_two();
std::vector<Combo> combos_of_three();

}  // namespace stoa_test
