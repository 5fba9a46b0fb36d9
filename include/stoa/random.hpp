// Random numbers that depend on nothing but the numbers that name their stream. A stream has no state that systems or
// threads share, so a simulation that draws from it computes the same world on any number of threads.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/base/rounded.hpp"

namespace stoa {
namespace detail {

// What may name a stream: integers, and what converts to them. Signed ones are extended with their sign.
template <class T>
concept StreamNumber = std::is_convertible_v<T, std::uint64_t> && !std::is_floating_point_v<T>;

// Returns: the standard normal number that belongs to these bits, of which the highest is the sign.
STOA_API double normal_of(std::uint64_t bits) noexcept;

[[noreturn]] STOA_API void fail_index();
[[noreturn]] STOA_API void fail_between(double a, double b);

// Throws Errc::conflict unless a and b are finite and a < b.
template <class T>
constexpr void require_range(T a, T b) {
    if (!is_finite(a) || !is_finite(b) || !(a < b)) fail_between(a, b);
}

// Random::between for bounds so far apart that b - a overflows: half of each, so that nothing does.
template <class T>
constexpr T between_distant(T a, T b, T share) noexcept {
    const T value = a / 2 + rounded((b / 2 - a / 2) * share);
    return value < b / 2 ? 2 * value : next_below(b);
}

// Returns: the upper half of the product.
constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) noexcept {
    const std::uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
    const std::uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    return a1 * b1 + (middle >> 32) + (((middle & 0xffffffffu) + a0 * b1) >> 32);
}

// Replaces a counter by its block.
[[gnu::always_inline]] constexpr void philox_rounds(std::array<std::uint32_t, 4>& words, std::uint32_t k0,
                                                    std::uint32_t k1) noexcept {
    std::uint32_t c0 = words[0], c1 = words[1], c2 = words[2], c3 = words[3];
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t even = std::uint64_t{0xd2511f53u} * c0;
        const std::uint64_t odd = std::uint64_t{0xcd9e8d57u} * c2;
        c0 = static_cast<std::uint32_t>(odd >> 32) ^ c1 ^ k0;
        c2 = static_cast<std::uint32_t>(even >> 32) ^ c3 ^ k1;
        c1 = static_cast<std::uint32_t>(odd);
        c3 = static_cast<std::uint32_t>(even);
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    words[0] = c0;
    words[1] = c1;
    words[2] = c2;
    words[3] = c3;
}

}  // namespace detail

/// Returns: the block of Philox4x32-10 (Salmon, Moraes, Dror and Shaw, 2011) that belongs to `counter` under `key`.
/// Each bit of the result depends on each bit of both.
/// Threads: a pure function.
constexpr std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                                  std::array<std::uint32_t, 2> key) noexcept {
    detail::philox_rounds(counter, key[0], key[1]);
    return counter;
}

/// A stream of random numbers, named by up to three numbers: `Random{seed, entity.bits(), time.step}`. Making one costs
/// next to nothing, so make it where you draw. A copy continues as the original does.
///
/// Streams with different numbers never overlap, within one seed. Each has 2^34 numbers and then starts over. Two
/// systems that draw for the same entity and step need two seeds, else they draw the same numbers.
///
/// Every result is the same, to the bit, on each machine and with each compiler and its options, and stays the same in
/// later versions; options that give up IEEE arithmetic for the whole process (-ffast-math at link time) are excepted.
///
/// A std::uniform_random_bit_generator, and trivially copyable. Not for secrets.
/// Threads: as an integer; streams share nothing.
class Random {
  public:
    using result_type = std::uint32_t;

    /// The stream {0, 0, 0}.
    constexpr Random() noexcept = default;

    /// The stream {seed, 0, 0}. A negative number counts as that number modulo 2^64.
    constexpr explicit Random(detail::StreamNumber auto seed) noexcept
        : Random(static_cast<std::uint64_t>(seed), 0u, 0u) {}

    /// The stream {seed, a, b}. Its block n is philox4x32({n, low b, low a, high a}, {low k, high k}), with
    /// k = seed + (b >> 32) * 0x9E3779B97F4A7C15; its numbers are the words of the blocks, in order.
    template <detail::StreamNumber Seed, detail::StreamNumber A, detail::StreamNumber B = std::uint64_t>
    constexpr Random(Seed seed, A a, B b = 0) noexcept
        : key_(static_cast<std::uint64_t>(seed) + (static_cast<std::uint64_t>(b) >> 32) * 0x9e3779b97f4a7c15u),
          a_(static_cast<std::uint64_t>(a)),
          low_b_(static_cast<std::uint32_t>(static_cast<std::uint64_t>(b))) {}

    static constexpr result_type min() noexcept { return 0; }
    static constexpr result_type max() noexcept { return 0xffffffffu; }

    /// Returns: the next number of the stream, of 32 bits.
    [[gnu::always_inline]] constexpr result_type operator()() noexcept {
        if (position_ % 4 == 0) make_block();
        ++position_;
        return take_word();
    }

    /// Effects: skips `count` numbers.
    /// Complexity: constant.
    constexpr void discard(std::uint64_t count) noexcept {
        position_ += count;
        if (position_ % 4 == 0) return;
        make_block();
        for (std::uint64_t i = 0; i < position_ % 4; ++i) take_word();
    }

