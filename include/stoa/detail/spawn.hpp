// The typed spawn over a Store: finds room, builds the values where no one sees them, and commits. Called by World, TableRef and
// prefabs; the verbs that add use the same places for new values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "stoa/detail/build.hpp"
#include "stoa/detail/column.hpp"
#include "stoa/detail/store.hpp"

namespace stoa::detail {

// Any non-null pointer: the cell of a value that has no storage.
inline void* no_storage() { return const_cast<char*>(&module_anchor); }

template <class T>
SparseSet& sparse_set_of(Store& store) {
    if (SparseSet* known = store.find_sparse<T>()) [[likely]] return *known;
    return store.sparse_set(type_slot<T>);
}

template <class T>
void* free_slot(SparseSet& set) {
    return is_tag<T> ? no_storage() : set.value<T>(set.first_free());
}

// The place of T for the row that is being built at the tail of `table`.
template <class T>
void* new_cell(Store& store, Table& table, std::uint32_t row) {
    if constexpr (is_sparse<T>) {
        return free_slot<T>(sparse_set_of<T>(store));
    } else if constexpr (is_tag<T>) {
        return no_storage();
    } else {
        return cell<T>(table.tail_base, store.column_of<T>(table.map()).offset, row);
    }
}

template <class T>
void prepare_new(Store& store, std::uint32_t index) {
    if constexpr (is_sparse<T>) store.prepare_sparse(sparse_set_of<T>(store), index);
}

template <class T>
void link_sparse(Store& store, Entity entity) {
    if constexpr (is_sparse<T>) store.insert_sparse(sparse_set_of<T>(store), entity);
}

// Builds a row at the tail of `table`, which has room, and makes it an entity.
template <class... Ts, class... Vs>
[[gnu::always_inline]] inline Entity spawn_in(Store& store, Table& table, Vs&&... from) {
    if constexpr ((is_sparse<Ts> || ...)) (prepare_new<Ts>(store, store.next_entity().index()), ...);
    void* const cells[sizeof...(Ts) + 1] = {new_cell<Ts>(store, table, table.tail_rows)..., nullptr};
    // A constructor may have reserved the id that was next.
    const auto renew_id = [&] {
        store.ready_ids(1);
        if constexpr ((is_sparse<Ts> || ...)) (prepare_new<Ts>(store, store.next_entity().index()), ...);
    };
    build_values_and<Ts...>(store, cells, renew_id, std::forward<Vs>(from)...);
    const Entity entity = store.commit_spawn(table);
    (link_sparse<Ts>(store, entity), ...);
    if (table.watched != 0) [[unlikely]] return store.tell_spawn(entity, table);
    return entity;
}

// Values that travel in registers. One that is written to memory piece by piece, and read as a whole right away, makes the processor
// wait.
template <class T, class V>
inline constexpr bool is_handed_over =
    std::is_same_v<std::remove_cvref_t<V>, T> && std::is_convertible_v<V, T> && is_trivial<T> && sizeof(T) <= 16;

template <class... Ts>
Entity spawn_copies(Store& store, Ts... values) {
    Table* table = store.ready_table(TypeListOf<Ts...>::list);
    if (table == nullptr) [[unlikely]] table = &store.prepare_spawn(TypeListOf<Ts...>::list);
    return spawn_in<Ts...>(store, *table, std::move(values)...);
}

// Requires: nothing that is held lies in the world, because growing may move it.
template <class... Ts, class... Vs>
[[gnu::noinline]] Entity spawn_slowly(Store& store, Vs&&... held) {
    return spawn_in<Ts...>(store, store.prepare_spawn(TypeListOf<Ts...>::list), std::forward<Vs>(held)...);
}

template <class... Ts, class... Vs>
Entity spawn(Store& store, Vs&&... from) {
    static_assert(are_components<Ts...>());
    static_assert((is_value<Vs>() && ... && true));
    if constexpr ((is_handed_over<Ts, Vs> && ...)) {
        return spawn_copies<Ts...>(store, std::forward<Vs>(from)...);
    } else {
        Table* table = store.ready_table(TypeListOf<Ts...>::list);
        if (table == nullptr) [[unlikely]] return spawn_slowly<Ts...>(store, taken<Vs>(store, std::forward<Vs>(from))...);
        return spawn_in<Ts...>(store, *table, std::forward<Vs>(from)...);
    }
}

}  // namespace stoa::detail
