// Where the row of an entity is: the number of its chunk and the row in it, in one word.
#pragma once

#include <cstdint>

#include "stoa/detail/base/config.hpp"

namespace stoa::detail {

// A chunk of a world. Its position in the chunk list of its table is another matter, and changes.
enum class ChunkNumber : std::uint32_t {};

constexpr std::uint32_t index_of(ChunkNumber number) { return static_cast<std::uint32_t>(number); }

// The widths are part of the design record on chunk size.
struct Location {
    static constexpr std::uint32_t row_bits = 12;
    static constexpr std::uint32_t max_rows = 1u << row_bits;
    static constexpr std::uint32_t max_chunks = 1u << (31 - row_bits);
    static constexpr std::uint32_t dead = 0x80000000;  // beside the location in the directory entry of a ghost

    std::uint32_t bits = 0;

    static constexpr Location of(ChunkNumber chunk, std::uint32_t row) { return {(index_of(chunk) << row_bits) | row}; }
    constexpr ChunkNumber chunk() const { return ChunkNumber{bits >> row_bits}; }
    constexpr std::uint32_t row() const { return bits & (max_rows - 1); }
};

}  // namespace stoa::detail
