// The typed spawn over a Store: a row draft whose cells are found and built with types, and the shortcut for values
// that are just bytes. Used by World, TableRef and prefabs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "stoa/detail/storage/build.hpp"
#include "stoa/detail/storage/column.hpp"
#include "stoa/detail/storage/row_draft.hpp"
#include "stoa/detail/storage/store.hpp"

namespace stoa::detail {

// Any non-null pointer: the cell of a value that has no storage. Safe: nobody writes there.
inline void* no_storage() { return const_cast<char*>(&module_anchor); }

template <class T>
SparseSet& sparse_set_of(Store& store) {
    if (SparseSet* known = store.find_sparse<T>()) [[likely]]
        return *known;
    return store.sparse_set(type_handle<T>);
}

// Where the next value of a sparse set is built.
template <class T>
void* next_cell(SparseSet& set) {
    return is_tag<T> ? no_storage() : set.value<T>(set.next_free_slot());
}

// The place of T for the row that is being built at the tail of `table`.
template <class T>
[[gnu::always_inline]] inline void* new_cell(Store& store, Table& table, std::uint32_t row) {
    if constexpr (is_sparse<T>) {
        return next_cell<T>(sparse_set_of<T>(store));
    } else if constexpr (is_tag<T>) {
        return no_storage();
    } else {
        return cell<T>(table.tail_base(), store.column_of<T>(table.map()).offset, row);
    }
}

template <class T>
void prepare_new(Store& store, std::uint32_t index) {
    if constexpr (is_sparse<T>) store.sparse_sets().prepare(sparse_set_of<T>(store), index);
}

template <class T>
void link_sparse(Store& store, Entity entity) {
    if constexpr (is_sparse<T>) store.sparse_sets().insert(sparse_set_of<T>(store), entity, store.tick());
}

// One component of a new row of `table`, with its cell.
template <class T>
[[gnu::always_inline]] inline RowPart new_part(Store& store, Table& table) {
    RowPart part{};
    part.source = RowPart::Source::caller;
    part.type = &component_type<T>;
    part.place = is_sparse<T> ? RowPart::Place::slot : RowPart::Place::row;
    if constexpr (is_sparse<T>) {
        part.set = &sparse_set_of<T>(store);
        store.sparse_sets().prepare(*part.set, store.directory().next_entity().index());
    }
    part.cell = new_cell<T>(store, table, table.tail_rows());
    return part;
}

// Builds the parts of a draft from values.
template <class... Ts, class... Vs>
[[gnu::always_inline]] inline void build_parts(Store& store, RowDraft& draft, Vs&&... from) {
    [[maybe_unused]] const LockIf<!(builds_quietly<Ts, Vs>() && ...)> lock(store);
    [[maybe_unused]] std::size_t at = 0;
    (draft.build<Ts>(at++, std::forward<Vs>(from)), ...);
}

// A new row of values that are just bytes: no user code runs and nothing fails once there is room, so there is no
// draft.
template <class... Ts, class... Vs>
[[gnu::always_inline]] inline Entity spawn_bytes(Store& store, Table& table, Vs&&... from) {
    if constexpr ((is_sparse<Ts> || ...)) (prepare_new<Ts>(store, store.directory().next_entity().index()), ...);
    [[maybe_unused]] void* const cells[sizeof...(Ts) + 1] = {new_cell<Ts>(store, table, table.tail_rows())..., nullptr};
    [[maybe_unused]] std::size_t at = 0;
    (build_value<Ts>(store, cells[at++], std::forward<Vs>(from)), ...);
    const Entity entity = store.commit_spawn(table);
    (link_sparse<Ts>(store, entity), ...);
    if (table.reports() != 0) [[unlikely]]
        return store.notifier().spawned(entity, table);
    return entity;
}

// A new entity in `table`, which has room, when an id is ready.
template <class... Ts, class... Vs>
[[gnu::always_inline]] inline Entity spawn_in(Store& store, Table& table, Vs&&... from) {
    if constexpr ((builds_quietly<Ts, Vs>() && ...)) {
        return spawn_bytes<Ts...>(store, table, std::forward<Vs>(from)...);
    } else {
        RowPart parts[] = {new_part<Ts>(store, table)...};
        RowDraft draft(store, table, parts);
        build_parts<Ts...>(store, draft, std::forward<Vs>(from)...);
        return draft.commit_spawn<Ts...>();
    }
}

// Values that are passed in registers. One that is written to memory piece by piece, and read as a whole right away,
// makes the processor wait.
template <class T, class V>
inline constexpr bool is_passed_in_registers =
    std::is_same_v<std::remove_cvref_t<V>, T> && std::is_convertible_v<V, T> && is_trivial<T> && sizeof(T) <= 16;

template <class... Ts>
Entity spawn_from_registers(Store& store, Ts... values) {
    Table* table = store.ready_table(TypeListOf<Ts...>::list);
    if (table == nullptr) [[unlikely]]
        table = &store.prepare_spawn(TypeListOf<Ts...>::list);
    return spawn_in<Ts...>(store, *table, std::move(values)...);
}

// Requires: nothing that is held lies in the world, because growing may move it.
template <class... Ts, class... Vs>
[[gnu::noinline]] Entity prepare_and_spawn(Store& store, Vs&&... held) {
    return spawn_in<Ts...>(store, store.prepare_spawn(TypeListOf<Ts...>::list), std::forward<Vs>(held)...);
}

template <class... Ts, class... More, class... Vs>
Entity spawn_with(Store& store, Types<More...>, Vs&&... from);

template <class... Ts, class... Vs>
Entity spawn(Store& store, Vs&&... from) {
    static_assert(are_components<Ts...>());
    static_assert((is_value<Vs>() && ... && true));
    if constexpr (requires_more<Ts...>) {
        return spawn_with<Ts...>(store, RequiredBy<Ts...>{}, std::forward<Vs>(from)...);
    } else if constexpr ((is_passed_in_registers<Ts, Vs> && ...)) {
        return spawn_from_registers<Ts...>(store, std::forward<Vs>(from)...);
    } else {
        Table* table = store.ready_table(TypeListOf<Ts...>::list);
        if (table == nullptr) [[unlikely]]
            return prepare_and_spawn<Ts...>(store, taken<Vs>(store, std::forward<Vs>(from))...);
        return spawn_in<Ts...>(store, *table, std::forward<Vs>(from)...);
    }
}

// The same with required components.
template <class... Ts, class... More, class... Vs>
Entity spawn_with(Store& store, Types<More...>, Vs&&... from) {
    return spawn<Ts..., More...>(store, std::forward<Vs>(from)..., default_for<More>()...);
}

}  // namespace stoa::detail
