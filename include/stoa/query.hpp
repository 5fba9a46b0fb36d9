// Queries: walk, find and change all entities that have a set of components. A query is a cheap handle: equal queries, in
// any order of terms, share what they match, and it is never stale.
//
// Terms: `T` writes and `const T` reads a component that must be there; `Mut<T>` writes where told; `Maybe<T>` gives a pointer
// or null; a tag as a term, `With`, `Without` and `AnyOf` filter and give nothing. query<>() matches every entity. `Needs<R>`
// makes the query a family, which is active only while the resource R exists.
//
// `Changed<T>` and `Added<T>` filter by what happened since this handle last walked; an addition is also a change. The first
// walk sees everything. each, each_until, each_chunk, range-for and collect are walks and move the mark of the handle when
// they end, however they end; so what a walk writes is not seen by the next one. All other calls look from the mark and leave
// it. A copy of a handle starts with the mark of the original.
//
// Order: tables in order of their creation, rows in order. While a query is walked the structure of the world is locked: a
// verb that would change it throws Errc::locked, until the walk ends by return, break or exception. Walks nest.
// A query used after the end of its world throws Errc::world_gone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "stoa/detail/calls.hpp"
#include "stoa/detail/query_state.hpp"
#include "stoa/detail/row.hpp"
#include "stoa/detail/terms.hpp"
#include "stoa/detail/verbs.hpp"
#include "stoa/detail/walk.hpp"
#include "stoa/mut.hpp"
#include "stoa/table_rows.hpp"

namespace stoa {

class Executor;
class Subscription;
enum class WatchFor : std::uint8_t;
template <class... Terms>
class Watch;
template <class... Terms>
class Cache;
template <class... Terms>
class Filtered;

template <class... Terms>
class Query {
    static_assert(detail::are_terms<Terms...>());
    using Given = typename detail::GivingTerms<detail::TermTypes<>, Terms...>::type;
    using Sources = typename Given::Sources;
    static constexpr bool tracks = (detail::Term<Terms>::tracks || ...);
    static constexpr bool needs = (0 + ... + detail::needs_of<Terms>) != 0;
    struct NoMark {};

  public:
    class Iterator;

    Query(const Query& other) noexcept : link_(other.link_), state_(other.state_), order_(other.order_), mark_(other.mark_) {
        if (link_ != nullptr) link_->hold();
    }
    Query(Query&& other) noexcept
        : link_(std::exchange(other.link_, nullptr)), state_(other.state_), order_(other.order_), mark_(other.mark_) {}
    Query& operator=(Query other) noexcept {
        std::swap(link_, other.link_);
        state_ = other.state_;
        order_ = other.order_;
        mark_ = other.mark_;
        return *this;
    }
    ~Query() {
        if (link_ != nullptr) link_->drop();
    }

    // Walks.

    // Calls f with what the terms give, an Entity or an EntityRef in front if it likes, for each matching entity.
    template <class F>
    void each(F&& f) const;

    // The same until f returns true. Returns: whether it did.
    template <class F>
    bool each_until(F&& f) const;

    // Calls f(ids, columns...) or f(columns...) with spans over runs of rows: whole chunks where no term tests single
    // entities. A Maybe gives an empty span where the component is absent; with sparse data runs have one row.
    template <class F>
    void each_chunk(F&& f) const;

    // for (auto [entity, position, velocity] : query)
    Iterator begin() const { return Iterator(living(), *state_, order(), mark()); }
    detail::WalkEnd end() const { return {}; }

    // Calls f as each does for this entity, if it matches. Returns: whether it did.
    template <class F>
    bool fetch(Entity entity, F&& f) const;

    // The unlocked walk: calls f(TableRows&) once for each table that has rows. Structure may change inside; tables that are
    // made meanwhile are not visited. Terms on sparse components are not offered here: they are not a matter of tables.
    template <class F>
    void each_table(F&& f) const;

    // Questions.

    std::size_t count() const {
        std::size_t total = 0;
        detail::Sieve sieve;
        for (detail::Walk walk = look(detail::Order::tables, sieve); walk.next();) total += walk.rows().count;
        return total;
    }
    bool empty() const {
        detail::Sieve sieve;
        return !look(detail::Order::tables, sieve).next();
    }
    bool contains(Entity entity) const {
        detail::Store& store = living();
        return static_cast<bool>(state_->find(store, entity, seen(store)));
    }

    // The first match in walk order, or null.
    Entity first() const {
        detail::Sieve sieve;
        detail::Walk walk = look(order(), sieve);
        return walk.next() ? walk.rows().ids()[0] : Entity{};
    }
    // The only match. Throws Errc::not_single.
    Entity single() const {
        const std::size_t matches = is_active() ? count() : 0;
        if (matches != 1) detail::fail_not_single(matches);
        return first();
    }
    // Appends the matches. A walk.
    template <class Container>
    void collect(Container& out) const {
        detail::Sieve sieve;
        for (detail::Walk walk(living(), *state_, order(), mark(), sieve); walk.next();) append(walk.rows(), out);
    }

    // Changes to all matches. Each returns how many entities it changed.

    std::size_t despawn_all() const;
    template <class... Ts>
    std::size_t add_all() const;
    template <class... Ts>
    std::size_t set_all(const Ts&... values) const;
    template <class... Ts>
    std::size_t remove_all() const;

