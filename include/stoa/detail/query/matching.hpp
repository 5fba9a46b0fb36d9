// Lookups among the matches, written once for Query, Filtered and what reads like them; and bulk changes of all
// matches, for Query and Filtered.
//
// Beside what ParWalkable asks for, the `Source` supplies:
//
//     bool is_active() const                       whether all resources that the terms need exist
//     auto look(Store&, Order, Selector&) const    a walk that moves no mark
//     EntityRow find_row(Store&, Entity) const     the row of the entity when it matches
//     using RowWalk, IteratorSelector              what start_walk returns for a range-for, and its selector
//     std::span<Table* const> tables() const       the matching tables, if it may match whole tables
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "stoa/detail/query/par_walkable.hpp"
#include "stoa/detail/query/walk_iterator.hpp"
#include "stoa/detail/storage/replace.hpp"
#include "stoa/detail/storage/whole_tables.hpp"

namespace stoa::detail {

template <class Source, class... Terms>
class Lookups : public ParWalkable<Source, Terms...> {
    using Given = GivenBy<Terms...>;

  protected:
    using ParWalkable<Source, Terms...>::ParWalkable;
    using ParWalkable<Source, Terms...>::source_;

  public:
    // Inlined, because an iterator that a call returns is in memory, and each step would read and write it there.
    [[gnu::always_inline]] auto begin() const { return WalkIterator<Given, Source>(source_); }
    WalkEnd end() const { return {}; }

    template <class F>
    bool fetch(Entity entity, F&& f) const {
        static_assert(Walkable<Source, Terms...>::template accepts<F>());
        Store& store = source_.require_store();
        const EntityRow place = source_.find_row(store, entity);
        if (!place || !source_.is_active()) return false;
        const Store::SharedLock lock(store);
        call_rows(f, store, typename Given::LocatedRow(store, place));
        return true;
    }

    std::size_t count() const {
        Store& store = source_.require_store();
        typename Source::Selector selector;
        auto walk = source_.look(store, Order::tables, selector);
        return count_rows(walk);
    }
    bool empty() const {
        Store& store = source_.require_store();
        typename Source::Selector selector;
        return !source_.look(store, Order::tables, selector).next();
    }
    bool contains(Entity entity) const { return static_cast<bool>(source_.find_row(source_.require_store(), entity)); }
    Entity first() const {
        Store& store = source_.require_store();
        typename Source::Selector selector;
        auto walk = source_.look(store, source_.order(), selector);
        return walk.next() ? walk.ids()[0] : Entity{};
    }
    Entity single() const {
        Store& store = source_.require_store();
        typename Source::Selector selector;
        Entity found;
        std::size_t count = 0;
        for (auto walk = source_.look(store, order_for_all(), selector); walk.next(); count += walk.ids().size()) {
            if (count == 0) found = walk.ids()[0];
        }
        if (count != 1) fail_not_single(count);
        return found;
    }

    bool active() const {
        static_cast<void>(source_.require_store());
        return source_.is_active();
    }
    template <class F>
    bool setup(F&& f) const {
        return active() && call_with_needs(source_.require_store(), NeededBy<Terms...>{}, f);
    }

  protected:
    // The order for calls that treat all matches alike.
    Order order_for_all() const { return source_.is_active() ? Order::tables : Order::none; }

  private:
    template <class AnyWalk>
    static std::size_t count_rows(AnyWalk& walk) {
        if constexpr (requires { walk.count(); }) {
            return walk.count();
        } else {
            std::size_t total = 0;
            while (walk.next()) total += walk.ids().size();
            return total;
        }
    }
};

template <class Source, class... Terms>
class Matching : public Lookups<Source, Terms...> {
  protected:
    using Lookups<Source, Terms...>::Lookups;
    using Lookups<Source, Terms...>::source_;
    using Lookups<Source, Terms...>::order_for_all;

