// The swarm: a Stoa world of a million motes that ride the wind around a few wandering lures. Motes are born, grow old
// and die; fast ones catch fire and burn out, which adds and removes a component. main.cpp steps it and has it drawn.
#pragma once

#include "flow_field.hpp"
#include "random.hpp"

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

/// What the last step did to the structure of the world.
struct Changes {
    std::size_t born = 0;
    std::size_t died = 0;
    std::size_t kindled = 0;
    std::size_t quenched = 0;
};

class Simulation {
  public:
    Simulation(std::size_t motes, std::uint64_t seed);

    void step();

    /// Adds the light of every mote, as it moved during the last step.
    void draw(Picture& picture, float exposure);

    std::size_t entities() const;
    std::size_t embers();
    const Changes& changes() const { return changes_; }

  private:
    void make_lures();
    void spawn_motes(std::size_t count, float spread);
    void move_lures();
    void move_motes();
    void apply_changes();

    stoa::World world_;
    Random random_;
    FlowField field_;
    std::vector<Vortex> vortices_;
    std::size_t target_;
    double owed_ = 0;  // births that are due, with the fraction
    float time_ = 0;
    Changes changes_;
};

}  // namespace swarm
