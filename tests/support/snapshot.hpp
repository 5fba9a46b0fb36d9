// Everything a program can see of a world, as a value that can be compared: which handles are alive or ghosts, which
// components each has, and the number in each. Invariant: two worlds with equal snapshots answer every question about
// the entities in range alike. Called by the fault loops and the limits.
#pragma once

#include <stoa/stoa.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace stoa_test {

struct EntityRecord {
    bool alive = false;                  // false: a ghost
    std::vector<std::string> listed;     // what components() says, sorted; empty for ghosts
    std::map<std::string, int> numbers;  // what find and has say, for the components that tests know
    friend bool operator==(const EntityRecord&, const EntityRecord&) = default;
};

struct Snapshot {
    std::size_t size = 0;
    std::map<stoa::Entity, EntityRecord> entities;
    friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

/// Reads all entities with an index below `indices` and a generation from 1 to `generations`.
Snapshot take_snapshot(stoa::World& world, std::uint32_t indices, std::uint32_t generations = 4);

/// Returns one line for each entity that differs, or an empty string.
std::string difference(const Snapshot& before, const Snapshot& after);

}  // namespace stoa_test
