// Removing a component and keeping its value. Called by World and EntityRef.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include "stoa/detail/storage/verbs.hpp"

namespace stoa::detail {

// Whether observers or a log read the values of T that this entity loses.
template <class T>
bool reports_loss(const Store& store, Entity entity) {
    if constexpr (is_sparse<T>) {
        if (store.find_sparse<T>()->reports()) return true;
    }
    const EntityRow place = locate_for<T>(store, entity);
    return place && place.chunk->table().reports() != 0;
}

// Returns: the value, which the entity does not have any more; nothing if it had none. If moving it throws, it stays.
template <class T>
std::optional<T> take(Store& store, Entity entity) {
    static_assert(is_component<T>());
    static_assert(std::is_move_constructible_v<T>,
                  "take returns the value, so the component must be movable: use get and remove");
    // Looked up as const: a removal is no write.
    // Safe: the value is not const; it is only looked up as if it were.
    T* const value = const_cast<T*>(find<const T>(store, entity));
    if (value == nullptr) return std::nullopt;
    store.require_unlocked("take", component_type<T>.name());
    std::optional<T> taken;
    {
        [[maybe_unused]] const LockIf<!is_trivial<T>> lock(store);
        if constexpr (std::is_copy_constructible_v<T> && !is_trivial<T>) {
            // Observers and logs read the value in its place.
            if (reports_loss<T>(store, entity)) {
                taken.emplace(std::as_const(*value));
            } else {
                taken.emplace(std::move(*value));
            }
        } else {
            taken.emplace(std::move(*value));
        }
    }
    remove<T>(store, entity);
    return taken;
}

}  // namespace stoa::detail
