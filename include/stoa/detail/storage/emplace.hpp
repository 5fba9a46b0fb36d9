// Components made from arguments: emplace and get_or_emplace. Called by World and EntityRef.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "stoa/detail/storage/verbs.hpp"

namespace stoa::detail {

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
    static_assert(
        std::is_constructible_v<T, Args...> || requires(Args&&... args) { T{std::forward<Args>(args)...}; },
        "the component cannot be built from these arguments");
    return true;
}

// Builds a T where it will stay, and the components that come with it; an old value ends afterwards, at another
// address. Returns: whether there was none.
template <class T, class... More, class... Args>
bool put_in_slot(Store& store, Entity entity, EntityRow place, const char* verb, Types<More...>, Args&&... args) {
    const Edit edit = begin_put<T, More...>(store, place, verb);
    RowPart parts[] = {open_part<T, T, true>(store, entity, edit, verb),
                       open_part<More, Default, false>(store, entity, edit, verb)...};
    const bool added = parts[0].place == RowPart::Place::slot;
    RowDraft draft(store, entity, edit, TypeListOf<T, More...>::list, parts, added);
    {
        const Store::Lock lock(store);
        build<T>(draft.cell(0), std::forward<Args>(args)...);
        parts[0].built = true;
        [[maybe_unused]] std::size_t at = 1;
        (draft.build<More>(at++, Default{}), ...);
    }
    draft.commit_edit<T, More...>([] {});
    return added;
}

template <class T, class... Args>
T& emplace_for(Store& store, Entity entity, const char* verb, Args&&... args) {
    static_assert(is_component<T>());
    static_assert(is_made_from<T, Args...>());
    const EntityRow place = store.locate(entity);
    if (!place) [[unlikely]]
        fail_dead(store, verb, entity, component_type<T>.name());
    bool added = false;
    if constexpr (is_sparse<T> && !std::is_nothrow_move_constructible_v<T>) {
        if (lacks_requirer<T>(store, entity)) {
            added = put_in_slot<T>(store, entity, place, verb, RequiredBy<T>{}, std::forward<Args>(args)...);
        } else {
            added = put_in_slot<T>(store, entity, place, verb, Types<>{}, std::forward<Args>(args)...);
        }
    } else {
        T value = made_under_lock<T>(store, std::forward<Args>(args)...);
        added = put<T>(store, entity, place, verb, value);
    }
    // An addition is stamped already; stamped again it would look like a later write.
    // Safe: the value is not const; it is only looked up as if it were.
    if (added) return const_cast<T&>(get<const T>(store, entity, verb));
    return get<T>(store, entity, verb);
}

template <class T, class... Args>
T& emplace(Store& store, Entity entity, Args&&... args) {
    return emplace_for<T>(store, entity, "emplace", std::forward<Args>(args)...);
}

template <class T, class... Args>
T& get_or_emplace(Store& store, Entity entity, Args&&... args) {
    static_assert(is_component<T>());
    static_assert(is_made_from<T, Args...>());
    // A ghost has cleanup components, but it is dead.
    if (store.alive(entity)) [[likely]] {
        if (T* present = find<T>(store, entity)) return *present;
    }
    return emplace_for<T>(store, entity, "get_or_emplace", std::forward<Args>(args)...);
}

}  // namespace stoa::detail
