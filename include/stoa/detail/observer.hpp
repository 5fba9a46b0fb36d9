// Those who want to hear at once when an entity begins or ceases to match a query. Signals, watches and caches derive from
// this; the index of queries calls them.
//
// Life: whoever made an observer retires it. The index deletes it, or the maker's handle does when the world is gone; an
// observer that is retired while it is being called ends after the call.
#pragma once

#include <cstdint>

#include "stoa/detail/query_state.hpp"

namespace stoa::detail {

class STOA_API Observer {
  public:
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    virtual ~Observer() = default;

    // The entity matches, and its components are readable. The structure is locked.
    virtual void entered(Entity) {}
    // It is about to cease to match, and still does.
    virtual void left(Entity) {}
    // All resources that the query needs have come; or one of them is about to go.
    virtual void activated() {}
    virtual void deactivated() {}
};

// Calls the observer from now on, after those that are there already. Throws std::bad_alloc.
STOA_API void observe(Store& store, QueryState& state, Observer& observer);

// Never calls it again, and deletes it.
STOA_API void retire(Store& store, QueryState& state, Observer* observer) noexcept;

}  // namespace stoa::detail
