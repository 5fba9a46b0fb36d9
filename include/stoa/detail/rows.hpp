// What a walk hands out at a time. Made by walks, read by the terms of a query.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stoa/detail/store.hpp"

namespace stoa::detail {

// Consecutive rows of one chunk. What they need of it is copied here, because most tables have just one, and then the table
// knows it: its record among the chunks is not read. What walks do for each row is inlined in debug builds too, here and where
// else `always_inline` stands on something tiny: there a call costs more than what it does.
struct Rows {
    const Table* table = nullptr;
    std::byte* base = nullptr;
    Tick* ticks = nullptr;
    std::uint32_t chunk = 0;
    std::uint32_t first = 0;
    std::uint32_t count = 0;

    [[gnu::always_inline]] const Entity* ids() const { return entities(base) + first; }
    [[gnu::always_inline]] Rows row(std::uint32_t i) const {
        Rows one = *this;
        one.first += i;
        one.count = 1;
        return one;
    }
    RowTicks* stamps(const Store& store, ColumnAt at) const {
        return table->tracked_count == 0 ? nullptr : store.chunk(chunk).rows[at.tick];
    }
};

}  // namespace stoa::detail
