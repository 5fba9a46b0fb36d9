// Queries: walk, find and change all entities that have a set of components. A query is a cheap handle: equal queries, in
// any order of terms, share what they match, and it is never stale.
//
// Terms: `T` writes and `const T` reads a component that must be there; `Maybe<T>` gives a pointer or null; a tag as a term,
// `With`, `Without` and `AnyOf` filter and give nothing. query<>() matches every entity.
//
// Order: tables in order of their creation, rows in order. While a query is walked the structure of the world is locked: a
// verb that would change it throws Errc::locked, until the walk ends by return, break or exception. Walks nest.
// A query used after the end of its world throws Errc::world_gone.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "stoa/detail/query_state.hpp"
#include "stoa/detail/row.hpp"
#include "stoa/detail/terms.hpp"
#include "stoa/detail/verbs.hpp"
#include "stoa/detail/walk.hpp"
#include "stoa/table_rows.hpp"

namespace stoa {

template <class... Terms>
class Query {
    static_assert(detail::are_terms<Terms...>());
    using Given = typename detail::GivingTerms<detail::TermTypes<>, Terms...>::type;

  public:
    class Iterator;

    Query(const Query& other) noexcept : link_(other.link_), state_(other.state_), order_(other.order_) {
        if (link_ != nullptr) link_->hold();
    }
    Query(Query&& other) noexcept
        : link_(std::exchange(other.link_, nullptr)), state_(other.state_), order_(other.order_) {}
    Query& operator=(Query other) noexcept {
        std::swap(link_, other.link_);
        state_ = other.state_;
        order_ = other.order_;
        return *this;
    }
    ~Query() {
        if (link_ != nullptr) link_->drop();
    }

    // Walks.

    // Calls f with what the terms give, an Entity or an EntityRef in front if it likes, for each matching entity.
    template <class F>
    void each(F&& f) const {
        static_assert(detail::accepts_terms<F>(Given{}),
                      "the callable does not take what the terms give: T& for T, const T& for const T, a pointer for Maybe, "
                      "nothing for tags and filters; an Entity or EntityRef may stand in front");
        detail::Store& store = living();
        const detail::Store::Lock lock(store);
        detail::walk(store, *state_, order_, [&](const detail::Chunk& chunk, std::uint32_t first, std::uint32_t count) {
            detail::call_run(f, store, chunk, first, count, Given{});
            return false;
        });
    }

    // The same until f returns true. Returns: whether it did.
    template <class F>
    bool each_until(F&& f) const {
        static_assert(detail::accepts_terms<F>(Given{}), "the callable does not take what the terms give");
        detail::Store& store = living();
        const detail::Store::Lock lock(store);
        return detail::walk(store, *state_, order_, [&](const detail::Chunk& chunk, std::uint32_t first, std::uint32_t count) {
            return until(f, store, chunk, first, count, Given{});
        });
    }

    // Calls f(ids, columns...) or f(columns...) with spans over runs of rows: whole chunks where no sparse term decides.
    // A Maybe gives an empty span where the component is absent; with sparse data runs have one row.
    template <class F>
    void each_chunk(F&& f) const {
        detail::Store& store = living();
        const detail::Store::Lock lock(store);
        detail::walk(store, *state_, order_, [&](const detail::Chunk& chunk, std::uint32_t first, std::uint32_t count) {
            call_spans(f, store, chunk, first, count, Given{});
            return false;
        });
    }

    // for (auto [entity, position, velocity] : query)
    Iterator begin() const { return Iterator(living(), *state_, order_); }
    detail::WalkEnd end() const { return {}; }

    // Calls f as each does for this entity, if it matches. Returns: whether it did.
    template <class F>
    bool fetch(Entity entity, F&& f) const {
        static_assert(detail::accepts_terms<F>(Given{}), "the callable does not take what the terms give");
        detail::Store& store = living();
        const detail::Place place = state_->find(store, entity);
        if (!place) return false;
        const detail::Store::Lock lock(store);
        detail::call_run(f, store, *place.chunk, place.row(), 1, Given{});
        return true;
    }

    // The unlocked walk: calls f(TableRows&) once for each table that has rows. Structure may change inside; tables that are
    // made meanwhile are not visited. Terms on sparse components are not offered here: they are not a matter of tables.
    template <class F>
    void each_table(F&& f) const {
        detail::Store& store = living();
        static_assert(!has_sparse_terms(), "each_table walks whole tables, so its terms name components that tables have");
        const detail::Store::TableHold hold(store);
        const std::vector<detail::Table*> tables(state_->tables().begin(), state_->tables().end());
        for (const detail::Table* table : tables) {
            if (table->rows() == 0) continue;
            TableRows rows(store, *table);
            f(rows);
        }
    }

    // Questions.

    std::size_t count() const {
        detail::Store& store = living();
        std::size_t total = 0;
        detail::walk_tables(store, *state_, [&](const detail::Chunk&, std::uint32_t, std::uint32_t rows) {
            total += rows;
            return false;
        });
        return total;
    }
    bool empty() const { return !first_match(); }
    bool contains(Entity entity) const { return static_cast<bool>(state_->find(living(), entity)); }

