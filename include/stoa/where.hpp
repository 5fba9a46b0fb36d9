// Queries with filters on fields, made by Query::where. A filtered query walks, finds and changes those matches of its
// query whose fields pass the filter.
//
//     HashIndex<&Unit::team> by_team{world};
//     OrderedIndex<&Unit::level> by_level{world};
//     world.query<Unit>().where(by_team == red, by_level >= 10).each([](Unit& unit) { … });
//
// A walk determines which entities pass before it calls a callback: what it writes does not change which entities it
// visits. The order is that of the query. A walk iterates the smallest of the matching tables, a sparse set, and the
// result of the filter, and tests the others for each entity; explain() says which. An index of a component that is not
// in the query filters too. A filtered query has everything that a query has, except each_table.
#pragma once

#include <stdexcept>  // brings std::string, at no further cost
#include <type_traits>
#include <utility>

#include "stoa/detail/index/filtered_source.hpp"
#include "stoa/filter.hpp"
#include "stoa/read_query.hpp"

namespace stoa {

namespace detail {

template <class... Filters>
Filter all_filters(const Filter& first, const Filters&... rest) {
    static_assert((std::is_same_v<Filters, Filter> && ...),
                  "where takes filters: an index compared with a key, as in by_team == red");
    Filter all = first;
    ((all = all && rest), ...);
    return all;
}

}  // namespace detail

/// Made by Query::where. A copy holds its own query handle, with its mark, and shares the filter.
///
/// For all calls:
/// Throws: Errc::world_gone after the world was destroyed. Calls that look for matches: also std::bad_alloc, and what
/// user code of an index throws (hash, comparison, function of the component).
/// Threads: one thread at a time for all that use the same index; see filter.hpp.
template <class... Terms>
class [[nodiscard]] Filtered : private detail::Matching<detail::FilteredSource<Terms...>, Terms...> {
    using Source = detail::FilteredSource<Terms...>;
    using Base = detail::Matching<Source, Terms...>;
    using Base::source_;

  public:
    /// each(f), each_until(f), each_chunk(f), collect(container) and range-for. Effects: as Query's. each_chunk passes
    /// spans of matches that are side by side in a chunk. All matches are found, and listed, before the first call of
    /// f.
    /// Throws: also what f throws.
    /// Complexity: O(size of what drives the walk) to find the matches; if the filter drives it, O(m log m) for m
    /// candidates, because they are sorted into the order of the query. See index.hpp for what catching up costs.
    using Base::begin;
    using Base::collect;
    using Base::each;
    using Base::each_chunk;
    using Base::each_until;
    using Base::end;

    /// par_each(executor, f), par_reduce(executor, init, map, combine): as Query's. The matches are found on the thread
    /// of the caller.
    using Base::par_each;
    using Base::par_reduce;

    /// count(), empty(), contains(entity), fetch(entity, f), first(), single(): as Query's.
    /// Complexity: count, empty, first and single find all matches first, as a walk does. contains and fetch test one
    /// entity.
    using Base::contains;
    using Base::count;
    using Base::empty;
    using Base::fetch;
    using Base::first;
    using Base::single;

    /// despawn_all(), add_all<Ts...>(), set_all(values...), remove_all<Ts...>(), replace_all<A>(B{...}). Effects: as
    /// Query's, entity by entity: finds all matches, then changes each wholly or not at all.
    /// Returns: how many entities changed.
    /// Throws: also what the verb of World throws; entities that were changed before stay changed.
    using Base::add_all;
    using Base::despawn_all;
    using Base::remove_all;
    using Base::replace_all;
    using Base::set_all;

    /// active(), setup(f): as Query's. Filters do not matter for them.
    using Base::active;
    using Base::setup;

    /// Returns: modified copies, which start with the mark of the original. where(a).where(b) is where(a && b).
    /// Throws: also Errc::conflict when an index of a filter belongs to another world, or its world is gone.
    Filtered reversed() const { return Filtered(source_.reversed()); }
    Filtered ordered() const { return Filtered(source_.ordered()); }
    template <class... Filters>
    Filtered where(const Filters&... filters) const {
        return Filtered({source_.query(), detail::all_filters(source_.filter(), filters...)});
    }

    /// Returns: text for people that says what drives a walk now, and the estimated size of each candidate. Its form
    /// may change.
    std::string explain() const { return detail::explain_match(source_.selection(source_.require_store()), active()); }

    // Reactions to change. They follow the values: a write that makes an entity pass or fail is an arrival or a
    // departure.

