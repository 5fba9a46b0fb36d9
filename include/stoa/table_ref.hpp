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

/// Made by World::table. A short-lived view: it must not outlive its world. Copies are cheap.
/// Requires: Ts are components in tables, not sparse ones.
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
    /// Complexity: O(components), amortised.
    Entity spawn() {
        static_assert((detail::is_default_built<Ts>() && ...));
        return detail::spawn<Ts...>(store(), detail::default_for<Ts>()...);
    }

    /// spawn(values...). Effects: a new entity with one value for each component, in the order of the handle.
    /// spawn(f). Effects: a new entity with default-constructed components; then calls f with a reference to each, and
    /// optionally an Entity or EntityRef in front. The structure is locked inside f.
    /// Returns, Throws: as spawn(); also what f throws.
    template <class V, class... Vs>
    Entity spawn(V&& first, Vs&&... rest) {
        if constexpr (is_initializer<V>() && sizeof...(Vs) == 0) {
            return spawn_with(first, Data{});
        } else {
            static_assert(1 + sizeof...(Vs) == sizeof...(Ts),
                          "spawn takes one value for each component of the table handle");
            return detail::spawn<Ts...>(store(), std::forward<V>(first), std::forward<Vs>(rest)...);
        }
    }

    /// Effects: makes room, so that the table holds `rows` rows in all without a further allocation.
    /// Throws: Errc::capacity, Errc::locked, std::bad_alloc.
    void reserve(std::size_t rows) { reserve_rows(store(), list(), rows); }

    /// Returns: how many entities the table has.
    std::size_t size() const {
        const detail::Table* table = store().find_table(list());
        return table != nullptr ? static_cast<std::size_t>(table->row_count()) : 0;
    }

    /// each(f). Effects: calls f(T&...) or f(Entity, T&...) for each row; tags are not passed. The structure is locked
    /// meanwhile. Everything handed out counts as changed.
    using Base::each;

  private:
    friend class World;
    explicit TableRef(detail::Store& store) noexcept : Base({&store, &list()}) {}

    detail::Store& store() const { return *this->source_.store; }
    static detail::TypeList& list() { return detail::TypeListOf<Ts...>::list; }

    template <class V>
    static consteval bool is_initializer() {
        if constexpr (sizeof...(Ts) == 1 && (std::is_same_v<std::decay_t<V>, Ts> && ...)) return false;
        return detail::accepts<std::remove_reference_t<V>>(Data{});
    }

    template <class F, class... Ds>
    Entity spawn_with(F& f, detail::Types<Ds...>) {
        static_assert((detail::is_default_built<Ts>() && ...));
        static_assert(detail::WantedSignature<void(Ds & ...), F>::fits);
        detail::Store& store = this->store();
        detail::Table& table = store.prepare_spawn(list());
        detail::RowPart parts[] = {detail::new_part<Ts>(store, table)..., {}};
        detail::RowDraft draft(store, table, {parts, sizeof...(Ts)}, false);
        // Reserved, because the initializer sees the id and may itself reserve ids.
        const Entity entity = draft.reserve_id();
        detail::build_parts<Ts...>(store, draft, detail::default_for<Ts>()...);
        {
            const detail::Store::SharedLock lock(store);
            detail::call(
                f, store, entity,
                detail::value_at<Ds>(table.tail_base(), store.column_of<Ds>(table.map()).offset, table.tail_rows())...);
        }
        draft.commit();
        return entity;
    }
};

template <class... Ts>
inline constexpr bool detail::is_handle<TableRef<Ts...>> = true;

}  // namespace stoa
