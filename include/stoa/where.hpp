// Queries with filters on fields. Made by Query::where; walks, asks and changes as a query does, those matches whose fields pass. Who
// reacts to change follows the query itself.
//
// What passes is settled when a walk begins: what it writes does not change whom it visits. The order is that of the query. The
// smallest of tables, sparse sets and filters is gone through, the others are tests: explain() says which. An index of a component
// that is not in the query filters too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>  // brings std::string, at no further cost
#include <type_traits>
#include <utility>
#include <vector>

#include "stoa/detail/matches.hpp"
#include "stoa/filter.hpp"
#include "stoa/query.hpp"

namespace stoa {

template <class... Terms>
class [[nodiscard]] Filtered {
    using Given = typename detail::GivingTerms<detail::TermTypes<>, Terms...>::type;
    using Found = typename Given::FoundRows;
    static constexpr bool tracks = (detail::Term<Terms>::tracks || ...);

  public:
    class Iterator;

    // Calls f with what the terms give, an Entity or an EntityRef in front if it likes, for each match.
    template <class F>
    void each(F&& f) const {
        static_assert(detail::accepts_terms<F>(Given{}));
        detail::Store& store = query_.living();
        for (detail::Matches walk(selection(store), order(), since(store), mark()); walk.next();) {
            detail::call_rows(f, store, Found(store, walk.run().first, walk.run().count));
        }
    }
    // The same until f returns true. Returns: whether it did.
    template <class F>
    bool each_until(F&& f) const {
        static_assert(detail::accepts_terms<F>(Given{}));
        detail::Store& store = query_.living();
        for (detail::Matches walk(selection(store), order(), since(store), mark()); walk.next();) {
            const Found found(store, walk.run().first, walk.run().count);
            if (detail::call_until(f, store, found.rows, found.sources)) return true;
        }
        return false;
    }
    // Calls f with spans, for runs of matches that stand side by side; see Query::each_chunk.
    template <class F>
    void each_chunk(F&& f) const {
        detail::Store& store = query_.living();
        detail::Tick now = store.walking_tick();
        for (detail::Matches walk(selection(store), order(), since(store), mark()); walk.next();) {
            const Found found(store, walk.run().first, walk.run().count);
            detail::call_chunk(f, store, found.rows, found.sources, now);
        }
    }
    // for (auto [entity, unit] : query.where(...))
    Iterator begin() const { return Iterator(*this); }
    detail::WalkEnd end() const { return {}; }

    // Calls f as each does for this entity, if it matches. Returns: whether it did.
    template <class F>
    bool fetch(Entity entity, F&& f) const {
        static_assert(detail::accepts_terms<F>(Given{}));
        detail::Store& store = query_.living();
        const detail::Place place = detail::find_match(selection(store), entity, since(store));
        if (!place || !query_.is_active()) return false;
        const detail::Store::SharedLock lock(store);
        detail::call_rows(f, store, Found(store, place));
        return true;
    }
    // Appends the matches. A walk.
    template <class Container>
    void collect(Container& out) const {
        detail::Store& store = query_.living();
        for (detail::Matches walk(selection(store), order(), since(store), mark()); walk.next();) {
            out.insert(out.end(), walk.ids(), walk.ids() + walk.run().count);
        }
    }

    std::size_t count() const { return look(detail::Order::tables).count(); }
    bool empty() const { return count() == 0; }
    bool contains(Entity entity) const {
        detail::Store& store = query_.living();
        return static_cast<bool>(detail::find_match(selection(store), entity, since(store)));
    }
    // The first match in walk order, or null.
    Entity first() const {
        detail::Matches walk = look(order());
        return walk.next() ? walk.ids()[0] : Entity{};
    }
    // The only match. Throws Errc::not_single.
    Entity single() const {
        detail::Matches walk = look(order());
        if (walk.count() != 1) detail::fail_not_single(walk.count());
        walk.next();
        return walk.ids()[0];
    }
    bool active() const { return query_.active(); }
    // See Query::setup.
    template <class F>
    bool setup(F&& f) const {
        return query_.setup(std::forward<F>(f));
    }

    // Changes to all matches, each entity wholly or not at all. Each returns how many entities it changed.

    std::size_t despawn_all() const {
        return change_all("despawn_all", [](detail::Store& store, Entity entity) { return store.despawn(entity); });
    }
    template <class... Ts>
    std::size_t add_all() const {
        return change_all("add_all", [](detail::Store& store, Entity entity) { return detail::add<Ts...>(store, entity); });
    }
    template <class... Ts>
    std::size_t set_all(const Ts&... values) const {
        static_assert((std::is_copy_constructible_v<Ts> && ...), "set_all copies its values, so they must be copyable");
        return set_each<Ts...>(detail::taken<const Ts&>(query_.living(), values)...);
    }
    template <class... Ts>
    std::size_t remove_all() const {
        return change_all("remove_all", [](detail::Store& store, Entity entity) { return detail::remove<Ts...>(store, entity); });
    }