    /// subscription.hpp. Effects: as Query's. f is called at once for what comes and goes structurally: for an entity
    /// that passes when it enters the query or is given a component that the filter tests; and for one that leaves the
    /// query or loses such a component. For writes f is called at the start of the next flush of commands, with the new
    /// values: first for all that left, then for all that entered; each by entity index, then in order of subscription.
    /// Calls alternate: an entity that was written to pass and back between two flushes is not mentioned.
    /// Throws: also Errc::signals_off. A flush throws what user code of an index throws; then no callback was called,
    /// and the next flush calls them.
    /// Complexity: O(matches) to subscribe. A flush costs what catching up costs, and a test for each changed key.
    template <class F>
    auto on_enter(F&& f) const {
        return detail::SignalCalls<Query<Terms...>>::on_enter(*this, std::forward<F>(f));
    }
    template <class F>
    auto on_enter(F&& f, Existing existing) const {
        return detail::SignalCalls<Query<Terms...>>::on_enter(*this, std::forward<F>(f), existing);
    }
    template <class F>
    auto on_leave(F&& f) const {
        return detail::SignalCalls<Query<Terms...>>::on_leave(*this, std::forward<F>(f));
    }
    /// subscription.hpp. Effects: as Query's; on_enter and on_leave run for the matches that pass.
    template <class F>
    auto on_activate(F&& f) const {
        return detail::SignalCalls<Query<Terms...>>::on_activate(*this, std::forward<F>(f));
    }
    template <class F>
    auto on_deactivate(F&& f) const {
        return detail::SignalCalls<Query<Terms...>>::on_deactivate(*this, std::forward<F>(f));
    }

    /// watch.hpp. Returns: a Watch<Terms...>, as Query's. What comes and goes structurally is listed at once, what
    /// writes did by the next call of the watch. Only writes to entities that pass before and after are changes. Inside
    /// a signal of a structural change, writes are not looked for.
    /// Complexity: O(matches) to make one. A read costs what catching up costs, and a test for each changed key.
    auto watch() const { return detail::WatchCalls<Query<Terms...>>::watch(*this); }
    auto watch(WatchFor what) const { return detail::WatchCalls<Query<Terms...>>::watch(*this, what); }
    template <class... Ts>
    auto watch_changes() const {
        return detail::WatchCalls<Query<Terms...>>::template watch_changes<Ts...>(*this);
    }

    /// cache.hpp. Returns: a Cache<Terms...>, as Query's, of the matches that pass.
    /// Complexity: a read costs what catching up costs, and for each changed key as much as for an arrival.
    auto cache() const { return detail::CacheCalls<Query<Terms...>>::cache(*this); }
    template <class Key = void, class Less>
    auto cache(Less&& less) const {
        return detail::CacheCalls<Query<Terms...>>::template cache<Key>(*this, std::forward<Less>(less));
    }

  private:
    friend detail::WhereCalls<Query<Terms...>>;
    friend struct detail::QueryAccess;

    explicit Filtered(Source source) : Base(std::move(source)) {}
};

template <class... Terms>
inline constexpr bool detail::is_handle<Filtered<Terms...>> = true;

/// As Filtered, of a ReadQuery: walks and questions, nothing that changes the world.
template <class... Terms>
class [[nodiscard]] ReadFiltered
    : private detail::Lookups<detail::ReadOnly<detail::FilteredSource<Terms...>>, Terms...> {
    using Source = detail::ReadOnly<detail::FilteredSource<Terms...>>;
    using Base = detail::Lookups<Source, Terms...>;
    using Base::source_;

  public:
    /// each(f), each_until(f), each_chunk(f), collect(container), range-for, par_each, par_reduce, count(), empty(),
    /// contains(entity), fetch(entity, f), first(), single(), active(), setup(f): as Filtered's.
    using Base::active;
    using Base::begin;
    using Base::collect;
    using Base::contains;
    using Base::count;
    using Base::each;
    using Base::each_chunk;
    using Base::each_until;
    using Base::empty;
    using Base::end;
    using Base::fetch;
    using Base::first;
    using Base::par_each;
    using Base::par_reduce;
    using Base::setup;
    using Base::single;

    /// reversed(), ordered(), where(filters...), explain(): as Filtered's.
    ReadFiltered reversed() const { return ReadFiltered(Source(source_.reversed())); }
    ReadFiltered ordered() const { return ReadFiltered(Source(source_.ordered())); }
    template <class... Filters>
    ReadFiltered where(const Filters&... filters) const {
        return ReadFiltered(Source({source_.query(), detail::all_filters(source_.filter(), filters...)}));
    }
    std::string explain() const { return detail::explain_match(source_.selection(source_.require_store()), active()); }

  private:
    friend detail::WhereCalls<ReadQuery<Terms...>>;

    explicit ReadFiltered(Source source) : Base(std::move(source)) {}
};

template <class... Terms>
inline constexpr bool detail::is_handle<ReadFiltered<Terms...>> = true;

/// The call of a query that makes a filtered query.
/// Returns: a copy of the query with the filters. where() without filters matches what the query matches.
/// Throws: Errc::world_gone, std::bad_alloc; Errc::conflict when an index belongs to another world or to none any more.
/// Complexity: O(filters). Keys are looked up by each walk, not here.
template <class... Terms>
struct detail::WhereCalls<Query<Terms...>> {
    template <class... Filters>
    static Filtered<Terms...> where(const Query<Terms...>& query, const Filters&... filters) {
        return Filtered<Terms...>({QueryAccess::source(query), all_filters(FilterAccess::make(nullptr), filters...)});
    }
};
template <class... Terms>
struct detail::WhereCalls<ReadQuery<Terms...>> {
    template <class... Filters>
    static ReadFiltered<Terms...> where(const ReadQuery<Terms...>& query, const Filters&... filters) {
        using Source = typename ReadFiltered<Terms...>::Source;
        return ReadFiltered<Terms...>(
            Source({QueryAccess::source(query), all_filters(FilterAccess::make(nullptr), filters...)}));
    }
};

}  // namespace stoa
