// Floating-point arithmetic that gives the same bits whatever options its caller is compiled with. Used by Random.
// Where an expression must be rounded after each operation, each operation passes through rounded(). It needs a machine
// that computes float and double in their own precision, as all 64-bit ones do; src/base/random.cpp checks that.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "stoa/detail/base/config.hpp"

namespace stoa::detail {

template <class T>
concept FloatOrDouble = std::is_same_v<T, float> || std::is_same_v<T, double>;

template <FloatOrDouble T>
using BitsOf = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;

template <FloatOrDouble T>
inline constexpr BitsOf<T> infinity_bits = sizeof(T) == 4 ? 0x7f800000u : 0x7ff0000000000000u;

// Returns: `value`. Unless that is a constant, the compiler cannot look through it, so it neither contracts what comes
// before and after it to one operation, nor reorders them. The value stays in its register where that has a name, and
// passes through an integer register elsewhere.
template <FloatOrDouble T>
[[gnu::always_inline]] constexpr T rounded(T value) noexcept {
    if (std::is_constant_evaluated() || __builtin_constant_p(value)) return value;
#if defined(__x86_64__)
    asm("" : "+x"(value));
    return value;
#elif defined(__aarch64__)
    asm("" : "+w"(value));
    return value;
#else
    BitsOf<T> bits = std::bit_cast<BitsOf<T>>(value);
    asm("" : "+r"(bits));
    return std::bit_cast<T>(bits);
#endif
}

// Looks at bits, because a comparison with infinity is dropped under -ffinite-math-only.
template <FloatOrDouble T>
[[gnu::always_inline]] constexpr bool is_positive_and_finite(T value) noexcept {
    return static_cast<BitsOf<T>>(std::bit_cast<BitsOf<T>>(value) - 1) < infinity_bits<T> - 1;
}

template <FloatOrDouble T>
constexpr bool is_finite(T value) noexcept {
    return (std::bit_cast<BitsOf<T>>(value) & infinity_bits<T>) != infinity_bits<T>;
}

// Returns: the largest number below `value`, which is finite and not the lowest.
template <FloatOrDouble T>
constexpr T next_below(T value) noexcept {
    const BitsOf<T> bits = std::bit_cast<BitsOf<T>>(value);
    constexpr BitsOf<T> sign = BitsOf<T>{1} << (8 * sizeof(T) - 1);
    if ((bits & ~sign) == 0) return std::bit_cast<T>(sign | 1);
    return std::bit_cast<T>((bits & sign) == 0 ? bits - 1 : bits + 1);
}

}  // namespace stoa::detail