    // Modified copies; where(a).where(b) is where(a && b).
    Filtered reversed() const { return {query_.reversed(), filter_}; }
    Filtered ordered() const { return {query_.ordered(), filter_}; }
    template <class... Filters>
    Filtered where(const Filters&... filters) const {
        return {query_, all_of(filter_, filters...)};
    }

    // What a walk would go through, and what the others are estimated at, as text for people.
    std::string explain() const { return detail::explain_match(selection(query_.living()), query_.active()); }

  private:
    template <class... Ts>
    friend class Query;

    Filtered(const Query<Terms...>& query, Filter filter) : query_(query), filter_(std::move(filter)) {
        detail::require_same_world(filter_.node(), query_.living().link());
    }

    template <class... Filters>
    static Filter all_of(const Filter& first, const Filters&... rest) {
        static_assert((std::is_same_v<Filters, Filter> && ...), "where takes filters: an index compared with a key, as in by_team == red");
        Filter all = first;
        ((all = all && rest), ...);
        return all;
    }

    // The smallest sparse set that the query requires.
    template <class T>
    static void note_sparse(detail::Selection& from) {
        if constexpr (detail::is_sparse<T>) {
            const detail::SparseSet* set = from.store.template find_sparse<T>();
            const std::uint64_t size = set != nullptr ? set->size() : 0;
            if (size < from.sparse_size) {
                from.sparse_size = size;
                from.sparse_name = detail::type_slot<T>.type->name();
            }
        }
    }
    template <class T>
    struct Required {
        static void note(detail::Selection& from) {
            using Component = typename detail::Term<T>::Component;
            if constexpr (!std::is_void_v<Component>) note_sparse<Component>(from);
        }
    };
    template <class T>
    struct Required<Maybe<T>> {
        static void note(detail::Selection&) {}
    };
    template <class... Ts>
    struct Required<With<Ts...>> {
        static void note(detail::Selection& from) { (note_sparse<Ts>(from), ...); }
    };

    detail::Selection selection(detail::Store& store) const {
        detail::Selection from{store, *query_.state_, filter_.node()};
        (Required<Terms>::note(from), ...);
        return from;
    }
    detail::Order order() const { return query_.order(); }
    detail::Since since(const detail::Store& store) const { return query_.seen(store); }
    detail::Mark* mark() const {
        if constexpr (tracks) {
            return &query_.mark_;
        } else {
            return nullptr;
        }
    }
    // A walk that moves no mark.
    detail::Matches look(detail::Order order) const {
        detail::Store& store = query_.living();
        return detail::Matches(selection(store), order, since(store), nullptr);
    }
    template <class... Ts>
    std::size_t set_each(const Ts&... held) const {
        static_assert(detail::are_components<Ts...>());
        return change_all("set_all", [&](detail::Store& store, Entity entity) {
            return detail::set_living<Ts...>(store, entity, held...);
        });
    }
    template <class Change>
    std::size_t change_all(const char* verb, Change&& change) const {
        detail::Store& store = query_.living();
        store.require_unlocked(verb);
        std::vector<Entity> matches;
        for (detail::Matches walk = look(query_.is_active() ? detail::Order::tables : detail::Order::none); walk.next();) {
            matches.insert(matches.end(), walk.ids(), walk.ids() + walk.run().count);
        }
        std::size_t changed = 0;
        for (const Entity entity : matches) changed += change(store, entity);
        return changed;
    }

    Query<Terms...> query_;
    Filter filter_;
};

template <class... Terms>
inline constexpr bool detail::is_handle<Filtered<Terms...>> = true;

// Keeps the structure locked as long as it lives.
template <class... Terms>
class Filtered<Terms...>::Iterator {
    template <class... Ts>
    static detail::Row<Entity, typename detail::Term<Ts>::Argument...> row_for(detail::TermTypes<Ts...>);

  public:
    using value_type = decltype(row_for(Given{}));
    using difference_type = std::ptrdiff_t;

    explicit Iterator(const Filtered& from)
        : store_(from.query_.living()), walk_(from.selection(store_), from.order(), from.since(store_), from.mark()), done_(!walk_.next()) {}

    value_type operator*() const { return row(Given{}); }
    Iterator& operator++() {
        if (++at_ == walk_.run().count) {
            at_ = 0;
            done_ = !walk_.next();
        }
        return *this;
    }
    friend bool operator==(const Iterator& at, detail::WalkEnd) { return at.done_; }

  private:
    // Each turn opens its row anew, so that only rows that were handed out count as written.
    template <class... Ts>
    value_type row(detail::TermTypes<Ts...>) const {
        const Entity entity = walk_.ids()[at_];
        const Found found(store_, {walk_.run().first.bits + at_}, 1);
        return {{{entity}, {found.template value<Ts>(store_, entity)}...}};
    }

    detail::Store& store_;
    detail::Matches walk_;
    std::uint32_t at_ = 0;
    bool done_;
};

template <class... Terms>
template <class... Filters>
Filtered<Terms...> Query<Terms...>::where(const Filters&... filters) const {
    return {*this, Filtered<Terms...>::all_of(Filter(nullptr), filters...)};
}

}  // namespace stoa
