// What many workload bodies share: the ids of the entities that they work on and the common checksums; and the bodies
// that are timed at the usual sizes and in growing worlds. Included by the files of workloads.
#pragma once

#include "harness.hpp"
#include "trials.hpp"

#include <span>
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

template <class World>
struct Create2 : Body<World> {
    using Body<World>::Body;
    void run(World& world) { world.create2(this->ids); }
    std::uint64_t checksum(World& world) { return this->position_sum(world); }
};

template <class World>
struct DestroyInOrder : Body<World> {
    using Body<World>::Body;
    void prepare(World& world) { world.create2(this->ids); }
    void run(World& world) { world.destroy(this->ids); }
    std::uint64_t checksum(World& world) { return this->alive_sum(world); }
};

/// A loop over the ids that answers a number.
template <class World>
struct Access : Body<World> {
    using Body<World>::Body;
    std::uint64_t checksum(World&) { return sum; }

    std::uint64_t sum = 0;
};

template <class World>
struct GetAtRandom : Access<World> {
    using Access<World>::Access;
    void prepare(World& world) {
        world.create2(this->ids);
        shuffle(this->ids);
    }
    void run(World& world) {
        this->sum = world.sum_positions(this->ids);
        keep(this->sum);
    }
};

/// A walk over entities that `Create` made; one in `Share` of them matches.
template <class World, void (World::*Create)(std::span<typename World::Id>), void (World::*Walk)(),
          std::size_t Share = 1>
struct Iterate : Body<World> {
    using Body<World>::Body;
    std::size_t operations() const { return this->ids.size() / Share; }
    void prepare(World& world) { (world.*Create)(this->ids); }
    void run(World& world) { (world.*Walk)(); }
    std::uint64_t checksum(World& world) { return this->position_sum(world); }
};

template <class World>
using Iterate2 = Iterate<World, &World::create2, &World::iterate2>;

}  // namespace bench
