// The unlocked walk over whole tables. Used by Query::each_table.
#pragma once

#include <cstddef>
#include <vector>

#include "stoa/detail/query/query_state.hpp"
#include "stoa/table_rows.hpp"

namespace stoa::detail {

// Calls f(TableRows&) for each matching table that has rows. The list is a copy: f may change structure.
template <class F>
void walk_tables(Store& store, const QueryState& state, bool backward, F& f) {
    const Store::TableHold hold(store);
    const std::vector<Table*> tables(state.tables().begin(), state.tables().end());
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const Table* table = tables[backward ? tables.size() - 1 - i : i];
        if (table->row_count() == 0 || !state.active(store)) continue;
        TableRows rows = TableRowsAccess::make(store, *table);
        f(rows);
    }
}

}  // namespace stoa::detail
