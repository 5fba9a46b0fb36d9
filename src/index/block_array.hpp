// Growing arrays of trivial values in blocks that may have huge pages: the arrays of an index are as long as its world
// has entities.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/block_pool.hpp"

namespace stoa::detail {

inline constexpr std::size_t array_alignment = 64;

// Throws std::bad_alloc. The values are not initialised.
template <class T>
T* new_array(std::uint64_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    // Safe: trivial values, written before they are read.
    return static_cast<T*>(new_block(count * sizeof(T), array_alignment));
}

template <class T>
void delete_array(T* array) noexcept {
    if (array != nullptr) delete_block(array, array_alignment);
}

// A longer array with the values of `old`, which it deletes; new values are copies of `rest`. Throws std::bad_alloc:
// then `old` is unchanged.
template <class T>
T* grown(T* old, std::uint64_t count, std::uint64_t larger, const T& rest) {
    T* array = new_array<T>(larger);
    if (count != 0) std::memcpy(static_cast<void*>(array), old, count * sizeof(T));
    std::fill(array + count, array + larger, rest);
    delete_array(old);
    return array;
}

}  // namespace stoa::detail
