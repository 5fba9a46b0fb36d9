// The swarm: a Stoa world of a million motes that ride the wind around a few wandering lures. Motes are born, grow old
// and die; fast ones catch fire and burn out, which adds and removes a component. It all is done by systems, in three
// phases, on all cores; the same seed gives the same swarm on any number of them. main.cpp steps it and has it drawn.
#pragma once

#include "flow_field.hpp"
#include "random.hpp"

#include <stoa/parallel.hpp>
#include <stoa/stoa.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace swarm {

class Picture;

struct Position {
    float x, y;
};

struct Velocity {
    float x, y;
};

/// Frames to live.
struct Life {
    float left;
};

/// The colour, by number of a lure: 1.5 lies halfway between the second and the third. Heavy motes have less grip on
/// the wind and follow it slowly.
struct Tint {
    float colour;
    float grip;
};

/// A mote on fire. Heat falls from 1; at the end the component is removed.
struct Ember {
    float heat;
};

/// An entity that the swarm circles, on a path of its own.
struct Lure {
    float pace_x, pace_y, phase_x, phase_y;
    float spin, pull;
};

/// Resource: the lures as the wind sees them.
struct Vortices {
    std::vector<Vortex> all;
};

/// Resource: what the last step did to the structure of the world.
struct Changes {
    std::size_t born = 0;
    std::size_t died = 0;
    std::size_t kindled = 0;
    std::size_t quenched = 0;
};

class Simulation {
  public:
    Simulation(std::size_t motes, std::uint64_t seed, std::size_t threads);

    void step();

    /// Adds the light of every mote, as it moved during the last step.
    void draw(Picture& picture, float exposure);

    std::size_t entities() const;
    std::size_t embers();
    std::size_t threads() const { return workers_.threads(); }
    const Changes& changes() const { return world_.resource<const Changes>(); }
    std::vector<stoa::SystemReport> report() const { return schedule_.report(); }

  private:
    void make_lures();
    void spawn_motes(std::size_t count, float spread, float time);
    void add_systems();

    stoa::Workers workers_;
    stoa::World world_;
    stoa::Schedule schedule_;
    Random random_;
    std::size_t target_;
};

}  // namespace swarm
