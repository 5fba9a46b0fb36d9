// A small random number generator whose sequence depends on the seed alone, on every compiler and platform, so that a
// printed seed replays the same operations anywhere. Called by the model tests.
#pragma once

#include <cstdint>

namespace stoa_test {

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    /// Returns the next 64 bits (splitmix64).
    std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15u;
        std::uint64_t mixed = state_;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
        return mixed ^ (mixed >> 31);
    }

    /// Returns a number in [0, limit). Requires: limit > 0.
    std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(((next() >> 32) * limit) >> 32); }

    /// Returns a number in [low, high], both included.
    std::uint32_t between(std::uint32_t low, std::uint32_t high) { return low + below(high - low + 1); }

    /// Returns true once in `times`.
    bool one_in(std::uint32_t times) { return below(times) == 0; }

  private:
    std::uint64_t state_;
};

}  // namespace stoa_test
