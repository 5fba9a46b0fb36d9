// Typed lookups in a store: has, find, get and find_removed. Called by World, EntityRef, queries and the verbs.
#pragma once

#include <cstdint>
#include <type_traits>

#include "stoa/detail/storage/column.hpp"
#include "stoa/detail/storage/keep_removed.hpp"
#include "stoa/detail/storage/store.hpp"

namespace stoa::detail {

// The row of an entity; a ghost counts when T is a cleanup component.
template <class T>
EntityRow locate_for(const Store& store, Entity entity) {
    EntityRow place = store.locate(entity);
    if constexpr (traits<T>.cleanup) {
        if (!place) place = store.locate_ghost(entity);
    }
    return place;
}

template <class T>
bool has(const Store& store, Entity entity) {
    static_assert(is_component<T>());
    if constexpr (is_sparse<T>) {
        const SparseSet* set = store.find_sparse<T>();
        return set != nullptr && set->contains(entity);
    } else {
        const EntityRow place = locate_for<T>(store, entity);
        return place && store.column_of<const T>(*place.chunk->columns).offset != ColumnAt::absent;
    }
}

// The value in a row. A T that is not const counts as changed.
template <class T>
T& value_in(const Store& store, const Chunk& chunk, ColumnAt at, std::uint32_t row) {
    if constexpr (!std::is_const_v<T>) chunk.stamp(at, row, store.tick());
    return value_at<std::remove_const_t<T>>(chunk.base, at.offset, row);
}

// The component, or null. A T that is not const counts as changed.
template <class T>
T* find(const Store& store, Entity entity) {
    using Component = std::remove_const_t<T>;
    static_assert(is_component<Component>());
    if constexpr (is_sparse<Component>) {
        SparseSet* set = store.find_sparse<Component>();
        const SparseSlot slot = set != nullptr ? set->slot_of(entity) : SparseSlot::none;
        if (slot == SparseSlot::none) return nullptr;
        if constexpr (!std::is_const_v<T>) set->stamp(slot, store.tick());
        if constexpr (is_tag<Component>) {
            return column<Component>(nullptr, 0);
        } else {
            return column<Component>(set->value<Component>(slot), 0);
        }
    } else {
        const EntityRow place = locate_for<Component>(store, entity);
        if (!place) return nullptr;
        const ColumnAt at = store.column_of<T>(*place.chunk->columns);
        if (at.offset == ColumnAt::absent) return nullptr;
        return detail::address_of(value_in<T>(store, *place.chunk, at, place.row()));
    }
}

template <class... Ts>
void keep_removed(Store& store) {
    static_assert(are_components<Ts...>());
    keep_removed(store, TypeListOf<Ts...>::list);
}

// The newest logged value that was removed from the entity, or null.
template <class T>
const T* find_removed(const Store& store, Entity entity) {
    using Component = std::remove_const_t<T>;
    static_assert(is_component<Component>());
    const void* found = find_removed(store, store.id_of<Component>(), entity);
    if (found == nullptr) return nullptr;
    // Safe: the value leaves this function as const.
    return column<Component>(static_cast<std::byte*>(const_cast<void*>(found)), 0);
}

// Declared inline, so that compilers inline it at -O2 too.
template <class T>
inline T& get(const Store& store, Entity entity, const char* verb = "get") {
    using Component = std::remove_const_t<T>;
    static_assert(is_component<Component>());
    if constexpr (is_sparse<Component>) {
        if (T* found = find<T>(store, entity)) [[likely]]
            return *found;
    } else if (const EntityRow place = locate_for<Component>(store, entity)) [[likely]] {
        const ColumnAt at = store.column_of<T>(*place.chunk->columns);
        if (at.offset != ColumnAt::absent) [[likely]]
            return value_in<T>(store, *place.chunk, at, place.row());
    }
    fail_lookup(store, verb, entity, type_handle<Component>);
}

template <class T>
T& get_unchecked(const Store& store, Entity entity) {
    using Component = std::remove_const_t<T>;
    static_assert(is_component<Component>());
    if constexpr (is_sparse<Component>) {
        return *find<T>(store, entity);
    } else {
        const Location location = store.directory().location(entity.index());
        const Chunk& chunk = store.chunks()[location.chunk()];
        const ColumnAt at = store.column_of<T>(*chunk.columns);
        return value_in<T>(store, chunk, at, location.row());
    }
}

}  // namespace stoa::detail
