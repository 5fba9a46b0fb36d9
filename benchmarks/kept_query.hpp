// A query that is made at its first use and then kept: what a user does who walks more than once. Worlds that are never
// walked have no query, so that other workloads do not pay for one. Held by the subjects.
#pragma once

#include <stoa/stoa.hpp>

#include <optional>

namespace bench {

template <class... Terms>
class KeptQuery {
  public:
    const stoa::Query<Terms...>& in(stoa::World& world) {
        if (!query_) {
            query_.emplace(world.query<Terms...>());
        }
        return *query_;
    }

  private:
    std::optional<stoa::Query<Terms...>> query_;
};

}  // namespace bench
