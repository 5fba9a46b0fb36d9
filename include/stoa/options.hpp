// The options of a world, given once at construction.
//
//     World world({.max_entities = 100'000, .keep_removed = true});
#pragma once

#include <cstddef>
#include <cstdint>

#include "stoa/detail/base/config.hpp"

namespace stoa {

struct WorldOptions {
    /// Living entities, ghosts and reserved ids; a spawn beyond it throws Errc::capacity. 0: no limit.
    std::size_t max_entities = 0;
    /// False: subscribing throws Errc::signals_off.
    bool signals = true;
    /// True: removed values of all components can be read until World::end_frame, as after World::keep_removed.
    bool keep_removed = false;

    /// For tests of wrap-around: the generation of the first entity at each index; 0 counts as 1.
    std::uint32_t first_generation = 1;
    /// For tests of wrap-around: the tick that the world begins with.
    std::uint32_t first_tick = 1;

    /// True: the world has a number of its own in the upper 12 bits of its generations, the lowest that no other tagged
    /// world has at the time. Of two tagged worlds that exist at the same time, each takes the handles of the other for
    /// dead. An index then has 2^20 - 1 generations, and first_generation counts modulo 2^20. A 4,096th tagged world
    /// throws Errc::capacity.
    bool tagged = false;
};

}  // namespace stoa
