// Queries: walk, find and change all entities that have a set of components.
//
// A query is a cheap handle, made by World::query. Equal queries, in any order of terms, share what they match, and a
// query is never stale. terms.hpp lists the terms. query<>() matches every entity.
//
// Order: tables in the order of their creation, rows in order, unless the query is reversed() or ordered(). While a
// query is walked the structure of the world is locked: a verb that would change it throws Errc::locked, until the walk
// ends by return, break or exception. Walks nest. A query that is used after its world was destroyed throws
// Errc::world_gone.
//
// Changed and Added select changes since the mark of the handle; for a new handle, all rows. each, each_until,
// each_chunk, range-for and collect are walks: they move the mark when they end, however they end, so the next walk
// does not see what this one wrote. All other calls leave the mark. A copy of a handle starts with the mark of the
// original.
//
// Queries with Needs are families. While one of their resources is missing, walks, first, collect, fetch, setup and the
// changes to all matches act as if nothing matched, and single throws; count, empty and contains still answer.
#pragma once

#include <cstdint>
#include <utility>

#include "stoa/detail/query/feature.hpp"
#include "stoa/detail/query/matching.hpp"
#include "stoa/detail/query/query_source.hpp"
#include "stoa/detail/query/table_rows_walk.hpp"
#include "stoa/mut.hpp"
#include "stoa/terms.hpp"

namespace stoa {

enum class Existing : std::uint8_t;
enum class WatchFor : std::uint8_t;

template <class... Terms>
class Query : private detail::Matching<detail::QuerySource<Terms...>, Terms...> {
    static_assert(detail::are_terms<Terms...>());
    using Source = detail::QuerySource<Terms...>;
    using Base = detail::Matching<Source, Terms...>;
    using Base::source_;

  public:
    // Walks.

    /// each(f). Effects: calls f for each match, with what the terms give, optionally preceded by an Entity or an
    /// EntityRef.
    /// Invalidates: nothing; the structure is locked during the walk.
    /// Complexity: O(matching tables and rows); tests of single rows only where a term is sparse, Changed or Added.
    using Base::each;

    /// each_until(f). Effects: as each, until f returns true.
    /// Returns: whether f returned true.
    using Base::each_until;

    /// each_chunk(f). Effects: calls f(ids, columns...) or f(columns...) with spans over consecutive rows: whole chunks
    /// where no term tests single entities. A Maybe gives an empty span where the component is absent; with sparse data
    /// spans have one element.
    using Base::each_chunk;

    /// for (auto [entity, position, velocity] : query). A query is a std::ranges::input_range. Its iterators are moved,
    /// not copied; each is a walk while it lives, and ends before the query does.
    using Base::begin;
    using Base::end;

    /// collect(container). Effects: appends the matches to a sequence, or inserts them into a set, as a walk.
    using Base::collect;

    /// Effects: the unlocked walk: calls f(TableRows&) once for each table that has rows. Structure may change inside
    /// f; tables that are made during the walk are not visited.
    /// Requires: no term is sparse, Changed or Added.
    template <class F>
    void each_table(F&& f) const {
        static_assert(!Source::names_sparse,
                      "each_table walks whole tables, so its terms name components that tables have");
        static_assert(
            !Source::tracks,
            "each_table walks whole tables, so Changed and Added cannot choose rows in it: use each or collect");
        detail::walk_tables(source_.require_store(), source_.state(), source_.is_backward(), f);
    }

    // Parallel walks. f may write what it is given, and read what no other thread writes. They do not compile with
    // Changed and Added. A query in another order than that of its tables, by reversed() or ordered(), is walked on one
    // thread if a term may write. Recording into any other buffer that was made outside, and sending, throws
    // Errc::conflict inside f, `map` and `combine`, on one thread too.

    /// par_each(executor, f). Effects: as each, on the threads of an executor. Rows of one group of 64 are handled by
    /// one thread.
    /// Throws: the exception of f that is first in the order of the walk.
    using Base::par_each;

    /// par_reduce(executor, init, map, combine). Effects: calls map as each calls f, and combine(value, value), on the
    /// threads of an executor.
    /// Requires: `combine` is associative, up to rounding; it need not be commutative.
    /// Returns: `init`, combined with what `map` returns for all matches, in the order of the walk. They are grouped in
    /// a way that depends on the rows alone, so the result is bit-equal for any executor. Without a match, `init`.
    /// Throws: std::bad_alloc; the exception of `map` or `combine` that is first in the order of the walk.
    using Base::par_reduce;

    // Questions.

