// One step of a small game: seven systems over four kinds of entities, see mix.hpp. Per entity. Listed by
// workloads.cpp.
#include "mix.hpp"

#include "column.hpp"
#include "kept_query.hpp"
#include "trials.hpp"
#include "workloads.hpp"

#include <vector>

namespace bench {
namespace {

using namespace game;

// Checksums. Both implementations add up in any order what entities have.
std::uint64_t sum_of(const Frame& frame) {
    std::uint64_t sum = 0;
    for (const std::uint32_t cell : frame.cells) {
        sum = fold(sum, cell);
    }
    return sum;
}

std::uint64_t sum_of(const Place& place) { return fold(0, place.x, place.y); }

std::uint64_t sum_of(const Health& health) {
    return fold(0, (static_cast<std::uint64_t>(health.points) << 32) | health.status);
}

class StoaGame {
  public:
    void build(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            const stoa::Entity id = world_.spawn(place_at(i));
            if (has_speed(i)) {
                world_.set(id, speed_at(i));
            }
            if (has_mind(i)) {
                world_.set(id, mind_at(i));
            }
            if (is_unit(i)) {
                world_.set(id, player_at(i), health_at(i), damage_at(i), Sprite{' '});
            }
        }
    }

    void step() {
        walkers_.in(world_).each([](Place& place, const Speed& speed) { walk(place, speed); });
        thinkers_.in(world_).each([](Mind& mind) { think(mind); });
        turners_.in(world_).each([](const Place& place, Speed& speed, Mind& mind) { turn(place, speed, mind); });
        living_.in(world_).each([](Health& health) { live(health); });
        fighters_.in(world_).each([](Health& health, const Damage& damage) { suffer(health, damage); });
        dressed_.in(world_).each(
            [](Sprite& sprite, const Player& player, const Health& health) { dress(sprite, player, health); });
        seen_.in(world_).each([this](const Place& place, const Sprite& sprite) { draw_on(frame_, place, sprite); });
    }

    std::uint64_t checksum() {
        std::uint64_t sum = sum_of(frame_);
        world_.query<const Place>().each([&](const Place& place) { sum += sum_of(place); });
        world_.query<const Health>().each([&](const Health& health) { sum += sum_of(health); });
        return sum;
    }

  private:
    stoa::World world_;
    KeptQuery<Place, const Speed> walkers_;
    KeptQuery<Mind> thinkers_;
    KeptQuery<const Place, Speed, Mind> turners_;
    KeptQuery<Health> living_;
    KeptQuery<Health, const Damage> fighters_;
    KeptQuery<Sprite, const Player, const Health> dressed_;
    KeptQuery<const Place, const Sprite> seen_;
    Frame frame_;
};

/// The same by hand: one set of arrays for each kind of entity.
class RawGame {
  public:
    void build(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            Kind& kind = kinds_[i % 4];
            kind.places.push_back(place_at(i));
            if (has_speed(i)) {
                kind.speeds.push_back(speed_at(i));
            }
            if (has_mind(i)) {
                kind.minds.push_back(mind_at(i));
            }
            if (is_unit(i)) {
                kind.players.push_back(player_at(i));
                kind.healths.push_back(health_at(i));
                kind.damages.push_back(damage_at(i));
                kind.sprites.push_back({' '});
            }
        }
    }

    void step() {
        for (Kind& kind : kinds_) {
            over<walk>(kind.speeds.size(), kind.places.data(), kind.speeds.data());
        }
        for (Kind& kind : kinds_) {
            over<think>(kind.minds.size(), kind.minds.data());
        }
        for (Kind& kind : kinds_) {
            over<turn>(kind.minds.size(), kind.places.data(), kind.speeds.data(), kind.minds.data());
        }
        for (Kind& kind : kinds_) {
            over<live>(kind.healths.size(), kind.healths.data());
        }
        for (Kind& kind : kinds_) {
            over<suffer>(kind.healths.size(), kind.healths.data(), kind.damages.data());
        }
        for (Kind& kind : kinds_) {
            over<dress>(kind.healths.size(), kind.sprites.data(), kind.players.data(), kind.healths.data());
        }
        for (Kind& kind : kinds_) {
            for (std::size_t i = 0; i < kind.sprites.size(); ++i) {
                draw_on(frame_, kind.places[i], kind.sprites[i]);
            }
        }
    }

    std::uint64_t checksum() const {
        std::uint64_t sum = sum_of(frame_);
        for (const Kind& kind : kinds_) {
            for (const Place& place : kind.places) {
                sum += sum_of(place);
            }
            for (const Health& health : kind.healths) {
                sum += sum_of(health);
            }
        }
        return sum;
    }

  private:
    struct Kind {
        std::vector<Place> places;
        std::vector<Speed> speeds;
        std::vector<Mind> minds;
        std::vector<Player> players;
        std::vector<Health> healths;
        std::vector<Damage> damages;
        std::vector<Sprite> sprites;
    };

    template <auto System, class... Ts>
    static void over(std::size_t count, Ts* __restrict... columns) {
        for (std::size_t i = 0; i < count; ++i) {
            System(columns[i]...);
        }
    }

    Kind kinds_[4];
    Frame frame_;
};

template <class World>
struct Step {
    explicit Step(std::size_t n) : count(n) {}

    std::size_t operations() const { return count; }
    void prepare(World& world) { world.build(count); }
    void run(World& world) { world.step(); }
    std::uint64_t checksum(World& world) { return world.checksum(); }

    std::size_t count;
};

}  // namespace

void add_mix_workloads(std::vector<Workload>& list) {
    list.push_back({"mix7", usual_sizes, make_trial<Steady<RawGame, Step<RawGame>>>,
                    make_trial<Steady<StoaGame, Step<StoaGame>>>});
}

}  // namespace bench
