// The options of a world, given once at construction.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stoa/detail/config.hpp"

namespace stoa {

struct WorldOptions {
    std::size_t max_entities = 0;        // spawning past it throws Errc::capacity; 0: no limit
    bool signals = true;                 // false: subscribing throws Errc::signals_off
    bool keep_removed = false;           // true: removed values of all components stay readable until end_frame()
    std::uint32_t first_generation = 1;  // for tests of wrap-around; 0 counts as 1
    std::uint32_t first_tick = 1;        // for tests of wrap-around
};

}  // namespace stoa
