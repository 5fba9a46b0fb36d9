// Where the rows of a Filtered come from: those rows of a query that pass a filter. It supplies what Walkable and
// Matching ask for. Used by Filtered.
#pragma once

#include <utility>

#include "stoa/detail/index/matches.hpp"
#include "stoa/detail/query/query_source.hpp"
#include "stoa/detail/query/walkable.hpp"
#include "stoa/filter.hpp"

namespace stoa::detail {

template <class... Terms>
class FilteredSource {
  public:
    static constexpr bool picks_rows = false;
    static constexpr bool walks_tables = false;
    using Selector = NoSelector;
    using IteratorSelector = NoSelector;
    using RowWalk = Matches;

    // Throws Errc::conflict when an index of the filter belongs to another world.
    FilteredSource(QuerySource<Terms...> query, Filter filter) : query_(std::move(query)), filter_(std::move(filter)) {
        require_same_world(FilterAccess::node(filter_), require_store().link());
    }

    const QuerySource<Terms...>& query() const { return query_; }
    const Filter& filter() const { return filter_; }
    QueryState& state() const { return query_.state(); }
    Ref<ValueFilter> make_value_filter() const { return follow_filter(require_store(), filter_); }
    Selection selection(Store& store) const {
        const QueryState::SparseSize smallest = query_.state().smallest_sparse(store);
        return {store, query_.state(), FilterAccess::node(filter_), smallest.size, smallest.name};
    }

    Store* store_to_walk() const { return &require_store(); }
    Store& require_store() const { return query_.require_store(); }
    Matches start_walk(Store& store, Selector&) const {
        return Matches(selection(store), order(), query_.since(store), query_.mark());
    }
    Matches look(Store& store, Order order, Selector&) const {
        return Matches(selection(store), order, query_.since(store), nullptr);
    }
    EntityRow find_row(Store& store, Entity entity) const {
        return find_match(selection(store), entity, query_.since(store));
    }
    bool is_active() const { return query_.is_active(); }
    Order order() const { return query_.order(); }
    FilteredSource reversed() const { return {query_.reversed(), filter_}; }
    FilteredSource ordered() const { return {query_.ordered(), filter_}; }

  private:
    QuerySource<Terms...> query_;
    Filter filter_;
};

}  // namespace stoa::detail
