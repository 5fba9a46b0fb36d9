// One frame of the swarm: the lures wander, the wind is made anew, the motes ride it, and then the structure changes.
// See simulation.hpp.
#include "simulation.hpp"

#include "picture.hpp"

#include <cmath>
#include <numbers>

namespace swarm {
namespace {

constexpr float frame = 1.0F / 60.0F;
constexpr float shortest_life = 150.0F;  // in frames
constexpr float longest_life = 450.0F;
constexpr float turn = 2 * std::numbers::pi_v<float>;
constexpr int lure_count = 7;
constexpr float spindles = 48;  // of a lure

/// The light of one mote for each lure: linear red, green and blue.
constexpr Light colours[lure_count] = {
    {0.03F, 0.16F, 1.00F}, {0.01F, 0.52F, 0.80F}, {0.02F, 0.70F, 0.55F}, {0.05F, 0.34F, 1.00F},
    {0.36F, 0.10F, 1.00F}, {0.95F, 0.10F, 0.50F}, {0.55F, 0.08F, 0.90F},
};
constexpr Light fire{3.0F, 1.3F, 0.25F};

/// A mote does not take the wind's velocity at once but bends toward it: that makes folds and threads.
inline void ride(const FlowField& field, Position& position, Velocity& velocity, float grip) {
    const Vector wind = field.at(position.x, position.y);
    velocity.x += (wind.x - velocity.x) * (grip * frame);
    velocity.y += (wind.y - velocity.y) * (grip * frame);
    position.x += velocity.x * frame;
    position.y += velocity.y * frame;
}

/// Between two neighbours of the list; past the last comes the first again.
Light colour_at(float number) {
    const auto low = static_cast<std::size_t>(number);
    const float share = number - static_cast<float>(low);
    Light light = colours[low % lure_count] * (1 - share);
    light += colours[(low + 1) % lure_count] * share;
    return light;
}

}  // namespace

Simulation::Simulation(std::size_t motes, std::uint64_t seed) : random_(seed), field_(random_), target_(motes) {
    make_lures();
    move_lures();
    move_lures();  // again, so that their first step is none
    world_.table<Position, Velocity, Life, Tint>().reserve(motes);
    spawn_motes(motes, 0.5F / spindles);
    // The first motes are of all ages, so that deaths and births balance from the start: long lives are met more often.
    world_.query<Life>().each([&](Life& life) {
        const float squared = random_.between(shortest_life * shortest_life, longest_life * longest_life);
        life.left = std::sqrt(squared) * random_.unit();
    });
}

void Simulation::make_lures() {
    for (int i = 0; i < lure_count; ++i) {
        const float side = i % 2 == 0 ? 1.0F : -1.0F;
        world_.spawn(Position{}, Lure{.pace_x = random_.between(0.20F, 0.30F),
                                      .pace_y = random_.between(0.25F, 0.50F),
                                      .phase_x = (static_cast<float>(i) + random_.unit()) / lure_count * turn,
                                      .phase_y = random_.unit() * turn,
                                      .spin = side * random_.between(0.14F, 0.24F),
                                      .pull = random_.between(0.012F, 0.03F)});
    }
}

/// With a wide spread the spindles of a ring run into one another.
void Simulation::spawn_motes(std::size_t count, float spread) {
    auto motes = world_.table<Position, Velocity, Life, Tint>();
    for (std::size_t i = 0; i < count; ++i) {
        const auto number = static_cast<std::size_t>(random_.unit() * lure_count);
        const Vortex& home = vortices_[number];
        // Born at one of the spindles on a ring around a lure; the wind draws each one's motes out into a thread.
        const float spindle = std::floor(random_.unit() * spindles) / spindles;
        const float angle = (spindle + spread * random_.around_zero()) * turn;
        const float radius = 0.26F + 0.07F * std::sin(spindle * turn * 3 + time_);
        const float moment = random_.unit();  // within the frame: the lure is on its way
        const Position position{home.place.x - home.step.x * moment + std::cos(angle) * radius,
                                home.place.y - home.step.y * moment + std::sin(angle) * radius};
        const float weight = random_.unit();
        motes.spawn(position, Velocity{0, 0}, Life{random_.between(shortest_life, longest_life)},
                    Tint{static_cast<float>(number) + 0.8F * weight, 5.0F - 1.2F * weight});
    }
}

void Simulation::step() {
    time_ += frame;
    changes_ = {};
    move_lures();
    field_.update(time_, vortices_);
    move_motes();
    apply_changes();
}

void Simulation::move_lures() {
    vortices_.clear();
    world_.query<Position, const Lure>().each([&](Position& position, const Lure& lure) {
        const Position before = position;
        position.x = half_width * 0.74F * std::sin(lure.pace_x * time_ + lure.phase_x);
        position.y = half_height * 0.60F * std::sin(lure.pace_y * time_ + lure.phase_y);
        vortices_.push_back(
            {{position.x, position.y}, {position.x - before.x, position.y - before.y}, lure.spin, lure.pull});
    });
}

void Simulation::move_motes() {
    constexpr float fast = 0.75F * 0.75F;
    std::uint32_t turns = random_.bits();  // one mote in 256 has a chance to catch fire
    stoa::Commands& later = world_.commands();

    world_.query<Position, Velocity, Life, const Tint, stoa::Without<Ember>>().each(
        [&](stoa::Entity mote, Position& position, Velocity& velocity, Life& life, const Tint& tint) {
            ride(field_, position, velocity, tint.grip);
            life.left -= 1;
            if (life.left <= 0) {
                later.despawn(mote);
                ++changes_.died;
            } else if (++turns % 256 == 0 && velocity.x * velocity.x + velocity.y * velocity.y > fast) {
                later.set(mote, Ember{1.0F});
                ++changes_.kindled;
            }
        });

    // Embers hardly feel the wind: they fly off like sparks.
    world_.query<Position, Velocity, Life, const Tint, Ember>().each(
        [&](stoa::Entity mote, Position& position, Velocity& velocity, Life& life, const Tint& tint, Ember& ember) {
            ride(field_, position, velocity, tint.grip * 0.15F);
            life.left -= 1;
            ember.heat *= 0.94F;
            if (life.left <= 0) {
                later.despawn(mote);
                ++changes_.died;
            } else if (ember.heat < 0.08F) {
                later.remove<Ember>(mote);
                ++changes_.quenched;
            }
        });
}

void Simulation::apply_changes() {
    world_.end_frame();
    owed_ += static_cast<double>(target_) / (0.5 * static_cast<double>(shortest_life + longest_life));
    const auto births = static_cast<std::size_t>(owed_);
    owed_ -= static_cast<double>(births);
    spawn_motes(births, 0.03F / spindles);
    changes_.born = births;
}

void Simulation::draw(Picture& picture, float exposure) {
    // Each mote lights two places at random on the way of its last step: a blur without dots.
    const auto light_path = [&](const Position& position, const Velocity& velocity, const Light& light) {
        for (int i = 0; i < 2; ++i) {
            const float back = random_.unit() * frame;
            picture.add(position.x - velocity.x * back, position.y - velocity.y * back, light);
        }
    };
    world_.query<const Position, const Velocity, const Life, const Tint, stoa::Without<Ember>>().each(
        [&](const Position& position, const Velocity& velocity, const Life& life, const Tint& tint) {
            const float fade = life.left < 40 ? life.left / 40 : 1;
            light_path(position, velocity, colour_at(tint.colour) * (exposure * fade));
        });
    world_.query<const Position, const Velocity, const Ember>().each(
        [&](const Position& position, const Velocity& velocity, const Ember& ember) {
            light_path(position, velocity, fire * (exposure * ember.heat * 3));
        });
}

std::size_t Simulation::entities() const { return world_.size(); }

std::size_t Simulation::embers() { return world_.query<const Ember>().count(); }

}  // namespace swarm