    /// Returns: a number in [0, 1), each multiple of 2^-53 (double, of two numbers of the stream) or of 2^-24 (float,
    /// of one) with the same probability.
    template <detail::FloatOrDouble T = double>
    [[gnu::always_inline]] constexpr T unit() noexcept {
        // Conversions and products are exact. A signed integer converts in one instruction.
        if constexpr (std::is_same_v<T, float>) {
            return static_cast<float>(static_cast<std::int32_t>((*this)() >> 8)) * 0x1p-24f;
        } else {
            return static_cast<double>(static_cast<std::int64_t>(two_words() >> 11)) * 0x1p-53;
        }
    }

    /// Returns: a number in [a, b): a + (b - a) * unit<T>(), each operation rounded to T; where that rounds to b, the
    /// largest number below b. Where b - a overflows, it is computed from halves. It is never b.
    /// Throws: Errc::conflict, without drawing, when the range is empty (a >= b) or a bound is infinite or NaN.
    template <detail::FloatOrDouble T>
    [[gnu::always_inline]] constexpr T between(T a, T b) {
        a = detail::rounded(a);
        b = detail::rounded(b);
        const T width = b - a;
        const bool is_usual = detail::is_positive_and_finite(width);
        if (!is_usual) [[unlikely]]
            detail::require_range(a, b);
        const T share = unit<T>();
        if (!is_usual) [[unlikely]]
            return detail::between_distant(a, b, share);
        const T value = a + detail::rounded(width * share);
        return value < b ? value : detail::next_below(b);
    }

    /// Returns: a whole number in [0, n), each with the same probability. It takes one number of the stream, two if n
    /// is above 2^32, and the same again for each one that had to be rejected, which is at most every second.
    /// Throws: Errc::conflict when n is 0.
    /// Complexity: constant on average.
    constexpr std::uint64_t index(std::uint64_t n) {
        // Lemire, "Fast random integer generation in an interval", 2019: the upper half of a product is the result, and
        // lower halves below 2^32 mod n are rejected.
        constexpr std::uint64_t words = std::uint64_t{1} << 32;
        if (n - 1 >= words) [[unlikely]]
            return large_index(n);
        std::uint64_t product = (*this)() * n;
        if (static_cast<std::uint32_t>(product) < n) [[unlikely]] {
            const std::uint64_t rejected = words % n;
            while (static_cast<std::uint32_t>(product) < rejected) product = (*this)() * n;
        }
        return product >> 32;
    }

    /// Returns: true with probability p: unit() < p. Never for p <= 0 or NaN, always for p >= 1.
    constexpr bool chance(double p) noexcept { return unit() < p; }

    /// Returns: a number of the normal distribution with mean 0 and standard deviation 1. It takes two numbers of the
    /// stream, and is their inverse cumulative distribution; no result lies beyond 9.2.
    double normal() noexcept { return detail::normal_of(two_words()); }

    /// Effects: puts the elements of a span, array or other contiguous range into a random order, each with the same
    /// probability, by swapping: for i = size, ..., 2 the elements i - 1 and index(i).
    /// Throws: what swapping throws.
    /// Complexity: linear.
    template <class Values>
    constexpr void shuffle(Values&& values) {
        const std::span elements(values);
        static_assert(!std::is_const_v<typename decltype(elements)::element_type>,
                      "shuffle: the elements are const; give a span of elements that can be swapped");
        for (std::size_t i = elements.size(); i > 1; --i) {
            std::ranges::swap(elements[i - 1], elements[static_cast<std::size_t>(index(i))]);
        }
    }

  private:
    // Inline, so that a stream that is made and drawn from in a loop lives in registers, and the loop is vectorised.
    [[gnu::always_inline]] constexpr void make_block() noexcept {
        words_[0] = static_cast<std::uint32_t>(position_ / 4);
        words_[1] = low_b_;
        words_[2] = static_cast<std::uint32_t>(a_);
        words_[3] = static_cast<std::uint32_t>(a_ >> 32);
        detail::philox_rounds(words_, static_cast<std::uint32_t>(key_), static_cast<std::uint32_t>(key_ >> 32));
    }

    // Moves the others forward: an index that varies would keep the words in memory.
    [[gnu::always_inline]] constexpr std::uint32_t take_word() noexcept {
        const std::uint32_t word = words_[0];
        words_[0] = words_[1];
        words_[1] = words_[2];
        words_[2] = words_[3];
        return word;
    }

    // The first word becomes the upper half.
    [[gnu::always_inline]] constexpr std::uint64_t two_words() noexcept {
        const std::uint64_t high = (*this)();
        return high << 32 | (*this)();
    }

    constexpr std::uint64_t large_index(std::uint64_t n) {
        if (n == 0) detail::fail_index();
        const std::uint64_t rejected = (0 - n) % n;  // 2^64 mod n
        std::uint64_t bits = two_words();
        while (bits * n < rejected) bits = two_words();
        return detail::multiply_high(bits, n);
    }

    std::uint64_t key_ = 0;
    std::uint64_t a_ = 0;
    std::uint64_t position_ = 0;               // of the next number; the block number is its upper part, modulo 2^32
    std::array<std::uint32_t, 4> words_ = {};  // first those of the block of `position_` that are not drawn yet
    std::uint32_t low_b_ = 0;
};

}  // namespace stoa
