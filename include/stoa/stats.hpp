// What a world says about itself, for tools and tests: the results of World::stats and World::tables. Both are
// snapshots that do not change with the world.
#pragma once

#include <cstddef>
#include <vector>

#include "stoa/component.hpp"

namespace stoa {

/// Sizes of a whole world.
struct Stats {
    /// Living ones, without ghosts.
    std::size_t entities = 0;
    /// With and without rows.
    std::size_t tables = 0;
    /// In use by tables.
    std::size_t chunks = 0;
    /// Types that at least one table or sparse set of this world has.
    std::size_t components = 0;
    /// Query states; equal queries share one.
    std::size_t queries = 0;
    /// Rows, sparse values and directory entries in use.
    std::size_t bytes_used = 0;
    /// All memory that the world holds.
    std::size_t bytes_reserved = 0;
    /// The part of bytes_reserved for which huge pages were requested; the system may have none left.
    std::size_t bytes_huge = 0;
};

/// One table: all entities with exactly these components.
struct TableInfo {
    std::size_t rows = 0;    ///< entities
    std::size_t chunks = 0;  ///< blocks of memory that hold them
    /// Of its chunks and of the table itself.
    std::size_t bytes = 0;
    std::vector<ComponentInfo> components;
};

}  // namespace stoa
