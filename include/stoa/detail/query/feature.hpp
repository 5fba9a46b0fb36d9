// Calls of Query that a header of a later room implements. The header specialises one of these structs for
// Query<Terms...>; without it, a static_assert in the call names the missing header. Filtered has the same calls,
// except `where`, and passes itself as the query.
#pragma once

#include "stoa/detail/query/query_state.hpp"
#include "stoa/detail/query/value_filter.hpp"

namespace stoa::detail {

template <class Query>
inline constexpr bool is_header_included = false;

template <class Query>
struct WhereCalls {
    static_assert(is_header_included<Query>, "Query::where is in another header: include <stoa/where.hpp>");
};
template <class Query>
struct SignalCalls {
    static_assert(is_header_included<Query>,
                  "Query::on_enter, on_leave, on_activate and on_deactivate are in another header: include "
                  "<stoa/subscription.hpp>");
};
template <class Query>
struct WatchCalls {
    static_assert(is_header_included<Query>,
                  "Query::watch and watch_changes are in another header: include <stoa/watch.hpp>");
};
template <class Query>
struct CacheCalls {
    static_assert(is_header_included<Query>, "Query::cache is in another header: include <stoa/cache.hpp>");
};

// Gives those headers, and the schedule, access to the parts of a query. See QuerySource.
struct QueryAccess {
    template <class Query>
    static const auto& source(const Query& query) {
        return query.source_;
    }
    // Throws Errc::world_gone.
    template <class Query>
    static Store& store(const Query& query) {
        return query.source_.require_store();
    }
    template <class Query>
    static QueryState& state(const Query& query) {
        return query.source_.state();
    }
    // The filter of a filtered query, for one observer; null for a query. Throws std::bad_alloc, Errc::world_gone.
    template <class Query>
    static Ref<ValueFilter> value_filter(const Query& query) {
        if constexpr (has_filter<Query>) {
            return query.source_.make_value_filter();
        } else {
            return nullptr;
        }
    }
    template <class Query>
    static constexpr bool has_filter = requires(const Query& query) { query.source_.make_value_filter(); };
    // Throws std::bad_alloc, Errc::world_gone.
    template <class Query>
    static Query make(Store& store) {
        return Query(store);
    }
};

}  // namespace stoa::detail
