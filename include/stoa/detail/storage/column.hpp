// Typed access to the columns of a chunk: the bytes of tables become values of T here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "stoa/detail/component/component_ops.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

// Tags have no storage; all references to a tag refer to this one object.
template <class T>
inline constinit T tag_object{};

// The address of row `row` in a column, whether or not an object lives there yet.
[[gnu::always_inline]] inline std::byte* cell_at(std::byte* base, std::uint32_t offset, std::size_t row,
                                                 std::size_t size) {
    return base + offset + row * size;
}
template <class T>
void* cell(std::byte* base, std::uint32_t offset, std::size_t row) {
    std::byte* at = cell_at(base, offset, row, sizeof(T));
    if (at == nullptr) __builtin_unreachable();  // so that callers need not test
    return at;
}

// Safe: chunk columns are laid out with the size and alignment of T, and rows in use hold live objects of T.
template <class T>
[[gnu::always_inline]] inline T* column(std::byte* base, std::uint32_t offset) {
    if constexpr (is_tag<T>) {
        return detail::address_of(tag_object<T>);
    } else {
        return std::launder(reinterpret_cast<T*>(base + offset));
    }
}

template <class T>
[[gnu::always_inline]] inline T& value_at(std::byte* base, std::uint32_t offset, std::size_t row) {
    return column<T>(base, offset)[is_tag<T> ? 0 : row];
}

// Safe: the entity column is first in every chunk.
[[gnu::always_inline]] inline Entity* entities(std::byte* base) {
    return std::launder(reinterpret_cast<Entity*>(base));
}

}  // namespace stoa::detail
