// Cells of columns and the ways to relocate values between them. Inline, because moving a row runs a few instructions
// per column. Included by the sources of this room that move values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "stoa/detail/base/round_up.hpp"
#include "stoa/detail/storage/column.hpp"
#include "stoa/detail/storage/table.hpp"

namespace stoa::detail {

// The bytes of row `row` of a column.
inline std::byte* cell_of(std::byte* base, const Column& column, std::size_t row) {
    return cell_at(base, column.offset, row, column.size);
}
// The cell of a component in the row that is being built at the tail of a table.
inline std::byte* new_cell_of(const Table& table, ComponentId id, std::size_t size) {
    return cell_at(table.tail_base(), table.find(id).offset, table.tail_rows(), size);
}

// The sizes of most components: values of these are copied without a call.
inline bool is_common_size(std::uint32_t size) { return size == 4 || size == 8 || size == 12 || size == 16; }

// Calls f with a common size as a constant.
template <class F>
[[gnu::always_inline]] inline void with_common_size(std::uint32_t size, F&& f) {
    if (size == 8) {
        f(std::integral_constant<std::size_t, 8>{});
    } else if (size == 4) {
        f(std::integral_constant<std::size_t, 4>{});
    } else if (size == 12) {
        f(std::integral_constant<std::size_t, 12>{});
    } else {
        f(std::integral_constant<std::size_t, 16>{});
    }
}

// The relocation of one value, in the forms that tables need. `What` is a Column or a ColumnMove of trivial values.
// Values of common sizes are copied without a call; sizes are tested in order of frequency, because a jump table costs
// more. Copying a value onto itself is harmless, so there is no branch for the last row.

template <std::size_t Size>
[[gnu::always_inline]] inline void send_bytes(std::byte* to, std::byte* hole, const std::byte* last) noexcept {
    std::byte leaving[Size];
    std::byte coming[Size];
    std::memcpy(leaving, hole, Size);
    std::memcpy(coming, last, Size);
    std::memcpy(to, leaving, Size);
    std::memcpy(hole, coming, Size);
}

// The value in `last` moves to the raw cell `hole`, which may be the same cell.
template <class What>
[[gnu::always_inline]] inline void fill_hole(const What& what, std::byte* hole, const std::byte* last) noexcept {
    if (!is_common_size(what.size)) return static_cast<void>(std::memmove(hole, last, what.size));
    with_common_size(what.size, [&](auto size) { std::memmove(hole, last, size()); });
}

// The value in `hole` moves to the raw cell `to`, then the one in `last` to `hole`. Cells may coincide.
[[gnu::always_inline]] inline void send_value(const ColumnMove& step, std::byte* to, std::byte* hole,
                                              std::byte* last) noexcept {
    if (is_common_size(step.size))
        return with_common_size(step.size, [&](auto size) { send_bytes<size()>(to, hole, last); });
    std::memmove(to, hole, step.size);
    std::memmove(hole, last, step.size);
}

// The same for any type. The cells differ.
inline void relocate_value(const Column& column, std::byte* to, std::byte* from) noexcept {
    column.type->relocate_values(to, from);
}

}  // namespace stoa::detail
