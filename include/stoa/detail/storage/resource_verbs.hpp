// The typed calls over the resources of a store: they build values and hand out references. World is a thin front for
// them.
//
// A value that replaces another is built before the old one is touched, so a throw leaves the old one in place. User
// code runs under the structure lock, and may itself set and remove resources, so each step looks the value up again.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "stoa/detail/storage/emplace.hpp"
#include "stoa/detail/storage/resources.hpp"
#include "stoa/detail/storage/store.hpp"

namespace stoa::detail {

template <class R>
consteval bool is_resource() {
    static_assert(std::is_object_v<R> && !std::is_array_v<R> && std::is_same_v<R, std::remove_cv_t<R>>,
                  "a resource is a plain object type, without const, reference or array");
    static_assert(!std::is_abstract_v<R>,
                  "a resource is found by its own type, not by a base class; hold a pointer to the base in it");
    return true;
}

template <class... Rs>
consteval bool are_resources() {
    static_assert((is_resource<Rs>() && ... && true));
    static_assert(((count_of<Rs, Rs...> == 1) && ... && true), "a resource type is named twice in this call");
    return true;
}

// Throws Errc::missing_resource, Errc::world_gone.
[[noreturn]] STOA_API void fail_resource(const Store& store, ResourceHandle& slot);
[[noreturn]] STOA_API void fail_resource_lost(ResourceHandle& slot);

// Safe: the cell of a resource type holds null or a living value of that very type.
template <class R>
R* find_resource(const Store& store) {
    using Resource = std::remove_const_t<R>;
    static_assert(is_resource<Resource>());
    return object_at<R>(store.resources().find(resource_handle<Resource>));
}

// The same, and the value counts as written if R is not const.
template <class R>
R* hand_out_resource(const Store& store) {
    static_assert(is_resource<std::remove_const_t<R>>());
    if constexpr (std::is_const_v<R>) {
        return find_resource<R>(store);
    } else {
        // Safe: as in find_resource.
        return object_at<R>(store.resources().find_to_write(resource_handle<R>, store.clock().moment()));
    }
}

template <class R>
R& resource(const Store& store) {
    static_assert(is_resource<std::remove_const_t<R>>());
    R* found = hand_out_resource<R>(store);
    if (found == nullptr) [[unlikely]]
        fail_resource(store, resource_handle<std::remove_const_t<R>>);
    return *found;
}

// True when a present R is replaced by assignment, so that it keeps its address.
template <class R>
inline constexpr bool is_assigned = std::is_nothrow_move_assignable_v<R>;

// Small values are built on the stack first, so that replacing them needs no memory.
template <class R>
inline constexpr bool waits_on_stack = is_assigned<R> && std::is_move_constructible_v<R> && sizeof(R) <= 1024;

// False when there is no value to replace.
template <class R>
bool assign_resource(Store& store, R& value) {
    R* old = find_resource<R>(store);
    if (old == nullptr) return false;
    const Resources::Replacing replacing(store.resources(), store.resources().id_of(resource_handle<R>));
    *old = std::move(value);
    hand_out_resource<R>(store);
    return true;
}

template <class R, class... Args>
void build_resource(Store& store, const char* verb, Args&&... args) {
    Resources::Draft draft(store.resources(), resource_handle<R>, verb);
    R* value = build<R>(draft.place(), std::forward<Args>(args)...);
    if constexpr (is_assigned<R>) {
        if (assign_resource(store, *value)) {
            value->~R();
            return;
        }
    }
    draft.commit(value, store.clock().moment());
}

// Adds or replaces the resource.
template <class R, class... Args>
void put_resource(Store& store, const char* verb, Args&&... args) {
    static_assert(is_resource<R>());
    static_assert(
        std::is_constructible_v<R, Args...> || requires(Args&&... from) { R{std::forward<Args>(from)...}; },
        "the resource cannot be built from these arguments");
    require_world(store, verb);
    const Store::Lock lock(store);
    if constexpr (waits_on_stack<R>) {
        if (find_resource<R>(store) != nullptr) {
            R value = made_under_lock<R>(store, std::forward<Args>(args)...);
            if (!assign_resource(store, value)) build_resource<R>(store, verb, std::move(value));
            return;
        }
    }
    build_resource<R>(store, verb, std::forward<Args>(args)...);
}

// Checks an argument that becomes a resource: arrays and functions would become pointers.
template <class V>
consteval bool is_resource_value() {
    static_assert(!std::is_array_v<std::remove_reference_t<V>> && !std::is_function_v<std::remove_reference_t<V>>,
                  "a resource is a plain object type, without const, reference or array");
    return is_resource<std::decay_t<V>>();
}

template <class V>
void set_resource(Store& store, V&& value) {
    static_assert(is_resource_value<V>());
    static_assert(std::is_constructible_v<std::decay_t<V>, V>,
                  "a resource that can be neither moved nor copied is made with emplace_resource");
    put_resource<std::decay_t<V>>(store, "set_resource", std::forward<V>(value));
}

template <class R, class... Args>
R& emplace_resource(Store& store, Args&&... args) {
    put_resource<R>(store, "emplace_resource", std::forward<Args>(args)...);
    R* made = find_resource<R>(store);
    if (made == nullptr) [[unlikely]]
        fail_resource_lost(resource_handle<R>);
    return *made;
}

template <class R>
bool remove_resource(Store& store) {
    static_assert(is_resource<R>());
    if (find_resource<R>(store) == nullptr) return false;
    const Store::Lock lock(store);
    return store.resources().remove(resource_handle<R>);
}

}  // namespace stoa::detail
