// The loops of the subject; see stoa_world.hpp. Called by the workloads.
#include "stoa_world.hpp"

#include "own_components.hpp"

namespace bench {

void StoaWorld::create_empty(std::span<Id> out) {
    for (Id& id : out) {
        id = world_.spawn();
    }
}

void StoaWorld::create2(std::span<Id> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = world_.spawn(position_at(i), velocity_at(i));
    }
}

void StoaWorld::count_arrivals() {
    world_.query<Position, Velocity>().on_enter([this](Id) { ++arrivals_; }).release();
}

void StoaWorld::sum_arrivals() {
    world_.query<Position, Velocity>()
        .on_enter([this](const Position& p, const Velocity&) {
            arrivals_ += static_cast<std::uint64_t>(static_cast<int>(p.x));
        })
        .release();
}

void StoaWorld::create2_fast(std::span<Id> out) {
    auto movers = world_.table<Position, Velocity>();
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = movers.spawn(position_at(i), velocity_at(i));
    }
}

void StoaWorld::create_half(std::span<Id> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = i % 2 == 1 ? world_.spawn(position_at(i), velocity_at(i)) : world_.spawn(position_at(i));
    }
}

void StoaWorld::create3(std::span<Id> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = world_.spawn(position_at(i), velocity_at(i), Acceleration{acceleration_x, acceleration_y});
    }
}

void StoaWorld::create_tagged(std::span<Id> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = i % 2 == 1 ? world_.spawn(position_at(i), velocity_at(i), Tag{})
                            : world_.spawn(position_at(i), velocity_at(i));
    }
}

void StoaWorld::create5(std::span<Id> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        const float v = as_float(i);
        out[i] = world_.spawn(A{v}, B{v}, C{v}, D{v}, E{v});
    }
}

void StoaWorld::bulk_create2(std::span<Id> out, std::span<const Position> positions,
                             std::span<const Velocity> velocities) {
    world_.spawn_columns(out, positions, velocities);
}

void StoaWorld::make_pattern() { pattern_.emplace(world_, position_at(7), velocity_at(7)); }

void StoaWorld::create_pattern(std::span<Id> out) {
    for (Id& id : out) {
        id = pattern_->spawn();
    }
}

void StoaWorld::create_pattern_at(std::span<Id> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = pattern_->spawn(position_at(i));
    }
}

void StoaWorld::bulk_create_pattern(std::span<Id> out) { pattern_->spawn_many(out); }

void StoaWorld::destroy(std::span<const Id> ids) {
    for (const Id id : ids) {
        world_.despawn(id);
    }
}

bool StoaWorld::alive(Id id) { return world_.alive(id); }

Position StoaWorld::position(Id id) { return world_.get<const Position>(id); }

float StoaWorld::sum_of_five(Id id) {
    return world_.get<const A>(id).v + world_.get<const B>(id).v + world_.get<const C>(id).v +
           world_.get<const D>(id).v + world_.get<const E>(id).v;
}

bool StoaWorld::has_acceleration(Id id) { return world_.has<Acceleration>(id); }

bool StoaWorld::has_drag(Id id) { return world_.has<Drag>(id); }

bool StoaWorld::has_sparse_acceleration(Id id) { return world_.has<SparseAcceleration>(id); }

bool StoaWorld::has_tag(Id id) { return world_.has<Tag>(id); }

bool StoaWorld::has_sparse_tag(Id id) { return world_.has<SparseTag>(id); }

std::uint64_t StoaWorld::sum_positions(std::span<const Id> ids) {
    std::uint64_t sum = 0;
    for (const Id id : ids) {
        sum += static_cast<std::uint64_t>(static_cast<int>(world_.get<const Position>(id).x));
    }
    return sum;
}

std::uint64_t StoaWorld::count_velocities(std::span<const Id> ids) {
    std::uint64_t sum = 0;
    for (const Id id : ids) {
        sum += world_.has<Velocity>(id) ? 1U : 0U;
    }
    return sum;
}

std::uint64_t StoaWorld::count_alive(std::span<const Id> ids) {
    std::uint64_t sum = 0;
    for (const Id id : ids) {
        sum += world_.alive(id) ? 1U : 0U;
    }
    return sum;
}

void StoaWorld::add_acceleration(std::span<const Id> ids) {
    for (const Id id : ids) {
        world_.set(id, Acceleration{acceleration_x, acceleration_y});
    }
}

void StoaWorld::remove_acceleration(std::span<const Id> ids) {
    for (const Id id : ids) {
        world_.remove<Acceleration>(id);
    }
}

void StoaWorld::replace_acceleration(std::span<const Id> ids) {
    for (const Id id : ids) {
        world_.replace<Acceleration>(id, Drag{acceleration_x, acceleration_y});
    }
}

void StoaWorld::replace_drag(std::span<const Id> ids) {
    for (const Id id : ids) {
        world_.replace<Drag>(id, Acceleration{acceleration_x, acceleration_y});
    }
}

void StoaWorld::add_sparse_acceleration(std::span<const Id> ids) {
    for (const Id id : ids) {
        world_.set(id, SparseAcceleration{acceleration_x, acceleration_y});
    }
}

void StoaWorld::remove_sparse_acceleration(std::span<const Id> ids) {
    for (const Id id : ids) {
        world_.remove<SparseAcceleration>(id);
    }
}

void StoaWorld::add_tag(std::span<const Id> ids) {
    for (const Id id : ids) {
        world_.add<Tag>(id);
    }
}

void StoaWorld::remove_tag(std::span<const Id> ids) {
    for (const Id id : ids) {
        world_.remove<Tag>(id);
    }
}

void StoaWorld::add_sparse_tag(std::span<const Id> ids) {
    for (const Id id : ids) {
        world_.add<SparseTag>(id);
    }
}

void StoaWorld::remove_sparse_tag(std::span<const Id> ids) {
    for (const Id id : ids) {
        world_.remove<SparseTag>(id);
    }
}

void StoaWorld::queue_remove_acceleration() {
    stoa::Commands& later = world_.commands();
    bool second = false;
    world_.query<const Acceleration>().each([&](stoa::Entity e, const Acceleration&) {
        if (second) later.remove<Acceleration>(e);
        second = !second;
    });
    world_.flush();
}

void StoaWorld::queue_destroy() {
    stoa::Commands& later = world_.commands();
    bool second = false;
    world_.query<const Position>().each([&](stoa::Entity e, const Position&) {
        if (second) later.despawn(e);
        second = !second;
    });
    world_.flush();
}

void StoaWorld::queue_create2(std::span<Id> out) {
    stoa::Commands& later = world_.commands();
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = later.spawn(position_at(i), velocity_at(i));
    }
    world_.flush();
}

void StoaWorld::use_types(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        add_own(world_, world_.spawn(), i);
    }
}

void StoaWorld::prepare_cycle(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        world_.spawn(A{as_float(i)});
    }
}

std::uint64_t StoaWorld::cycle() {
    auto parents = world_.table<A>();
    auto children = world_.table<B>();
    values_.clear();
    parents.each([&](const A& a) { values_.push_back(a.v); });
    for (const float value : values_) {
        children.spawn(B{value});
    }
    std::uint64_t sum = 0;
    gone_.clear();
    children.each([&](Id id, const B& b) {
        sum += static_cast<std::uint64_t>(static_cast<int>(b.v));
        gone_.push_back(id);
    });
    for (const Id id : gone_) {
        world_.despawn(id);
    }
    return sum;
}

}  // namespace bench
