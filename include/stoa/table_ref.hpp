// A handle to the table of one exact set of components: the fastest way to spawn entities of one kind, and a walk over
// just those. The same set, in any order, is the same table.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "stoa/detail/query/initializer.hpp"
#include "stoa/detail/query/walkable.hpp"
#include "stoa/detail/storage/capacity.hpp"
#include "stoa/detail/storage/verbs.hpp"

namespace stoa {

/// Made by World::table. A short-lived view: it must not outlive its world. It follows a world that is moved, and stays
/// usable after World::clear and World::shrink_to_fit. Copies are cheap.
///
/// An entity belongs to the table while Ts, and the components that they require, are all the table components that it
/// has, however it was made. Sparse components do not matter: entities with and without them share a table.
///
/// Requires: Ts are components in tables, not sparse ones; checked when the handle is compiled.
/// Threads: as World.
template <class... Ts>
class TableRef : private detail::Walkable<detail::TableSource, Ts...> {
    static_assert(detail::are_components<Ts...>());
    static_assert((!detail::is_sparse<Ts> && ...), "a table handle names components that are stored in tables");
    using Base = detail::Walkable<detail::TableSource, Ts...>;
    using Data = typename detail::DataTypes<detail::Types<>, Ts...>::type;

  public:
    /// Effects: a new entity with default-constructed components.
    /// Returns: the entity.
    /// Throws: Errc::capacity, Errc::locked, std::bad_alloc, or what a constructor throws; then nothing was spawned.
    /// Invalidates: as World::spawn; it is a structural change.
    /// Complexity: O(components), amortised.
    Entity spawn() {
        static_assert((detail::is_default_built<Ts>() && ...));
        return detail::spawn<Ts...>(store(), detail::default_for<Ts>()...);
    }

    /// spawn(values...). Effects: a new entity with one value for each component, in the order of the handle. A value
    /// may be a component of an entity in this world.
    /// spawn(f). Effects: default-constructs the components of a new entity, then calls f with a reference to each that
    /// is not a tag, optionally preceded by an Entity or EntityRef. The structure is locked inside f, and no call finds
    /// the entity before f has returned.
    /// Returns, Invalidates, Complexity: as spawn().
    /// Throws: as spawn(), and what f throws.
    template <class V, class... Vs>
    Entity spawn(V&& first, Vs&&... rest) {
        if constexpr (is_initializer<V>() && sizeof...(Vs) == 0) {
            return detail::spawn_initialized<Ts...>(store(), first, Data{});
        } else {
            static_assert(1 + sizeof...(Vs) == sizeof...(Ts),
                          "spawn takes one value for each component of the table handle");
            return detail::spawn<Ts...>(store(), std::forward<V>(first), std::forward<Vs>(rest)...);
        }
    }

    /// Effects: makes room, so that the table holds `rows` rows in all without a further allocation. The memory stays
    /// with the table when rows leave, until World::shrink_to_fit.
    /// Throws: Errc::capacity, Errc::locked, std::bad_alloc.
    void reserve(std::size_t rows) { reserve_rows(store(), list(), rows); }

    /// Returns: how many entities the table has.
    std::size_t size() const {
        const detail::Table* table = store().find_table(list());
        return table != nullptr ? static_cast<std::size_t>(table->row_count()) : 0;
    }

    /// each(f). Effects: calls f(T&...) for each row in order, optionally preceded by an Entity or EntityRef; tags are
    /// not passed. The structure is locked until the walk ends by return or exception. Walks nest. All components of
    /// the handle count as changed, also those that f takes as const.
    /// Throws: what f throws.
    /// Complexity: O(rows).
    using Base::each;

  private:
    friend class World;
    explicit TableRef(detail::Store& store) : Base({&store, &list()}) {
        // While the structure is locked no table is created, and a moved-from world has none: the first spawn creates
        // it.
        if (!store.locked()) store.table_of(list());
    }

    detail::Store& store() const { return *this->source_.store; }
    static detail::TypeList& list() { return detail::FullListOf<Ts...>::list; }

    template <class V>
    static consteval bool is_initializer() {
        if constexpr (sizeof...(Ts) == 1 && (std::is_same_v<std::decay_t<V>, Ts> && ...)) return false;
        return detail::accepts<std::remove_reference_t<V>>(Data{});
    }
};

template <class... Ts>
inline constexpr bool detail::is_handle<TableRef<Ts...>> = true;

}  // namespace stoa
