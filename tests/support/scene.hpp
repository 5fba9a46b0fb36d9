// A small world with one entity for each role that a verb can meet, built the same way each time, so that an operation
// can be run on as many equal worlds as a fault loop needs. Invariant: equal settings give equal worlds, ids included.
// Called by the fault loops.
#pragma once

#include <stoa/stoa.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace stoa_test {

struct Scene {
    stoa::World world;
    stoa::Entity empty;   // no components
    stoa::Entity plain;   // Position 1, Velocity 2
    stoa::Entity rich;    // Position 3, Name 4, Counted 5, Red, Burning 6, Note 7, Bag 8, SparseCounted 9, Wide 10
    stoa::Entity stuck;   // Position 11, Owner 12 and Pinned 13: cannot be cloned
    stoa::Entity marked;  // Position 14, Name 15, Grave 16, Tomb 17, Haunted: despawning makes a ghost
    stoa::Entity ghost;   // was despawned with Grave 18
    stoa::Entity dead;    // was despawned
    std::uint32_t indices = 0;  // a bound on every index the world has handed out or will hand out in one operation
};

struct SceneSettings {
    std::string name;
    std::uint32_t crowd = 0;     // further entities in each of the tables of plain, rich and empty
    std::uint32_t holes = 0;     // entities despawned again, so that the free list is not empty
    bool shrunk = false;         // spare memory and empty tables are given back at the end
    bool warmed = false;         // the tables that edits of the roles lead to exist already
    bool pooled_spares = false;  // pools are not empty
};

Scene make_scene(const SceneSettings& settings);

/// The settings every verb is tried in.
const std::vector<SceneSettings>& all_scenes();

}  // namespace stoa_test
