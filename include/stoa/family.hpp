// setup() for several families at once. A family is a query that needs resources; it is active while all of them exist.
// Query::setup does the same for one family.
//
//     setup(drawn, moved, [](Painter& painter, const Clock& clock) { … });
#pragma once

#include "stoa/query.hpp"

namespace stoa {

namespace detail {

// Takes the families one after the other, and collects what they need.
template <class Needed, class F>
bool setup_all(const Store& store, Needed needed, F& f) {
    return call_with_needs(store, needed, f);
}
template <class Needed, class... Terms, class Next, class... Rest>
bool setup_all(const Store& store, Needed, const Query<Terms...>& family, Next& next, Rest&... rest) {
    using All = typename Joined<Needed, NeededBy<Terms...>>::type;
    return family.active() && setup_all(store, All{}, next, rest...);
}

}  // namespace detail

/// setup(family, families..., f)
/// Effects: calls f, the last argument, with a reference to each resource that the families before it need, in order,
/// if all of them are active.
/// Requires: all families belong to one world.
/// Returns: whether it called f.
/// Throws: Errc::world_gone, and what f throws.
template <class... Terms, class Next, class... Rest>
bool setup(const Query<Terms...>& first, Next&& next, Rest&&... rest) {
    return detail::setup_all(detail::QueryAccess::store(first), detail::Types<>{}, first, next, rest...);
}

}  // namespace stoa
