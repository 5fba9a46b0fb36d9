// Handles made up from an index and a generation, as a program that kept only bits would make them. Invariant: the
// result reads back as the same index and generation, whichever half of the bits holds which. Called by every test that
// needs stale, future or foreign handles.
#pragma once

#include <stoa/stoa.hpp>

#include <cstdint>

namespace stoa_test {

/// Returns the handle with this index and this generation.
inline stoa::Entity forge(std::uint32_t index, std::uint32_t generation) {
    const std::uint64_t low = index;
    const std::uint64_t high = generation;
    const stoa::Entity guess = stoa::Entity::from_bits((high << 32) | low);
    if (guess.index() == index && guess.generation() == generation) {
        return guess;
    }
    return stoa::Entity::from_bits((low << 32) | high);
}

}  // namespace stoa_test
