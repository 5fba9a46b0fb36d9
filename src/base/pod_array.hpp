// A growing array of trivial values whose memory comes from a BlockPool, so that it can grow inside a NoFail scope.
// It has no destructor: its owner calls free().
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/block_pool.hpp"

namespace stoa::detail {

// Effects: the capacity is at least `wanted`, and the first `count` values stay. Throws std::bad_alloc.
template <class T>
void grow_array(BlockPool& pool, T*& data, std::uint32_t count, std::uint32_t& capacity, std::uint32_t wanted) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (wanted <= capacity) return;
    const std::uint32_t larger = std::max<std::uint32_t>(wanted, capacity * 2);
    constexpr std::size_t alignment = std::max<std::size_t>(alignof(T), alignof(std::max_align_t));
    // Safe: trivial values, written before they are read.
    auto* block = static_cast<T*>(pool.take(sizeof(T) * larger, alignment));
    if (count != 0) std::memcpy(static_cast<void*>(block), data, sizeof(T) * count);
    pool.give(data, sizeof(T) * capacity, alignment);
    data = block;
    capacity = larger;
}

template <class T>
void free_array(BlockPool& pool, T* data, std::uint32_t capacity) noexcept {
    pool.give(data, sizeof(T) * capacity, std::max<std::size_t>(alignof(T), alignof(std::max_align_t)));
}

template <class T>
struct PodArray {
    T* data = nullptr;
    std::uint32_t size = 0;
    std::uint32_t capacity = 0;

    void reserve(BlockPool& pool, std::uint32_t wanted) { grow_array(pool, data, size, capacity, wanted); }
    // Requires: capacity for one more.
    void push(T value) noexcept { data[size++] = value; }
    void free(BlockPool& pool) noexcept { free_array(pool, data, capacity); }

    T* begin() const { return data; }
    T* end() const { return data + size; }
    T& operator[](std::uint32_t at) const { return data[at]; }
};

}  // namespace stoa::detail
