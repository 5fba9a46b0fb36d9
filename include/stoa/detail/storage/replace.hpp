// Replacing one component by another, in one move and one change for observers. Called by World, EntityRef and the bulk
// verbs of queries.
//
// A list of a replacement begins with the component that is removed; the others are added, or get a new value.
#pragma once

#include <cstring>
#include <span>
#include <type_traits>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/storage/edits.hpp"
#include "stoa/detail/storage/verbs.hpp"

namespace stoa::detail {

// The common case: both in tables, and the new value is just bytes; null for a tag. Returns: whether it was done; false
// if the entity is dead or lacks the first. Throws Errc::locked, Errc::capacity, std::bad_alloc: then nothing has
// changed; and what a callback throws.
STOA_API bool replace_bytes(Store& store, Entity entity, TypeList& list, const void* value);
// All other cases. The parts build the components of the list but the first. Throws also what building throws.
STOA_API bool replace_parts(Store& store, Entity entity, TypeList& list, std::span<RowPart> parts);

template <class A, class B>
consteval bool is_replacement() {
    static_assert(are_components<A, B>());
    static_assert(!is_listed<A, RequiredBy<B>>, "a component cannot be replaced by one that requires it");
    return true;
}

template <class A, class B>
inline constexpr bool replaces_bytes = !is_sparse<A> && put_in_rows<B>;

// The common case of two sparse components that are just bytes. False when there is more to it: nothing is done.
template <class A, class B>
bool replace_in_sets(Store& store, Entity entity, const B& value) {
    SparseSet* from = store.find_sparse<A>();
    if (from == nullptr || from->reports() || from->ends_values()) return false;
    const SparseSlot slot = from->slot_of(entity);
    if (slot == SparseSlot::none || !add_bytes_to_set(store, entity, value)) return false;
    store.sparse_sets().unlink(*from, entity, slot);
    return true;
}

// More: the components that B requires.
template <class A, class B, class... More>
bool replace_with(Store& store, Entity entity, B& held, Types<More...>) {
    RowPart parts[] = {RowPart::built_by(&move_value<B>, type_handle<B>, detail::address_of(held)),
                       RowPart::constructed(type_handle<More>)...};
    return replace_parts(store, entity, TypeListOf<A, B, More...>::list, parts);
}

// Requires: the value does not lie in the world, whose rows are about to move.
template <class A, class B>
bool replace(Store& store, Entity entity, B& held) {
    static_assert(is_replacement<A, B>());
    if constexpr (replaces_bytes<A, B>) {
        return replace_bytes(store, entity, TypeListOf<A, B>::list, is_tag<B> ? nullptr : detail::address_of(held));
    } else {
        if constexpr (is_sparse<A> && put_in_set<B>) {
            if (replace_in_sets<A>(store, entity, held)) [[likely]]
                return true;
        }
        if (requires_more<B> && has<B>(store, entity)) return replace_with<A>(store, entity, held, Types<>{});
        return replace_with<A>(store, entity, held, RequiredBy<B>{});
    }
}

}  // namespace stoa::detail
