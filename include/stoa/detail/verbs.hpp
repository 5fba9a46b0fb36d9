// The typed verbs over a Store: they name types, find places through the store, and build values there. World, EntityRef
// and TableRef are thin fronts for these functions.
//
// Order in every verb that adds: find room (may throw), build values (may throw, undone by Unwind), commit (never fails).
// Arguments may refer into the world itself; so where storage can move, values are first taken by value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "stoa/detail/build.hpp"
#include "stoa/detail/column.hpp"
#include "stoa/detail/lookup.hpp"
#include "stoa/detail/spawn.hpp"
#include "stoa/detail/store.hpp"

namespace stoa::detail {

// True when a present T is replaced by one that is built beside it, because moving over it could throw.
template <class T>
inline constexpr bool built_beside = is_sparse<T> && !is_tag<T> && !std::is_nothrow_move_constructible_v<T>;

// Ends the old value and moves the new one in, which cannot throw.
template <class T>
void replace(Store& store, Entity entity, T& with) {
    if constexpr (!is_tag<T>) {
        T* old = find<T>(store, entity);
        if constexpr (is_trivial<T>) {
            std::memcpy(static_cast<void*>(old), detail::address_of(with), sizeof(T));
        } else {
            // The old value ends when the new one is in its place: its destructor may look, and may even replace it again.
            const Store::Lock lock(store);
            const T ended(std::move(*old));
            if constexpr (std::is_nothrow_move_assignable_v<T>) {
                *old = std::move(with);
            } else {
                old->~T();
                ::new (static_cast<void*>(old)) T(std::move(with));
            }
        }
    }
}

// One value of a put(): where it is built, or a null cell when the component is present and is replaced in place or kept.
struct Part {
    void* cell = nullptr;
    SparseSet* set = nullptr;
    std::uint32_t old_slot = SparseSet::none;
};

template <class T, class V, bool Alone>
Part open_part(Store& store, Entity entity, const Edit& edit, const char* verb) {
    if constexpr (is_sparse<T>) {
        SparseSet& set = sparse_set_of<T>(store);
        const std::uint32_t old = set.slot_of(entity);
        if (old == SparseSet::none) {
            store.require_unlocked(verb, component_type<T>.name());
        } else if (!built_beside<T> || std::is_same_v<V, Default>) {
            return {nullptr, &set, old};
        }
        store.prepare_sparse(set, entity.index());
        return {free_slot<T>(set), &set, old};
    } else {
        if (edit.target == edit.source) return {};
        if (!Alone && edit.source->has(store.id_of<T>())) return {};
        return {new_cell<T>(store, *edit.target, edit.row)};
    }
}

// Tells that something will be added. Returns: whether there is.
STOA_API bool announce_put(Store& store, Entity entity, const Edit& edit, const Part* parts, std::size_t count, TypeList& list) noexcept;

// Makes a value that was built in a free sparse slot the entity's own. Returns: whether the entity had none.
template <class T>
bool settle(Store& store, Entity entity, const Part& part) {
    if constexpr (is_sparse<T>) {
        if (part.old_slot == SparseSet::none) {
            store.insert_sparse(*part.set, entity);
            return true;
        }
        part.set->replace(entity, part.old_slot, store.tick());
        if constexpr (!is_tag<T>) {
            const Store::Lock lock(store);
            column<T>(part.set->value<T>(part.old_slot), 0)->~T();
        }
        part.set->release(part.old_slot);
    }
    return false;
}

// Adds those of Ts that are missing, in one move. Present ones get the new value when they are given as values.
// Requires: the entity is alive at `place`. Returns: whether one was missing.
template <class... Ts, class... Vs>
bool put(Store& store, Entity entity, Place place, const char* verb, Vs&... from) {
    Table& table = place.chunk->table();
    Edit edit{&table, &table, nullptr, {}, 0};
    if constexpr ((!is_sparse<Ts> || ...)) edit = store.begin_add(place, TypeListOf<Ts...>::list, verb);
    constexpr bool alone = sizeof...(Ts) == 1;
    const Part parts[] = {open_part<Ts, Vs, alone>(store, entity, edit, verb)...};
    std::size_t at = 0;
    void* cells[sizeof...(Ts) + 1] = {};
    ((static_cast<void>(sizeof(Ts)), cells[at] = parts[at].cell, ++at), ...);
    build_values<Ts...>(store, cells, std::move(from)...);

    // Nothing fails from here on.
    bool added = edit.target != edit.source;
    bool watched = (edit.source->watched | edit.target->watched) != 0;
    if (watched) [[unlikely]] watched = announce_put(store, entity, edit, parts, sizeof...(Ts), TypeListOf<Ts...>::list);
    if (added) store.finish(entity, edit);
    at = 0;
    const auto settle_one = [&]<class T, class V>(V& value) {
        const Part& part = parts[at++];
        if (part.cell != nullptr) {
            added |= settle<T>(store, entity, part);
        } else if constexpr (!std::is_same_v<V, Default> && !built_beside<T>) {
            replace<T>(store, entity, value);
        }
    };
    (settle_one.template operator()<Ts>(from), ...);
    if (watched) [[unlikely]] store.changed();
    return added;
}

// Components that are just bytes in a table.
template <class... Ts>
inline constexpr bool put_in_rows = sizeof...(Ts) != 0 && ((!is_sparse<Ts> && is_trivial<Ts> && !traits<Ts>.pooled) && ...);

// One component that is just bytes in a table: the store does it all, and nothing is instantiated for the type.
template <class... Ts>
inline constexpr bool put_as_bytes = sizeof...(Ts) == 1 && put_in_rows<Ts...>;

template <class T>
Store::Outcome put_bytes(Store& store, Entity entity, const T& value, bool replace, const char* verb) {
    return store.put_bytes(entity, TypeListOf<T>::list, is_tag<T> ? nullptr : detail::address_of(value), replace, verb);
}

// The common case of adding one component that is just bytes in a sparse set. False when there is more to it: nothing is done.
template <class T>
bool add_to_set(Store& store, Entity entity, const T& value) {
    SparseSet* set = store.find_sparse<T>();
    if (set == nullptr) [[unlikely]] return false;
    const SparseSet::Vacancy at = store.vacancy(*set, entity);
    if (at.entry == nullptr) [[unlikely]] return false;
    if constexpr (!is_tag<T>) std::memcpy(set->value<T>(at.slot), detail::address_of(value), sizeof(T));
    store.insert_sparse(*set, at, entity);
    return true;
}

template <class... Ts>
inline constexpr bool put_in_set = sizeof...(Ts) == 1 && ((is_sparse<Ts> && is_trivial<Ts> && !traits<Ts>.pooled) && ...);

template <class... Ts>
bool add(Store& store, Entity entity) {
    static_assert(are_components<Ts...>());
    static_assert((is_default_built<Ts>() && ...));
    if constexpr (put_as_bytes<Ts...> && (std::is_nothrow_default_constructible_v<Ts> && ...)) {
        return put_bytes(store, entity, Ts()..., false, "add") == Store::Outcome::added;
    }
    if constexpr (put_in_set<Ts...> && (builds_trivially<Ts> && ...)) {
        if (add_to_set(store, entity, Ts()...)) [[likely]] return true;
    }
    const Place place = store.locate(entity);
    if (!place) return false;
    if constexpr (sizeof...(Ts) == 0) {
        return false;
    } else {
        Default value;
        return put<Ts...>(store, entity, place, "add", repeated<Ts>(value)...);
    }
}

// Requires: the values do not lie in the world, whose rows are about to move. Callers pass what `taken` gives them.
template <class T, class... Ts>
void set(Store& store, Entity entity, T&& first, Ts&&... rest) {
    static_assert(are_components<T, Ts...>());
    if constexpr (put_as_bytes<T, Ts...>) {
        if (put_bytes(store, entity, first, true, "set") != Store::Outcome::dead) [[likely]] return;
    } else {
        if constexpr (put_in_set<T, Ts...>) {
            if (add_to_set(store, entity, first)) [[likely]] return;
        }
        if (const Place place = store.locate(entity)) {
            put<T, Ts...>(store, entity, place, "set", first, rest...);
            return;
        }
    }
    store.fail_dead("set", entity, component_type<T>.name());
}

// For one of many: false when there is nothing but a ghost, which keeps what it has.
template <class... Ts>
bool set_living(Store& store, Entity entity, const Ts&... held) {
    if (!store.alive(entity)) return false;
    set<Ts...>(store, entity, taken<const Ts&>(store, held)...);
    return true;
}

// Members that are not named get their defaults, which is no oversight.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
template <class T, class... Args>
T made_under_lock(Store& store, Args&&... args) {
    [[maybe_unused]] const LockIf<!builds_trivially<T, Args...>> lock(store);
    if constexpr (std::is_constructible_v<T, Args...>) {
        return T(std::forward<Args>(args)...);
    } else {
        return T{std::forward<Args>(args)...};
    }
}
#pragma GCC diagnostic pop

template <class T, class... Args>
consteval bool is_made_from() {
    static_assert(std::is_constructible_v<T, Args...> || requires(Args&&... args) { T{std::forward<Args>(args)...}; },
                  "the component cannot be built from these arguments");
    return true;
}

template <class T, class... Args>
T& emplace(Store& store, Entity entity, Args&&... args) {
    static_assert(is_component<T>());
    static_assert(is_made_from<T, Args...>());
    const Place place = store.locate(entity);
    if (!place) [[unlikely]] store.fail_dead("emplace", entity, component_type<T>.name());
    bool added = false;
    if constexpr (is_sparse<T> && !std::is_nothrow_move_constructible_v<T>) {
        // Built where it will stay; an old value ends afterwards, at another address.
        const Part part = open_part<T, T, true>(store, entity, {}, "emplace");
        {
            const Store::Lock lock(store);
            build<T>(part.cell, std::forward<Args>(args)...);
        }
        const Table& table = place.chunk->table();
        const bool watched = table.watched != 0 && part.old_slot == SparseSet::none;
        if (watched) [[unlikely]] store.changing({entity, &table, &table, Change::Sparse::add, &TypeListOf<T>::list});
        added = settle<T>(store, entity, part);
        if (watched) [[unlikely]] store.changed();
    } else {
        T value = made_under_lock<T>(store, std::forward<Args>(args)...);
        added = put<T>(store, entity, place, "emplace", value);
    }
    // An addition is stamped already; stamped again it would look like a later write.
    if (added) return const_cast<T&>(get<const T>(store, entity, "emplace"));
    return get<T>(store, entity, "emplace");
}

// A sparse component alone touches no row, so this is all of its removal.
template <class T>
bool remove_sparse(Store& store, Entity entity) {
    SparseSet* set = store.find_sparse<T>();
    const std::uint32_t slot = set != nullptr ? set->slot_of(entity) : SparseSet::none;
    if (slot == SparseSet::none) return false;
    if (set->watched()) [[unlikely]] return store.remove(entity, TypeListOf<T>::list);
    store.require_unlocked("remove", component_type<T>.name());
    store.unlink_sparse(*set, entity, slot);
    if constexpr (!is_tag<T> && (!std::is_trivially_destructible_v<T> || traits<T>.pooled)) store.end_unlinked(*set, slot);
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
