// Families: queries that need resources. setup() runs code only while all of them exist, and hands them out.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "stoa/query.hpp"

namespace stoa {

namespace detail {

// The resources that the terms need, in order.
template <class... Rs>
struct ResourceTypes {};

template <class Chosen, class... Terms>
struct NeededBy {
    using type = Chosen;
};
template <class... Chosen, class T, class... Terms>
struct NeededBy<ResourceTypes<Chosen...>, T, Terms...> : NeededBy<ResourceTypes<Chosen...>, Terms...> {};
template <class... Chosen, class... Rs, class... Terms>
struct NeededBy<ResourceTypes<Chosen...>, Needs<Rs...>, Terms...> : NeededBy<ResourceTypes<Chosen..., Rs...>, Terms...> {};

// The families before the callable, one after the other.
template <class... Rs, class F>
bool setup_all(const Store& store, ResourceTypes<Rs...>, F& f) {
    static_assert(std::is_invocable_v<F&, Rs&...>, "setup calls with a reference to each needed resource, in order");
    f(resource<Rs>(store)...);
    return true;
}
template <class... Rs, class... Terms, class Next, class... Rest>
bool setup_all(const Store& store, ResourceTypes<Rs...>, const Query<Terms...>& family, Next& next, Rest&... rest) {
    using All = typename NeededBy<ResourceTypes<Rs...>, Terms...>::type;
    return family.active() && setup_all(store, All{}, next, rest...);
}

}  // namespace detail

// Calls the last argument with a reference to each resource that the families before it need, in order, if all of them are
// active. Returns: whether it did.
template <class... Terms, class Next, class... Rest>
bool setup(const Query<Terms...>& first, Next&& next, Rest&&... rest) {
    return detail::setup_all(first.store(), detail::ResourceTypes<>{}, first, next, rest...);
}

template <class... Terms>
template <class F>
bool Query<Terms...>::setup(F&& f) const {
    return stoa::setup(*this, f);
}

}  // namespace stoa
