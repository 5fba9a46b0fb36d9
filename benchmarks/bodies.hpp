// What many workload bodies share: the ids of the entities that they work on and the common checksums. Included by
// the files of workloads.
#pragma once

#include "harness.hpp"
#include "trials.hpp"

#include <vector>

namespace bench {

template <class World>
struct Body {
    using Id = typename World::Id;

    explicit Body(std::size_t n) : ids(n) {}

    std::size_t operations() const { return ids.size(); }
    void prepare(World&) {}

    std::uint64_t position_sum(World& world) const {
        std::uint64_t sum = 0;
        for (const Id id : ids) {
            const Position p = world.position(id);
            sum = fold(sum, p.x, p.y);
        }
        return sum;
    }

    std::uint64_t alive_sum(World& world) const {
        std::uint64_t sum = 0;
        for (const Id id : ids) {
            sum = fold(sum, world.alive(id) ? 1U : 0U);
        }
        return sum;
    }

    std::vector<Id> ids;
};

}  // namespace bench
