// What a world tells about itself, for tools and tests. Filled in by World::stats and World::tables.
#pragma once

#include <cstddef>
#include <vector>

#include "stoa/component.hpp"

namespace stoa {

struct Stats {
    std::size_t entities = 0;        // living ones
    std::size_t tables = 0;
    std::size_t chunks = 0;
    std::size_t components = 0;      // types that some table or sparse set of this world knows
    std::size_t queries = 0;
    std::size_t bytes_used = 0;      // rows, sparse values and directory records in use
    std::size_t bytes_reserved = 0;  // all memory that the world holds
    std::size_t bytes_huge = 0;      // of those, in huge pages, as far as the system has some left
};

struct TableInfo {
    std::size_t rows = 0;
    std::size_t chunks = 0;
    std::size_t bytes = 0;
    std::vector<ComponentInfo> components;
};

}  // namespace stoa