    /// fetch(entity, f). Effects: calls f as each does for this entity, if it matches.
    /// Returns: whether it matched.
    using Base::fetch;

    /// count(), empty(), contains(entity). Complexity: count is O(matching tables) where each does not test rows.
    using Base::contains;
    using Base::count;
    using Base::empty;

    /// first(). Returns: the first match in the order of the walk, or null.
    using Base::first;

    /// single(). Returns: the only match.
    /// Throws: Errc::not_single.
    using Base::single;

    // Changes to all matches.

    /// despawn_all(), add_all<Ts...>(), set_all(values...), remove_all<Ts...>(), replace_all<A>(B{...}).
    /// Effects: the verb of World for each match. Each entity is changed wholly or not at all.
    /// Returns: how many entities it changed.
    /// Throws: Errc::locked, std::bad_alloc, and what copying a value throws.
    /// Complexity: whole tables change at once where no row is tested and values are copied as bytes.
    using Base::add_all;
    using Base::despawn_all;
    using Base::remove_all;
    using Base::replace_all;
    using Base::set_all;

    // Families.

    /// active(). Returns: whether all resources that the terms need exist.
    using Base::active;

    /// setup(f). Effects: calls f with a reference to each needed resource, in order, if the family is active.
    /// Returns: whether it was.
    using Base::setup;

    // Modified copies, which start with the mark of the original.

    /// reversed(): from the last to the first; after ordered(), from the last index.
    /// ordered(): by ascending entity index.
    Query reversed() const { return Query(source_.reversed()); }
    Query ordered() const { return Query(source_.ordered()); }

    /// where.hpp. Returns: a Filtered<Terms...> of those matches whose fields pass all filters, as in
    /// `where(by_team == red, by_level >= 10)`.
    template <class... Filters>
    auto where(const Filters&... filters) const {
        return detail::WhereCalls<Query>::where(*this, filters...);
    }

    // Reactions to change.

    /// subscription.hpp. Effects: calls f when an entity begins to match (on_enter), or is about to cease to
    /// (on_leave). f takes what the terms give, optionally preceded by an Entity or EntityRef; or only the Entity or
    /// EntityRef; or nothing. on_enter(f, Existing::told) first calls f for what matches already, as a walk does.
    /// Returns: a Subscription.
    /// Throws: Errc::signals_off.
    template <class F>
    auto on_enter(F&& f) const {
        return detail::SignalCalls<Query>::on_enter(*this, std::forward<F>(f));
    }
    template <class F>
    auto on_enter(F&& f, Existing existing) const {
        return detail::SignalCalls<Query>::on_enter(*this, std::forward<F>(f), existing);
    }
    template <class F>
    auto on_leave(F&& f) const {
        return detail::SignalCalls<Query>::on_leave(*this, std::forward<F>(f));
    }

    /// subscription.hpp. Effects: calls f() when the family becomes active, before its entities enter; or ceases to be
    /// active, after they left.
    /// Returns: a Subscription.
    /// Throws: Errc::signals_off.
    template <class F>
    auto on_activate(F&& f) const {
        return detail::SignalCalls<Query>::on_activate(*this, std::forward<F>(f));
    }
    template <class F>
    auto on_deactivate(F&& f) const {
        return detail::SignalCalls<Query>::on_deactivate(*this, std::forward<F>(f));
    }

    /// watch.hpp. Returns: a Watch<Terms...>, lists of what was added, removed and changed from now on; `what` leaves
    /// some of them out.
    auto watch() const { return detail::WatchCalls<Query>::watch(*this); }
    auto watch(WatchFor what) const { return detail::WatchCalls<Query>::watch(*this, what); }

    /// watch.hpp. Returns: all three lists, where only writes to Ts count as changes.
    template <class... Ts>
    auto watch_changes() const {
        return detail::WatchCalls<Query>::template watch_changes<Ts...>(*this);
    }

    /// cache.hpp. Returns: a Cache<Terms...>, a list of the matches that is always current, by entity index; or by
    /// comparing the Keys with `less`, then by index. A Key that is not named is what `less` takes.
    auto cache() const { return detail::CacheCalls<Query>::cache(*this); }
    template <class Key = void, class Less>
    auto cache(Less&& less) const {
        return detail::CacheCalls<Query>::template cache<Key>(*this, std::forward<Less>(less));
    }

  private:
    friend struct detail::QueryAccess;

    explicit Query(detail::Store& store) : Base(Source(store)) {}
    explicit Query(Source source) noexcept : Base(std::move(source)) {}
};

template <class... Terms>
inline constexpr bool detail::is_handle<Query<Terms...>> = true;

}  // namespace stoa
