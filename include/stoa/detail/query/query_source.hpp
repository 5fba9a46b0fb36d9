// Where the rows of a Query come from: the shared query state, the order, and the mark of the handle. It supplies what
// Walkable and Matching ask for. Used by Query, and by the features of later rooms through QueryAccess.
#pragma once

#include <span>
#include <type_traits>

#include "stoa/detail/base/ref.hpp"
#include "stoa/detail/query/data_terms.hpp"
#include "stoa/detail/query/filter_terms.hpp"
#include "stoa/detail/query/query_state.hpp"
#include "stoa/detail/query/walk.hpp"

namespace stoa::detail {

template <class... Terms>
class QuerySource {
    struct NoMark {};

  public:
    static constexpr bool tracks = (Term<Terms>::tracks || ...);
    static constexpr bool needs = type_count<NeededBy<Terms...>> != 0;
    static constexpr bool names_sparse = (Term<Terms>::names_sparse || ...);
    static constexpr bool picks_rows = tracks;
    static constexpr bool walks_tables = true;
    using Selector = RowSelector;
    // Most walks test nothing; whether one is reversed is known at run time only.
    using IteratorSelector = std::conditional_t<tracks || names_sparse, RowSelector, LazyRowSelector>;
    using RowWalk = Walk;

    explicit QuerySource(Store& store) : QuerySource(query_state(store, TermListOf<Terms...>::list)) {}
    // For readers of a const world, on several threads at the same time.
    static QuerySource for_reader(Store& store) {
        QuerySource source(query_state_for_reader(store, TermListOf<Terms...>::list));
        source.is_reader_ = true;
        return source;
    }

    Store* store_to_walk() const { return &require_store(); }
    Store& require_store() const {
        Store* store = link_ ? link_->store() : nullptr;
        if (store == nullptr) [[unlikely]]
            fail_query_gone();
        if (store->notifier().listener()->wants_care()) [[unlikely]]
            (is_reader_ ? care_for_reader : care_for_queries)(*store);
        return *store;
    }
    QueryState& state() const { return *state_; }

    template <class AnySelector>
    [[gnu::always_inline]] Walk start_walk(Store& store, AnySelector& selector) const {
        if constexpr (tracks) {
            return Walk(store, *state_, order(), mark_, selector);
        } else {
            return Walk(store, *state_, order(), Since{}, selector);
        }
    }
    [[gnu::always_inline]] Walk look(Store& store, Order order, Selector& selector) const {
        return Walk(store, *state_, order, since(store), selector);
    }
    EntityRow find_row(Store& store, Entity entity) const { return state_->find(store, entity, since(store)); }
    bool matches_whole_tables() const { return state_->is_plain(); }
    std::span<Table* const> tables() const { return state_->tables(); }

    bool is_active() const {
        if constexpr (needs) return state_->active(require_store());
        return true;
    }
    Order order() const { return is_active() ? order_ : Order::none; }
    bool is_backward() const { return detail::is_backward(order_); }
    QuerySource reversed() const { return in_order(reverse_of(order_)); }
    QuerySource ordered() const { return in_order(Order::by_index); }

    // The moment from which the handle looks for changes; walks move it. Null for queries without tracking terms.
    Mark* mark() const {
        if constexpr (tracks) {
            return &mark_;
        } else {
            return nullptr;
        }
    }
    Since since(const Store& store) const {
        if constexpr (tracks) {
            return store.clock().since(mark_.moment);
        } else {
            return {};
        }
    }
    // Marks all writes up to now as seen by this handle.
    void mark_seen() const {
        if constexpr (tracks) mark_.moment = require_store().clock().moment();
    }

  private:
    explicit QuerySource(QueryState& state) : link_(state.link()), state_(&state) {}

    QuerySource in_order(Order order) const {
        QuerySource copy(*this);
        copy.order_ = order;
        return copy;
    }

    Ref<StoreLink> link_;
    QueryState* state_;
    Order order_ = Order::tables;
    bool is_reader_ = false;
    [[no_unique_address]] mutable std::conditional_t<tracks, Mark, NoMark> mark_;
};

}  // namespace stoa::detail
