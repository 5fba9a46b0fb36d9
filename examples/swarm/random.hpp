// A small random generator with the same numbers on every platform, so that a seed names one picture. Used by the
// simulation.
#pragma once

#include <cstdint>

namespace swarm {

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 0x2545f4914f6cdd1dULL) {}

    std::uint32_t bits() {
        state_ += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return static_cast<std::uint32_t>(z >> 32);
    }

    /// At least 0 and less than 1.
    float unit() { return static_cast<float>(bits() >> 8) * (1.0F / 16777216.0F); }

    float between(float low, float high) { return low + (high - low) * unit(); }

    /// Between -1 and 1, mostly near 0.
    float around_zero() {
        const float first = unit();
        return first - unit();
    }

  private:
    std::uint64_t state_;
};

}  // namespace swarm
