// A handle on the table of one exact set of components: the fastest way to spawn entities of one kind, and a walk over just
// those. The same set, in any order, is the same table. A short-lived view: it must not outlive its world.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "stoa/detail/calls.hpp"
#include "stoa/detail/initializer.hpp"
#include "stoa/detail/verbs.hpp"

namespace stoa {

template <class... Ts>
class TableRef {
    static_assert(detail::are_components<Ts...>());
    static_assert((!detail::is_sparse<Ts> && ...), "a table handle names components that are stored in tables");
    using Data = typename detail::DataTypes<detail::Types<>, Ts...>::type;

  public:
    // Default-constructed components.
    Entity spawn() {
        static_assert((detail::is_default_built<Ts>() && ...));
        return detail::spawn<Ts...>(*store_, default_for<Ts>()...);
    }

    // One value for each component, in the order of the handle; or, for a table of components that can be
    // default-constructed, a callable that gets a reference to each (an Entity first if it likes). Structure is locked
    // inside the callable; if it throws, nothing was spawned.
    template <class V, class... Vs>
    Entity spawn(V&& first, Vs&&... rest) {
        if constexpr (is_initializer<V>() && sizeof...(Vs) == 0) {
            return spawn_with(first, Data{});
        } else {
            static_assert(1 + sizeof...(Vs) == sizeof...(Ts), "spawn takes one value for each component of the table handle");
            return detail::spawn<Ts...>(*store_, std::forward<V>(first), std::forward<Vs>(rest)...);
        }
    }

    // Rows in all that fit without a further allocation.
    void reserve(std::size_t rows) { store_->reserve_rows(list(), rows); }

    std::size_t size() const {
        const detail::Table* table = store_->find_table(list());
        return table != nullptr ? static_cast<std::size_t>(table->rows()) : 0;
    }

    // Calls f(T&...) or f(Entity, T&...) for each row; tags are not passed. Structure is locked meanwhile.
    // Everything handed out counts as changed.
    template <class F>
    void each(F&& f) {
        walk(f, Data{});
    }

  private:
    friend class World;
    explicit TableRef(detail::Store& store) noexcept : store_(&store) {}

    static detail::TypeList& list() { return detail::TypeListOf<Ts...>::list; }

    template <class T>
    static constexpr detail::Default default_for() {
        return {};
    }

    template <class V>
    static consteval bool is_initializer() {
        if constexpr (sizeof...(Ts) == 1 && (std::is_same_v<std::decay_t<V>, Ts> && ...)) return false;
        return detail::accepts<std::remove_reference_t<V>>(Data{});
    }

    // Undone unless the id was used.
    struct ReservedId {
        detail::Store& store;
        Entity entity;

        explicit ReservedId(detail::Store& of) : store(of), entity(of.ids().reserve()) { store.ids().settle(); }
        ReservedId(const ReservedId&) = delete;
        ReservedId& operator=(const ReservedId&) = delete;
        ~ReservedId() {
            if (entity) store.ids().cancel_reserved(entity);
        }
    };

    template <class F, class... Ds>
    Entity spawn_with(F& f, detail::Types<Ds...>) {
        static_assert((detail::is_default_built<Ts>() && ...));
        static_assert(detail::WantedSignature<void(Ds&...), F>::fits);
        detail::Store& store = *store_;
        detail::Table& table = store.prepare_spawn(list());
        // Reserved, because the initializer sees the id and may itself reserve ids.
        ReservedId id(store);
        void* const cells[sizeof...(Ts) + 1] = {detail::new_cell<Ts>(store, table, table.tail_rows)..., nullptr};
        detail::build_values<Ts...>(store, cells, default_for<Ts>()...);
        {
            detail::Unwind<Ts...> unwind;
            for (; unwind.built < sizeof...(Ts); ++unwind.built) unwind.cells[unwind.built] = cells[unwind.built];
            const detail::Store::SharedLock lock(store);
            detail::call(f, store, id.entity,
                         detail::value_at<Ds>(table.tail_base, store.column_of<Ds>(table.map()).offset, table.tail_rows)...);
            store.ids().settle();
            unwind.built = 0;
        }
        const Entity entity = std::exchange(id.entity, {});
        store.commit_reserved(table, entity);
        return table.watched != 0 ? store.tell_spawn(entity, table) : entity;
    }

    template <class F, class... Ds>
    void walk(F& f, detail::Types<Ds...>) {
        static_assert(detail::WantedSignature<void(Ds&...), F>::fits);
        detail::Store& store = *store_;
        const detail::Table* found = store.find_table(list());
        if (found == nullptr || found->rows() == 0) return;
        const detail::Table& table = *found;
        const detail::Store::SharedLock lock(store);
        for (std::uint32_t c = 0; c <= table.tail_index; ++c) {
            const std::uint32_t rows = c == table.tail_index ? table.tail_rows : table.chunk_rows;
            detail::call_rows(f, store, detail::FoundRows<Ds...>(store, detail::Location::of(table.chunks[c], 0), rows));
        }
    }

    detail::Store* store_;
};

template <class... Ts>
inline constexpr bool detail::is_handle<TableRef<Ts...>> = true;

}  // namespace stoa
