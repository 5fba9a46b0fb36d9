// The number of a tagged world, which stands in the upper bits of its generations: handles of two tagged worlds differ.
//
// Invariant: no two tagged worlds that exist at the same time have the same number. Owned by the directory of a world.
#pragma once

#include <cstdint>

#include "stoa/detail/base/config.hpp"

namespace stoa::detail {

class STOA_API WorldNumber {
  public:
    static constexpr std::uint32_t bits = 12;
    static constexpr std::uint32_t shift = 32 - bits;   // of the number in a generation
    static constexpr std::uint32_t count = 1u << bits;  // 0 is the number of all worlds that are not tagged

    // Effects: a tagged world gets the lowest number that is free. Throws Errc::capacity when none is. Threads: safe.
    explicit WorldNumber(bool tagged);
    ~WorldNumber();
    WorldNumber(const WorldNumber&) = delete;
    WorldNumber& operator=(const WorldNumber&) = delete;

    // The generations of a world are first(), the one that the options ask for, to last().
    std::uint32_t first(std::uint32_t asked) const noexcept;
    std::uint32_t last() const noexcept;

  private:
    std::uint32_t number_ = 0;
};

}  // namespace stoa::detail
