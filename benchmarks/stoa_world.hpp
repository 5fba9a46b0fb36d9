// The subject: the loops of RawWorld, written with Stoa's public API as a user would write them. The workloads call
// both.
#pragma once

#include "components.hpp"
#include "kept_query.hpp"

#include <stoa/stoa.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace bench {

class StoaWorld {
  public:
    using Id = stoa::Entity;

    std::size_t bytes_held() const { return world_.stats().bytes_reserved; }

    // Creation: entity i gets position_at(i) and velocity_at(i), or i in each of A to E; out[i] is its id.
    void create_empty(std::span<Id> out);
    void create2(std::span<Id> out);        // world.spawn
    void create2_fast(std::span<Id> out);   // through a table handle
    void create_half(std::span<Id> out);    // a Velocity for odd i only
    void create3(std::span<Id> out);        // an Acceleration too
    void create_tagged(std::span<Id> out);  // Position and Velocity for all, a Tag for odd i
    void create2_told(std::span<Id> out) {
        create2(out);
    }  // a signal, as subscribed by one of the following, is called
    void count_arrivals();
    void sum_arrivals();  // of positions
    std::uint64_t arrivals() const { return arrivals_; }
    void create5(std::span<Id> out);
    void bulk_create2(std::span<Id> out, std::span<const Position> positions, std::span<const Velocity> velocities);
    void make_pattern();  // the prefab that the following spawn
    void create_pattern(std::span<Id> out);
    void create_pattern_at(std::span<Id> out);  // with a position of its own for each
    void bulk_create_pattern(std::span<Id> out);
    void destroy(std::span<const Id> ids);

    // Questions about one entity, for the checksums.
    bool alive(Id id);
    Position position(Id id);
    float sum_of_five(Id id);
    bool has_acceleration(Id id);
    bool has_drag(Id id);
    bool has_sparse_acceleration(Id id);
    bool has_tag(Id id);
    bool has_sparse_tag(Id id);

    // Access in the order of the ids.
    std::uint64_t sum_positions(std::span<const Id> ids);
    std::uint64_t count_velocities(std::span<const Id> ids);
    std::uint64_t count_alive(std::span<const Id> ids);

    // Structure: entities have Position and Velocity.
    void add_acceleration(std::span<const Id> ids);
    void remove_acceleration(std::span<const Id> ids);
    void replace_acceleration(std::span<const Id> ids);  // by a Drag
    void replace_drag(std::span<const Id> ids);          // by an Acceleration
    void add_sparse_acceleration(std::span<const Id> ids);
    void remove_sparse_acceleration(std::span<const Id> ids);
    void add_tag(std::span<const Id> ids);
    void remove_tag(std::span<const Id> ids);
    void add_sparse_tag(std::span<const Id> ids);
    void remove_sparse_tag(std::span<const Id> ids);

    // Recorded edits: every second entity is noted during a walk over all, then the notes are followed.
    void queue_remove_acceleration();
    void queue_destroy();
    void queue_create2(std::span<Id> out);

    void use_types(std::size_t count);  // makes the world know this many other component types

    void prepare_cycle(std::size_t n);  // n entities with an A
    std::uint64_t cycle();              // for each A an entity with a B; then every B goes; the sum of the Bs

    // Walks; see systems.hpp for what they do to each entity. The first form calls for each entity, the second for
    // spans.
    void iterate1();
    void iterate2();
    void iterate3();
    void iterate_untagged();  // the entities of create_tagged that have no Tag
    void iterate1_chunks();
    void iterate2_chunks();
    void iterate3_chunks();
    void iterate_untagged_chunks();
    void double_five();  // each of A to E, one after the other
    void double_five_chunks();

  private:
    stoa::World world_;
    std::uint64_t arrivals_ = 0;
    std::vector<float> values_;  // kept between cycles for their capacity
    std::vector<stoa::Entity> gone_;
    std::optional<stoa::Prefab> pattern_;
    KeptQuery<Position> one_;
    KeptQuery<Position, const Velocity> two_;
    KeptQuery<Position, Velocity, const Acceleration> three_;
    KeptQuery<Position, const Velocity, stoa::Without<Tag>> untagged_;
    KeptQuery<A> a_;
    KeptQuery<B> b_;
    KeptQuery<C> c_;
    KeptQuery<D> d_;
    KeptQuery<E> e_;
};

}  // namespace bench
