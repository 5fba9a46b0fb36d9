// What a query does to all of its matches. Whole tables change hands at once where all of their rows match and values are just
// bytes; else the matches are collected, and changed entity by entity.
#pragma once

#include "stoa/query.hpp"

namespace stoa {

template <class... Terms>
template <class Change>
std::size_t Query<Terms...>::with_tables(Change&& change) const {
    detail::Store& store = living();
    const auto listed = is_active() ? state_->tables() : std::span<detail::Table* const>{};
    // A copy, since the list may change meanwhile. A few tables need no memory: steady work takes none.
    constexpr std::size_t few = 16;
    detail::Table* some[few];
    std::vector<detail::Table*> all;
    std::span<detail::Table*> tables(some, listed.size() <= few ? listed.size() : 0);
    if (listed.size() > few) {
        all.resize(listed.size());
        tables = all;
    }
    for (std::size_t i = 0; i < listed.size(); ++i) tables[i] = listed[i];
    return static_cast<std::size_t>(change(store, std::span<detail::Table* const>(tables)));
}

template <class... Terms>
template <class... Ts>
std::size_t Query<Terms...>::put_all(bool replace, const char* verb, const Ts&... values) const {
    static_assert(detail::are_components<Ts...>());
    const void* const bytes[] = {detail::address_of(values)...};
    return with_tables([&](detail::Store& store, auto tables) {
        return store.put_rows(tables, detail::TypeListOf<Ts...>::list, bytes, replace, verb);
    });
}

template <class... Terms>
template <class... Ts>
std::size_t Query<Terms...>::set_each(const Ts&... held) const {
    return change_all("set_all", [&](detail::Store& store, Entity entity) {
        return detail::set_living<Ts...>(store, entity, held...);
    });
}

template <class... Terms>
template <class Change>
std::size_t Query<Terms...>::change_all(const char* verb, Change&& change) const {
    detail::Store& store = living();
    store.require_unlocked(verb);
    std::vector<Entity> matches;
    detail::Sieve sieve;
    for (detail::Walk walk = look(is_active() ? detail::Order::tables : detail::Order::none, sieve); walk.next();) append(walk.rows(), matches);
    std::size_t changed = 0;
    for (const Entity entity : matches) changed += change(store, entity);
    return changed;
}

template <class... Terms>
std::size_t Query<Terms...>::despawn_all() const {
    if (state_->is_plain()) return with_tables([](detail::Store& store, auto tables) { return store.despawn_rows(tables); });
    return change_all("despawn_all", [](detail::Store& store, Entity entity) { return store.despawn(entity); });
}

template <class... Terms>
template <class... Ts>
std::size_t Query<Terms...>::add_all() const {
    if constexpr (detail::put_in_rows<Ts...> && (std::is_nothrow_default_constructible_v<Ts> && ...)) {
        if (state_->is_plain()) return put_all<Ts...>(false, "add_all", Ts()...);
    }
    return change_all("add_all", [](detail::Store& store, Entity entity) { return detail::add<Ts...>(store, entity); });
}

template <class... Terms>
template <class... Ts>
std::size_t Query<Terms...>::set_all(const Ts&... values) const {
    static_assert((std::is_copy_constructible_v<Ts> && ...), "set_all copies its values, so they must be copyable");
    static_assert(detail::are_components<Ts...>());
    if constexpr (detail::put_in_rows<Ts...>) {
        if (state_->is_plain()) return put_all<Ts...>(true, "set_all", Ts(values)...);
    }
    return set_each<Ts...>(detail::taken<const Ts&>(living(), values)...);
}

template <class... Terms>
template <class... Ts>
std::size_t Query<Terms...>::remove_all() const {
    static_assert(detail::are_components<Ts...>());
    if constexpr ((!detail::is_sparse<Ts> && ...)) {
        if (state_->is_plain()) {
            return with_tables([](detail::Store& store, auto tables) { return store.remove_rows(tables, detail::TypeListOf<Ts...>::list); });
        }
    }
    return change_all("remove_all", [](detail::Store& store, Entity entity) { return detail::remove<Ts...>(store, entity); });
}

}  // namespace stoa