    // The first match in walk order, or null.
    Entity first() const {
        Entity found;
        walk_ids([&](Entity entity) {
            found = entity;
            return true;
        });
        return found;
    }
    // The only match. Throws Errc::not_single.
    Entity single() const {
        const std::size_t matches = count();
        if (matches != 1) detail::fail_not_single(matches);
        return first();
    }
    // Appends the matches.
    template <class Container>
    void collect(Container& out) const {
        walk_ids([&](Entity entity) {
            out.insert(out.end(), entity);
            return false;
        });
    }

    // Changes to all matches. Each returns how many entities it changed.

    std::size_t despawn_all() const {
        return change_all("despawn_all", [](detail::Store& store, Entity entity) { return store.despawn(entity); });
    }
    template <class... Ts>
    std::size_t add_all() const {
        return change_all("add_all", [](detail::Store& store, Entity entity) { return detail::add<Ts...>(store, entity); });
    }
    template <class... Ts>
    std::size_t set_all(const Ts&... values) const {
        return change_all("set_all", [&](detail::Store& store, Entity entity) {
            if (!store.alive(entity)) return false;  // a ghost keeps what it has
            detail::set<Ts...>(store, entity, detail::taken<const Ts&>(store, values)...);
            return true;
        });
    }
    template <class... Ts>
    std::size_t remove_all() const {
        return change_all("remove_all", [](detail::Store& store, Entity entity) { return detail::remove<Ts...>(store, entity); });
    }

    // Modified copies.

    Query reversed() const { return in_order(detail::Order::reversed); }
    Query ordered() const { return in_order(detail::Order::by_index); }  // ascending entity index

    // For the library: users get queries from World::query.
    explicit Query(detail::Store& store) : state_(&detail::query_state(store, detail::TermListOf<Terms...>::list)) {
        link_ = &store.link();
        link_->hold();
    }

  private:
    detail::Store& living() const {
        detail::Store* store = link_ != nullptr ? link_->store() : nullptr;
        if (store == nullptr) [[unlikely]] detail::fail_query_gone();
        if (store->listener()->stale) [[unlikely]] detail::refresh_queries(*store);
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

    template <class F>
    void walk_ids(F&& f) const {
        detail::Store& store = living();
        detail::walk(store, *state_, order_, [&](const detail::Chunk& chunk, std::uint32_t first, std::uint32_t count) {
            const Entity* ids = detail::entities(chunk.base) + first;
            for (std::uint32_t i = 0; i < count; ++i) {
                if (f(ids[i])) return true;
            }
            return false;
        });
    }
    bool first_match() const {
        return detail::walk_tables(living(), *state_, [](const detail::Chunk&, std::uint32_t, std::uint32_t) { return true; });
    }

    template <class Change>
    std::size_t change_all(const char* verb, Change&& change) const {
        detail::Store& store = living();
        store.require_unlocked(verb);
        std::vector<Entity> matches;
        collect(matches);
        std::size_t changed = 0;
        for (const Entity entity : matches) changed += change(store, entity);
        return changed;
    }

    template <class F, class... Ts>
    static bool until(F& f, detail::Store& store, const detail::Chunk& chunk, std::uint32_t first, std::uint32_t count,
                      detail::TermTypes<Ts...>) {
        const Entity* ids = detail::entities(chunk.base);
        const auto visit = [&](detail::SameFor<Ts, detail::TermColumn>... columns) {
            for (std::uint32_t row = first; row < first + count; ++row) {
                if (detail::call(f, store, ids[row], detail::argument_at<Ts>(columns, ids[row], row)...)) return true;
            }
            return false;
        };
        return visit(detail::Term<Ts>::column_of(store, chunk)...);
    }

    template <class F, class... Ts>
    static void call_spans(F& f, detail::Store& store, const detail::Chunk& chunk, std::uint32_t first, std::uint32_t count,
                           detail::TermTypes<Ts...>) {
        // Sparse values do not stand in columns: their spans have one value.
        const std::uint32_t step = (detail::gives_sparse<Ts> || ...) ? 1 : count;
        for (std::uint32_t row = first; row < first + count; row += step) {
            const std::span<const Entity> ids(detail::entities(chunk.base) + row, step);
            const auto pass = [&](auto... spans) {
                if constexpr (std::is_invocable_v<F&, std::span<const Entity>, decltype(spans)...>) {
                    f(ids, spans...);
                } else {
                    static_assert(std::is_invocable_v<F&, decltype(spans)...>,
                                  "the callable does not take what the terms give: a span of T for T, of const T for const T; "
                                  "a span of const Entity may stand in front");
                    f(spans...);
                }
            };
            pass(detail::span_at<Ts>(detail::Term<Ts>::column_of(store, chunk), ids[0], row, step)...);
        }
    }

    detail::StoreLink* link_ = nullptr;
    detail::QueryState* state_;
    detail::Order order_ = detail::Order::tables;
};

}  // namespace stoa

#include "stoa/detail/query_iterator.hpp"
