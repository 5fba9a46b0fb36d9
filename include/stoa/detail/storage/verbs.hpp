// The typed verbs over a Store: they name types, find places through the store, and build values there. World,
// EntityRef and TableRef are thin fronts for these functions.
//
// Every verb that adds goes through a RowDraft, or through a shortcut for values that are just bytes. Arguments may
// refer into the world itself; so where storage can move, values are first taken by value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "stoa/detail/storage/build.hpp"
#include "stoa/detail/storage/column.hpp"
#include "stoa/detail/storage/lookup.hpp"
#include "stoa/detail/storage/row_draft.hpp"
#include "stoa/detail/storage/spawn.hpp"
#include "stoa/detail/storage/store.hpp"

namespace stoa::detail {

// Ends the old value and moves the new one in, which cannot throw.
template <class T>
void overwrite(Store& store, Entity entity, T& with) {
    if constexpr (!is_tag<T>) {
        T* old = find<T>(store, entity);
        if constexpr (is_trivial<T>) {
            std::memcpy(static_cast<void*>(old), detail::address_of(with), sizeof(T));
        } else {
            // The old value ends when the new one is in its place: its destructor may look, and may even replace it
            // again.
            const Store::Lock lock(store);
            const T ended(std::move(*old));
            if constexpr (std::is_nothrow_move_assignable_v<T>) {
                *old = std::move(with);
            } else {
                old->~T();
                build<T>(old, std::move(with));
            }
        }
    }
}

// The part of component T of a put, with its place; V says whether there is a value that overwrites. Alone: of one
// component.
template <class T, class V, bool Alone>
[[gnu::always_inline]] inline RowPart open_part(Store& store, Entity entity, const Edit& edit, const char* verb) {
    constexpr bool has_value = overwrites<V> && !is_tag<T>;
    using Place = RowPart::Place;
    RowPart part{};
    part.source = RowPart::Source::caller;
    part.type = &component_type<T>;
    if constexpr (is_sparse<T>) {
        part.set = &sparse_set_of<T>(store);
        part.old_slot = part.set->slot_of(entity);
        if (part.old_slot == SparseSlot::none) {
            store.require_unlocked(verb, component_type<T>.name());
            part.place = Place::slot;
        } else {
            part.place = !has_value ? Place::none : component_type<T>.relocatable ? Place::in_place : Place::beside;
            if (part.place != Place::beside) return part;
        }
        store.sparse_sets().prepare(*part.set, entity.index());
        part.cell = next_cell<T>(*part.set);
    } else {
        if (edit.migration == nullptr || (!Alone && edit.source->has(store.id_of<T>()))) {
            part.place = has_value ? Place::in_place : Place::none;
        } else {
            part.place = Place::row;
            part.cell = new_cell<T>(store, *edit.target, edit.row);
        }
    }
    return part;
}

// Where a put begins: the row that it moves to, if it adds a component in a table.
template <class... Ts>
Edit begin_put(Store& store, EntityRow place, const char* verb) {
    if constexpr ((!is_sparse<Ts> || ...)) {
        return store.begin_add(place, TypeListOf<Ts...>::list, verb);
    } else {
        Table& table = place.chunk->table();
        return {&table, &table, nullptr, place.at, 0};
    }
}

// Whether the entity lacks one of Ts that requires others.
template <class... Ts>
bool lacks_requirer(const Store& store, Entity entity) {
    const auto lacks = [&]<class T>() {
        if constexpr (NamesRequired<T>) return !has<T>(store, entity);
        return false;
    };
    return (lacks.template operator()<Ts>() || ...);
}

template <class... Ts, class... More, class... Vs>
bool put_with(Store& store, Entity entity, EntityRow place, const char* verb, Types<More...>, Vs&... from);

// Adds those of Ts that are missing, in one move. Present ones get the new value when they are given as values.
// Requires: the entity is alive at `place`. Returns: whether one was missing.
template <class... Ts, class... Vs>
bool put(Store& store, Entity entity, EntityRow place, const char* verb, Vs&... from) {
    if constexpr (requires_more<Ts...>) {
        if (lacks_requirer<Ts...>(store, entity))
            return put_with<Ts...>(store, entity, place, verb, RequiredBy<Ts...>{}, from...);
    }
    const Edit edit = begin_put<Ts...>(store, place, verb);
    RowPart parts[] = {open_part<Ts, Vs, sizeof...(Ts) == 1>(store, entity, edit, verb)...};
    bool adds = edit.migration != nullptr;
    std::size_t at = 0;
    ((adds |= is_sparse<Ts> && parts[at].place == RowPart::Place::slot, ++at), ...);
    RowDraft draft(store, entity, edit, TypeListOf<Ts...>::list, parts, adds);
    build_parts<Ts...>(store, draft, std::move(from)...);
    const auto overwrite_one = [&]<class T, class V>(const RowPart& part, V& value) {
        if constexpr (overwrites<V> && component_type<T>.relocatable) {
            if (part.place == RowPart::Place::in_place) overwrite<T>(store, entity, value);
        }
    };
    // NOLINTNEXTLINE(bugprone-use-after-move): only values that have a cell have been moved; these have none.
    return draft.commit_edit<Ts...>([&] {
        at = 0;
        (overwrite_one.template operator()<Ts>(parts[at++], from), ...);
    });
}

// The same with required components.
template <class... Ts, class... More, class... Vs>
bool put_with(Store& store, Entity entity, EntityRow place, const char* verb, Types<More...>, Vs&... from) {
    Default value;
    return put<Ts..., More...>(store, entity, place, verb, from..., repeated<More>(value)...);
}

// Components that are just bytes in a table, and require no others.
template <class... Ts>
inline constexpr bool put_in_rows =
    sizeof...(Ts) != 0 && ((!is_sparse<Ts> && is_trivial<Ts> && !traits<Ts>.pooled) && ...) && !requires_more<Ts...>;

// One component that is just bytes in a table: the store does it all, and nothing is instantiated for the type.
template <class... Ts>
inline constexpr bool put_as_bytes = sizeof...(Ts) == 1 && put_in_rows<Ts...>;

template <class T>
Store::Outcome put_bytes(Store& store, Entity entity, const T& value, bool replace, const char* verb) {
    return store.put_bytes(entity, TypeListOf<T>::list, is_tag<T> ? nullptr : detail::address_of(value), replace, verb);
}

// Where the component of a living entity goes that does not have it, if the structure is unlocked and the set has room.
inline SparseSet::Vacancy vacancy(const Store& store, const SparseSet& set, Entity entity) {
    if (store.locked() || !store.alive(entity)) [[unlikely]]
        return {};
    return set.vacancy(entity.index());
}

// The common case of adding one component that is just bytes in a sparse set. False when there is more to it: nothing
// is done.
template <class T>
bool add_bytes_to_set(Store& store, Entity entity, const T& value) {
    SparseSet* set = store.find_sparse<T>();
    if (set == nullptr) [[unlikely]]
        return false;
    const SparseSet::Vacancy at = vacancy(store, *set, entity);
    if (at.entry == nullptr) [[unlikely]]
        return false;
    if constexpr (!is_tag<T>) std::memcpy(set->value<T>(at.slot), detail::address_of(value), sizeof(T));
    store.sparse_sets().insert(*set, at, entity, store.tick());
    return true;
}

template <class... Ts>
inline constexpr bool put_in_set =
    sizeof...(Ts) == 1 && ((is_sparse<Ts> && is_trivial<Ts> && !traits<Ts>.pooled) && ...) && !requires_more<Ts...>;

template <class... Ts>
bool add(Store& store, Entity entity) {
    static_assert(are_components<Ts...>());
    static_assert((is_default_built<Ts>() && ...));
    if constexpr (put_as_bytes<Ts...> && (std::is_nothrow_default_constructible_v<Ts> && ...)) {
        return put_bytes(store, entity, Ts()..., false, "add") == Store::Outcome::added;
    }
    if constexpr (put_in_set<Ts...> && (builds_trivially<Ts> && ...)) {
        if (add_bytes_to_set(store, entity, Ts()...)) [[likely]]
            return true;
    }
    const EntityRow place = store.locate(entity);
    if (!place) return false;
    if constexpr (sizeof...(Ts) == 0) {
        return false;
    } else {
        Default value;
        return put<Ts...>(store, entity, place, "add", repeated<Ts>(value)...);
    }
}

// Adds the values of components that are missing; the others stay. Requires: as set.
template <class T, class... Ts>
bool add_values(Store& store, Entity entity, T&& first, Ts&&... rest) {
    static_assert(are_components<T, Ts...>());
    if constexpr (put_as_bytes<T, Ts...>) return put_bytes(store, entity, first, false, "add") == Store::Outcome::added;
    if constexpr (put_in_set<T, Ts...>) {
        if (add_bytes_to_set(store, entity, first)) [[likely]]
            return true;
    }
    const EntityRow place = store.locate(entity);
    if (!place) return false;
    const auto put_missing = [&](auto... values) { return put<T, Ts...>(store, entity, place, "add", values...); };
    return put_missing(IfMissing<T>{first}, IfMissing<Ts>{rest}...);
}

// Requires: the values do not lie in the world, whose rows are about to move. Callers pass what `taken` gives them.
template <class T, class... Ts>
void set(Store& store, Entity entity, T&& first, Ts&&... rest) {
    static_assert(are_components<T, Ts...>());
    if constexpr (put_as_bytes<T, Ts...>) {
        if (put_bytes(store, entity, first, true, "set") != Store::Outcome::dead) [[likely]]
            return;
    } else {
        if constexpr (put_in_set<T, Ts...>) {
            if (add_bytes_to_set(store, entity, first)) [[likely]]
                return;
        }
        if (const EntityRow place = store.locate(entity)) {
            put<T, Ts...>(store, entity, place, "set", first, rest...);
            return;
        }
    }
    fail_dead(store, "set", entity, component_type<T>.name());
}

// For one of many: false when there is nothing but a ghost, which keeps what it has.
template <class... Ts>
bool set_living(Store& store, Entity entity, const Ts&... held) {
    if (!store.alive(entity)) return false;
    set<Ts...>(store, entity, taken<const Ts&>(store, held)...);
    return true;
}

// A sparse component alone touches no row, so this is all of its removal.
template <class T>
bool remove_sparse(Store& store, Entity entity) {
    SparseSet* set = store.find_sparse<T>();
    const SparseSlot slot = set != nullptr ? set->slot_of(entity) : SparseSlot::none;
    if (slot == SparseSlot::none) return false;
    if (set->reports()) [[unlikely]]
        return store.remove(entity, TypeListOf<T>::list);
    store.require_unlocked("remove", component_type<T>.name());
    store.sparse_sets().unlink(*set, entity, slot);
    if constexpr (!is_tag<T> && (!std::is_trivially_destructible_v<T> || traits<T>.pooled))
        store.sparse_sets().end_unlinked(*set, entity, slot);
    return true;
}

template <class... Ts>
bool remove(Store& store, Entity entity) {
    static_assert(are_components<Ts...>());
    // A cleanup component may be the last thing that keeps a ghost, which the store has to look after.
    if constexpr (sizeof...(Ts) == 1 && ((is_sparse<Ts> && !traits<Ts>.cleanup) && ...)) {
        return (remove_sparse<Ts>(store, entity), ...);
    } else {
        return store.remove(entity, TypeListOf<Ts...>::list);
    }
}

}  // namespace stoa::detail
