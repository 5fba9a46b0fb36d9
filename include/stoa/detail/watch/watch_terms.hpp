// What a watch does for each term of its query: which writes count as changes, and which components are logged.
#pragma once

#include "stoa/detail/storage/keep_removed.hpp"
#include "stoa/detail/watch/watch_lists.hpp"
#include "stoa/query.hpp"

namespace stoa::detail {

template <class T, class... Terms>
void follow_component(Store& store, WatchLists& lists) {
    lists.follow(query_state(store, TermListOf<Terms..., Changed<T>>::list), !is_required<T, Terms...>);
}

// Lists the writes to what a term hands out.
template <class T, class... Terms>
void follow_term(Store& store, WatchLists& lists) {
    if constexpr (Term<T>::names_data) {
        if constexpr (!is_tag<typename Term<T>::Component>)
            follow_component<typename Term<T>::Component, Terms...>(store, lists);
    }
}

// Logs these components: their removed values stay readable until end_frame.
template <class... Ts>
void keep_removed(Store& store, Types<Ts...>) {
    if constexpr (sizeof...(Ts) != 0) keep_removed(store, TypeListOf<Ts...>::list);
}

}  // namespace stoa::detail
