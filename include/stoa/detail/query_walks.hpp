// How a query hands its matches to a callback: run by run, under a lock, from one Walk or from several threads; or
// table by table, without.
// Inline, as if they stood in the class: a compiler then takes them into their callers more readily.
#pragma once

#include <type_traits>

#include "stoa/detail/par_walk.hpp"
#include "stoa/query.hpp"

namespace stoa {

template <class... Terms>
template <class F>
inline void Query<Terms...>::each(F&& f) const {
    static_assert(detail::accepts_terms<F>(Given{}));
    detail::Store& store = living();
    const Sources sources(store);
    detail::Tick now = store.walking_tick();
    detail::Sieve sieve;
    detail::Walk walk(store, *state_, order(), mark(), sieve);
    if constexpr (tracks && detail::can_pick(Given{})) {
        while (walk.next_picks()) detail::call_picks(f, store, walk.rows(), walk.picks(), sources, now);
    } else {
        while (walk.next()) detail::call_rows(f, store, walk.rows(), sources, now);
    }
}

template <class... Terms>
template <class F>
inline bool Query<Terms...>::each_until(F&& f) const {
    static_assert(detail::accepts_terms<F>(Given{}));
    detail::Store& store = living();
    const Sources sources(store);
    detail::Sieve sieve;
    for (detail::Walk walk(store, *state_, order(), mark(), sieve); walk.next();) {
        if (detail::call_until(f, store, walk.rows(), sources)) return true;
    }
    return false;
}

template <class... Terms>
template <class F>
inline void Query<Terms...>::each_chunk(F&& f) const {
    detail::Store& store = living();
    const Sources sources(store);
    detail::Tick now = store.walking_tick();
    detail::Sieve sieve;
    for (detail::Walk walk(store, *state_, order(), mark(), sieve); walk.next();) {
        detail::call_chunk(f, store, walk.rows(), sources, now);
    }
}

template <class... Terms>
template <class F>
inline bool Query<Terms...>::fetch(Entity entity, F&& f) const {
    static_assert(detail::accepts_terms<F>(Given{}));
    detail::Store& store = living();
    const detail::Place place = state_->find(store, entity, seen(store));
    if (!place || !is_active()) return false;
    const detail::Store::SharedLock lock(store);
    detail::call_rows(f, store, typename Given::FoundRows(store, place));
    return true;
}

template <class... Terms>
template <class F>
void Query<Terms...>::each_table(F&& f) const {
    detail::Store& store = living();
    static_assert(!has_sparse_terms(), "each_table walks whole tables, so its terms name components that tables have");
    static_assert(!tracks, "each_table walks whole tables, so Changed and Added cannot choose rows in it: use each or collect");
    const detail::Store::TableHold hold(store);
    const std::vector<detail::Table*> tables(state_->tables().begin(), state_->tables().end());
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const detail::Table* table = tables[detail::is_backward(order_) ? tables.size() - 1 - i : i];
        if (table->rows() == 0 || !is_active()) continue;
        TableRows rows(store, *table);
        f(rows);
    }
}

template <class... Terms>
template <class F>
void Query<Terms...>::par_each(Executor& executor, F&& f) const {
    static_assert(detail::accepts_terms<F>(Given{}));
    static_assert(!tracks, "a walk over what has changed is short: use each");
    detail::Store& store = living();
    if (executor.threads() < 2 || order() != detail::Order::tables) return each(f);
    struct Callable {
        std::remove_reference_t<F>& f;
        const Sources sources;
    };
    const Callable callable{f, Sources(store)};
    const auto call = [](const void* of, detail::Store& at, const detail::Rows& rows) {
        const auto& called = *static_cast<const Callable*>(of);
        detail::Tick now = at.walking_tick();
        detail::call_rows(called.f, at, rows, called.sources, now);
    };
    detail::ParWalk(store, *state_, call, &callable).run(executor);
}

}  // namespace stoa
