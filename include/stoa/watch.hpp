// Watches: lists of the entities that began to match a query, ceased to, or changed in it since the last clear. Made by
// Query::watch and Query::watch_changes.
//
// What matched before watching began is not in `added`. What was added and removed in between is in both lists. Replacing a
// component is a change, not an addition; an addition is not a change, but a write after it is. Only writes to components that
// the query hands out count. An entity that left stays in the lists that it is in. Lists survive end_frame. While a query is
// watched for removal, and from then on, World::find_removed reads the last values of the components that it names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "stoa/detail/named_terms.hpp"
#include "stoa/detail/watch_lists.hpp"
#include "stoa/query.hpp"

namespace stoa {

enum class WatchFor : std::uint8_t { added = 1, removed = 2, changed = 4 };

constexpr WatchFor operator|(WatchFor a, WatchFor b) {
    return static_cast<WatchFor>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

namespace detail {

template <class T, class... Terms>
void follow_component(Store& store, WatchLists& lists) {
    lists.follow(query_state(store, TermListOf<Terms..., Changed<T>>::list), !(requires_component<T, Terms> || ...));
}

// Follows the writes to what a term hands out.
template <class T, class... Terms>
void follow_term(Store& store, WatchLists& lists) {
    if constexpr (Term<T>::names_data) {
        if constexpr (!is_tag<typename Term<T>::Component>) follow_component<typename Term<T>::Component, Terms...>(store, lists);
    }
}

// Removed values of the components that a term names as something to have stay readable until the end of the frame.
template <class T>
struct KeptTerm {
    static void keep(Store& store) {
        if constexpr (!std::is_void_v<typename Term<T>::Component>) store.keep_removed(TypeListOf<typename Term<T>::Component>::list);
    }
};
template <class... Ts>
struct KeptTerm<With<Ts...>> {
    static void keep(Store& store) { store.keep_removed(TypeListOf<Ts...>::list); }
};
template <class... Ts>
struct KeptTerm<AnyOf<Ts...>> : KeptTerm<With<Ts...>> {};

}  // namespace detail

// Can be moved, not copied: each watch has lists of its own. When its world is gone, the lists are empty.
template <class... Terms>
class [[nodiscard("the lists end when the watch is dropped: keep it")]] Watch {
  public:
    Watch() noexcept = default;  // of nothing

    // Since the last clear, in the order of what happened; each entity at most once. A span is valid until the next change of
    // the world or the next call here.
    std::span<const Entity> added() const { return list(detail::WatchLists::added); }
    std::span<const Entity> removed() const { return list(detail::WatchLists::removed); }
    // The same, in no particular order. Cost: O(what changed since the last call), and a look at each chunk.
    std::span<const Entity> changed() {
        if (detail::WatchLists* watched = lists()) watched->look();
        return list(detail::WatchLists::changed);
    }

    void clear() {
        if (detail::WatchLists* watched = lists()) watched->clear();
    }

    Watch(Watch&&) noexcept = default;
    Watch& operator=(Watch&&) noexcept = default;

    // For the library: another handle of the same lists.
    Watch shared() const { return Watch(*this); }

  private:
    template <class... Ts>
    friend class Query;

    Watch(const Watch&) noexcept = default;

    // `follow(lists)` names the states whose changes count.
    template <class Follow>
    Watch(detail::Store& store, detail::QueryState& state, WatchFor what, Follow&& follow) {
        const auto lists = static_cast<unsigned>(what);
        if ((lists & detail::WatchLists::removed) != 0) (detail::KeptTerm<Terms>::keep(store), ...);
        struct Owner {
            detail::WatchLists* made;
            ~Owner() { delete made; }
        } owner{new detail::WatchLists(store, lists)};
        if ((lists & detail::WatchLists::changed) != 0) follow(*owner.made);
        detail::WatchLists* made = std::exchange(owner.made, nullptr);
        hold_ = {store, state, made};
        made->begin();
    }

    detail::WatchLists* lists() const { return static_cast<detail::WatchLists*>(hold_.get()); }
    std::span<const Entity> list(detail::WatchLists::List which) const {
        const detail::WatchLists* watched = lists();
        return watched != nullptr ? watched->list_of(which) : std::span<const Entity>{};
    }

    detail::SharedObserver hold_;
};

template <class... Terms>
Watch<Terms...> Query<Terms...>::watch() const {
    return watch(WatchFor::added | WatchFor::removed | WatchFor::changed);
}

template <class... Terms>
Watch<Terms...> Query<Terms...>::watch(WatchFor what) const {
    static_assert(!tracks, "Changed and Added choose what a walk visits; a watch is about having components");
    detail::Store& store = living();
    return Watch<Terms...>(store, *state_, what, [&]([[maybe_unused]] detail::WatchLists& lists) {
        (detail::follow_term<Terms, Terms...>(store, lists), ...);
    });
}

template <class... Terms>
template <class... Ts>
Watch<Terms...> Query<Terms...>::watch_changes() const {
    static_assert(!tracks, "Changed and Added choose what a walk visits; a watch is about having components");
    static_assert(detail::are_components<Ts...>());
    static_assert((detail::is_named<Ts, Terms...> && ...), "watch_changes names components of its query");
    static_assert((!detail::is_tag<Ts> && ...), "a tag has no value that could change");
    detail::Store& store = living();
    return Watch<Terms...>(store, *state_, WatchFor::added | WatchFor::removed | WatchFor::changed, [&](detail::WatchLists& lists) {
        (detail::follow_component<Ts, Terms...>(store, lists), ...);
    });
}

}  // namespace stoa