    // Families: queries with Needs. While one of the resources is missing, walks, first, collect, fetch, setup and the changes
    // to all matches act as if nothing matched, and single throws; count, empty and contains still answer.

    bool active() const {
        static_cast<void>(living());
        return is_active();
    }
    // Calls f with a reference to each needed resource, in order, if the family is active. Returns: whether it did.
    template <class F>
    bool setup(F&& f) const;

    // Reacting to change: subscription.hpp, watch.hpp, cache.hpp.

    // Calls f when an entity begins to match, or is about to cease to. f takes what the terms give, an Entity in front if it
    // likes; or just the Entity; or nothing. Throws Errc::signals_off.
    template <class F>
    Subscription on_enter(F&& f) const;
    template <class F>
    Subscription on_leave(F&& f) const;
    // Calls f() when the family becomes active, before its entities enter; or ceases to be, after they left.
    template <class F>
    Subscription on_activate(F&& f) const;
    template <class F>
    Subscription on_deactivate(F&& f) const;

    // Lists of what was added, removed and changed from now on; `what` leaves some of them out.
    Watch<Terms...> watch() const;
    Watch<Terms...> watch(WatchFor what) const;
    // All three, where only writes to Ts count as changes.
    template <class... Ts>
    Watch<Terms...> watch_changes() const;

    // A list of the matches that is always current, by entity index or by comparing the Keys, then by index.
    Cache<Terms...> cache() const;
    template <class Key, class Less>
    Cache<Terms...> cache(Less&& less) const;

    // On the threads of an executor. f may write what it is given, and read what no one writes. Runs of 64 rows go
    // to one thread; what f throws first, in the order of the walk, is thrown.
    template <class F>
    void par_each(Executor& executor, F&& f) const;

    // For the library: what was written up to now has been seen by this handle.
    void mark_seen() const {
        if constexpr (tracks) mark_.moment = living().moment();
    }

    // Modified copies.

    Query reversed() const { return in_order(detail::reverse_of(order_)); }  // of ordered(): from the last index
    Query ordered() const { return in_order(detail::Order::by_index); }      // ascending entity index

    // Those of the matches whose fields pass all filters: `where(by_team == red, by_level >= 10)`. See where.hpp.
    template <class... Filters>
    Filtered<Terms...> where(const Filters&... filters) const;

    // For the library: users get queries from World::query.
    detail::Store& store() const { return living(); }
    explicit Query(detail::Store& store) : state_(&detail::query_state(store, detail::TermListOf<Terms...>::list)) {
        link_ = &store.link();
        link_->hold();
    }

  private:
    friend class Filtered<Terms...>;

    detail::Store& living() const {
        detail::Store* store = link_ != nullptr ? link_->store() : nullptr;
        if (store == nullptr) [[unlikely]] detail::fail_query_gone();
        if (store->listener()->wants_care()) [[unlikely]] detail::care_for_queries(*store);
        return *store;
    }

    static consteval bool has_sparse_terms() {
        return (detail::Term<Terms>::names_sparse || ... || false);
    }

    Query in_order(detail::Order order) const {
        Query copy(*this);
        copy.order_ = order;
        return copy;
    }
    // Requires, as the rest: the world lives.
    bool is_active() const {
        if constexpr (needs) return state_->active(living());
        return true;
    }
    detail::Order order() const { return is_active() ? order_ : detail::Order::none; }

    // Where the handle looks for changes from; walks move it. Without tracking terms there is nothing to remember.
    auto mark() const -> std::conditional_t<tracks, detail::Mark&, detail::Since> {
        if constexpr (tracks) {
            return mark_;
        } else {
            return {};
        }
    }
    detail::Since seen(const detail::Store& store) const {
        if constexpr (tracks) {
            return store.since(mark_.moment);
        } else {
            return {};
        }
    }
    // A walk that moves no mark.
    detail::Walk look(detail::Order order, detail::Sieve& sieve) const {
        detail::Store& store = living();
        return detail::Walk(store, *state_, order, seen(store), sieve);
    }

    template <class Container>
    static void append(const detail::Rows& rows, Container& out) {
        out.insert(out.end(), rows.ids(), rows.ids() + rows.count);
    }


    // Whole tables, where all of their rows match.
    template <class Change>
    std::size_t with_tables(Change&& change) const;
    // Both require: the values do not lie in the world, whose rows are about to move.
    template <class... Ts>
    std::size_t put_all(bool replace, const char* verb, const Ts&... values) const;
    template <class... Ts>
    std::size_t set_each(const Ts&... held) const;
    // Entity by entity: each is changed wholly or not at all.
    template <class Change>
    std::size_t change_all(const char* verb, Change&& change) const;

    detail::StoreLink* link_ = nullptr;
    detail::QueryState* state_;
    detail::Order order_ = detail::Order::tables;
    [[no_unique_address]] mutable std::conditional_t<tracks, detail::Mark, NoMark> mark_;
};

template <class... Terms>
inline constexpr bool detail::is_handle<Query<Terms...>> = true;

}  // namespace stoa

#include "stoa/detail/query_changes.hpp"
#include "stoa/detail/query_iterator.hpp"
#include "stoa/detail/query_walks.hpp"
#include "stoa/family.hpp"