  public:
    std::size_t despawn_all() const {
        if constexpr (Source::walks_tables) {
            if (source_.matches_whole_tables())
                return change_tables([](Store& store, auto tables) { return despawn_rows(store, tables); });
        }
        return change_each("despawn_all", [](Store& store, Entity entity) { return store.despawn(entity); });
    }
    template <class... Ts>
    std::size_t add_all() const {
        if constexpr (Source::walks_tables && put_in_rows<Ts...> &&
                      (std::is_nothrow_default_constructible_v<Ts> && ...)) {
            if (source_.matches_whole_tables()) return put_in_tables<Ts...>(false, "add_all", Ts()...);
        }
        return change_each("add_all", [](Store& store, Entity entity) { return detail::add<Ts...>(store, entity); });
    }
    template <class... Ts>
    std::size_t set_all(const Ts&... values) const {
        static_assert((std::is_copy_constructible_v<Ts> && ...), "set_all copies its values, so they must be copyable");
        static_assert(are_components<Ts...>());
        if constexpr (Source::walks_tables && put_in_rows<Ts...>) {
            if (source_.matches_whole_tables()) return put_in_tables<Ts...>(true, "set_all", Ts(values)...);
        }
        return set_each<Ts...>(taken<const Ts&>(source_.require_store(), values)...);
    }
    template <class A, class B>
    std::size_t replace_all(const B& value) const {
        static_assert(std::is_copy_constructible_v<B>, "replace_all copies its value, so it must be copyable");
        static_assert(is_replacement<A, B>());
        if constexpr (Source::walks_tables && replaces_bytes<A, B>) {
            if (source_.matches_whole_tables()) return replace_in_tables<A>(B(value));
        }
        return replace_each<A>(taken<const B&>(source_.require_store(), value));
    }
    template <class... Ts>
    std::size_t remove_all() const {
        static_assert(are_components<Ts...>());
        if constexpr (Source::walks_tables && (!is_sparse<Ts> && ...)) {
            if (source_.matches_whole_tables()) {
                return change_tables(
                    [](Store& store, auto tables) { return remove_rows(store, tables, TypeListOf<Ts...>::list); });
            }
        }
        return change_each("remove_all",
                           [](Store& store, Entity entity) { return detail::remove<Ts...>(store, entity); });
    }

  private:
    // Changes whole tables.
    template <class Change>
    std::size_t change_tables(Change&& change) const {
        Store& store = source_.require_store();
        const auto listed = source_.is_active() ? source_.tables() : std::span<Table* const>{};
        // A copy, since the list may change during the call. Up to `few` tables need no allocation, so a steady state
        // does not allocate.
        constexpr std::size_t few = 16;
        Table* some[few];
        std::vector<Table*> all;
        std::span<Table*> tables(some, listed.size() <= few ? listed.size() : 0);
        if (listed.size() > few) {
            all.resize(listed.size());
            tables = all;
        }
        for (std::size_t i = 0; i < listed.size(); ++i) tables[i] = listed[i];
        return static_cast<std::size_t>(change(store, std::span<Table* const>(tables)));
    }
    // Requires, as set_each: the values are not components of this world, because its rows are about to move.
    template <class... Ts>
    std::size_t put_in_tables(bool replace, const char* verb, const Ts&... values) const {
        static_assert(are_components<Ts...>());
        const void* const bytes[] = {address_of(values)...};
        return change_tables([&](Store& store, auto tables) {
            return put_rows(store, tables, TypeListOf<Ts...>::list, bytes, replace, verb);
        });
    }
    template <class... Ts>
    std::size_t set_each(const Ts&... held) const {
        return change_each("set_all",
                           [&](Store& store, Entity entity) { return set_living<Ts...>(store, entity, held...); });
    }
    template <class A, class B>
    std::size_t replace_in_tables(const B& value) const {
        return change_tables([&](Store& store, auto tables) {
            return replace_rows(store, tables, TypeListOf<A, B>::list, is_tag<B> ? nullptr : address_of(value));
        });
    }
    template <class A, class B>
    std::size_t replace_each(const B& held) const {
        return change_each("replace_all", [&](Store& store, Entity entity) {
            if (!store.alive(entity) || !has<A>(store, entity)) return false;
            B copy = taken<const B&>(store, held);
            return detail::replace<A>(store, entity, copy);
        });
    }
    // Entity by entity: each is changed wholly or not at all.
    template <class Change>
    std::size_t change_each(const char* verb, Change&& change) const {
        Store& store = source_.require_store();
        store.require_unlocked(verb);
        std::vector<Entity> matches;
        {
            typename Source::Selector selector;
            for (auto walk = source_.look(store, order_for_all(), selector); walk.next();)
                matches.insert(matches.end(), walk.ids().begin(), walk.ids().end());
        }
        std::size_t changed = 0;
        for (const Entity entity : matches) changed += change(store, entity);
        return changed;
    }
};

}  // namespace stoa::detail
