// The systems of the swarm: the lures wander, the wind is made anew, the motes ride it, and then the structure changes.
// See simulation.hpp.
#include "simulation.hpp"

#include "picture.hpp"

#include <cmath>
#include <numbers>

namespace swarm {

using stoa::Commands;
using stoa::Entity;
using stoa::Local;
using stoa::Query;
using stoa::Res;
using stoa::Time;
using stoa::With;
using stoa::Without;
using stoa::World;

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

// The systems.

void lure(Query<Position, const Lure> lures, Res<Vortices> vortices, const Time& time) {
    const auto now = static_cast<float>(time.elapsed);
    vortices->all.clear();
    lures.each([&](Position& position, const Lure& lure) {
        const Position before = position;
        position.x = half_width * 0.74F * std::sin(lure.pace_x * now + lure.phase_x);
        position.y = half_height * 0.60F * std::sin(lure.pace_y * now + lure.phase_y);
        vortices->all.push_back(
            {{position.x, position.y}, {position.x - before.x, position.y - before.y}, lure.spin, lure.pull});
    });
}

void blow(Res<FlowField> field, Res<const Vortices> vortices, const Time& time) {
    field->update(static_cast<float>(time.elapsed), vortices->all);
}

void age(Query<Life> motes, Commands& later, Res<Changes> changes) {
    motes.each([&](Entity mote, Life& life) {
        life.left -= 1;
        if (life.left > 0) return;
        later.despawn(mote);
        ++changes->died;
    });
}

void cool(Query<Ember, const Life> embers, Commands& later, Res<Changes> changes) {
    embers.each([&](Entity mote, Ember& ember, const Life& life) {
        ember.heat *= 0.94F;
        if (ember.heat >= 0.08F || life.left <= 0) return;
        later.remove<Ember>(mote);
        ++changes->quenched;
    });
}

/// One mote in 256 has a chance to catch fire; the fast ones take it.
void kindle(Query<const Velocity, const Life, Without<Ember>> motes, Commands& later, Res<Changes> changes,
            Local<std::uint32_t> turns) {
    constexpr float fast = 0.75F * 0.75F;
    *turns = *turns * 1664525 + 1013904223;
    std::uint32_t number = *turns;
    motes.each([&](Entity mote, const Velocity& velocity, const Life& life) {
        if (++number % 256 != 0 || life.left <= 0 || velocity.x * velocity.x + velocity.y * velocity.y <= fast) return;
        later.set(mote, Ember{1.0F});
        ++changes->kindled;
    });
}

}  // namespace

Simulation::Simulation(std::size_t motes, std::uint64_t seed, std::size_t threads)
    : workers_(threads), schedule_(world_, workers_), random_(seed), target_(motes) {
    world_.set_resource(FlowField(random_));
    world_.set_resource(Vortices{});
    world_.set_resource(Changes{});
    make_lures();
    add_systems();
    schedule_.phase("wind").update(0);
    schedule_.phase("wind").update(0);  // again, so that the first step of the lures is none
    world_.table<Position, Velocity, Life, Tint>().reserve(motes);
    spawn_motes(motes, 0.5F / spindles, 0);
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
void Simulation::spawn_motes(std::size_t count, float spread, float time) {
    const std::vector<Vortex>& lures = world_.resource<const Vortices>().all;
    auto motes = world_.table<Position, Velocity, Life, Tint>();
    for (std::size_t i = 0; i < count; ++i) {
        const auto number = static_cast<std::size_t>(random_.unit() * lure_count);
        const Vortex& home = lures[number];
        // Born at one of the spindles on a ring around a lure; the wind draws each one's motes out into a thread.
        const float spindle = std::floor(random_.unit() * spindles) / spindles;
        const float angle = (spindle + spread * random_.around_zero()) * turn;
        const float radius = 0.26F + 0.07F * std::sin(spindle * turn * 3 + time);
        const float moment = random_.unit();  // within the frame: the lure is on its way
        const Position position{home.place.x - home.step.x * moment + std::cos(angle) * radius,
                                home.place.y - home.step.y * moment + std::sin(angle) * radius};
        const float weight = random_.unit();
        motes.spawn(position, Velocity{0, 0}, Life{random_.between(shortest_life, longest_life)},
                    Tint{static_cast<float>(number) + 0.8F * weight, 5.0F - 1.2F * weight});
    }
}

void Simulation::step() {
    world_.resource<Changes>() = {};
    schedule_.update(frame);
}

// Which systems run side by side follows from what they take: ride and spark walk different tables, age and cool write
// what nobody else does, kindle waits for ride.
void Simulation::add_systems() {
    schedule_.add_phase("wind").add("lure", lure).add("blow", blow);
    schedule_.add_phase("motes")
        .add("ride",
             [this](Query<Position, Velocity, const Tint, Without<Ember>> motes, Res<const FlowField> field) {
                 motes.par_each(workers_, [&](Position& position, Velocity& velocity, const Tint& tint) {
                     ride(*field, position, velocity, tint.grip);
                 });
             })
        .add("spark",
             [this](Query<Position, Velocity, const Tint, With<Ember>> embers, Res<const FlowField> field) {
                 // Embers hardly feel the wind: they fly off like sparks.
                 embers.par_each(workers_, [&](Position& position, Velocity& velocity, const Tint& tint) {
                     ride(*field, position, velocity, tint.grip * 0.15F);
                 });
             })
        .add("age", age)
        .add("cool", cool)
        .add("kindle", kindle);
    schedule_.add_phase("births").add("bear", [this](World& world, const Time& time, Local<double> owed) {
        // Births that are due, with the fraction.
        *owed += static_cast<double>(target_) / (0.5 * static_cast<double>(shortest_life + longest_life));
        const auto births = static_cast<std::size_t>(*owed);
        *owed -= static_cast<double>(births);
        spawn_motes(births, 0.03F / spindles, static_cast<float>(time.elapsed));
        world.resource<Changes>().born = births;
    });
}

void Simulation::draw(Picture& picture, float exposure) {
    // Each mote lights two places at random on the way of its last step: a blur without dots.
    const auto light_path = [&](const Position& position, const Velocity& velocity, const Light& light) {
        for (int i = 0; i < 2; ++i) {
            const float back = random_.unit() * frame;
            picture.add(position.x - velocity.x * back, position.y - velocity.y * back, light);
        }
    };
    world_.query<const Position, const Velocity, const Life, const Tint, Without<Ember>>().each(
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
