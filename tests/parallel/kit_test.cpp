// Guards that messages, run conditions, stepped phases, parallel commands and reductions together give the same world
// for 1, 2, 4 and 8 workers, in every run.
#include <stoa/parallel.hpp>
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

using namespace stoa;

namespace {

struct Place {
    double x = 0;
};
struct Health {
    int points = 10;
};
struct Fresh {};
struct Parent {
    Entity of;
};
struct Hit {
    Entity target;
    int damage = 0;
};
struct Totals {
    double sum = 0;
    std::uint64_t hits = 0;
    std::uint64_t order = 0;
};
enum class Mode { calm, storm };

constexpr std::uint64_t seed = 11;

class Scene {
  public:
    Scene(Executor& executor, std::size_t count) : executor_(executor), schedule_(world_, executor) {
        world_.set_resource(Totals{});
        for (std::size_t i = 0; i < count; ++i) world_.spawn(Place{static_cast<double>(i) / 7}, Health{});
        schedule_.add_state(Mode::calm);
        add_physics();
        add_logic();
    }

    void update() { schedule_.update(1.0 / 90); }
    World& world() { return world_; }

    // Everything that can be seen, in the order of the walk.
    std::vector<std::uint64_t> fingerprint() {
        std::vector<std::uint64_t> all;
        world_.query<const Place, Maybe<const Health>, Maybe<const Parent>>().each(
            [&](Entity e, const Place& place, const Health* health, const Parent* parent) {
                all.push_back(e.bits());
                all.push_back(std::bit_cast<std::uint64_t>(place.x));
                all.push_back(health != nullptr ? static_cast<std::uint64_t>(health->points) : 1000);
                all.push_back(parent != nullptr ? parent->of.bits() : 1);
            });
        const Totals& totals = world_.resource<const Totals>();
        for (const std::uint64_t value : {std::bit_cast<std::uint64_t>(totals.sum), totals.hits, totals.order})
            all.push_back(value);
        return all;
    }

  private:
    void add_physics() {
        Phase& physics = schedule_.add_phase("physics", {.step = 1.0 / 60});
        physics.add("move", [this](Query<Place, Health> all, Messages<Hit> hits, const Time& time) {
            all.par_each(executor_, hits, [&](Entity e, Place& place, Health&, Messages<Hit>& own) {
                Random random{seed, e.bits(), time.step};
                place.x += random.between(-1.0, 1.0);
                if (random.chance(0.2)) own.send(Hit{e, static_cast<int>(random.index(4))});
            });
        });
        physics.add("bleed", [](Messages<const Hit> hits, Query<Health> health, Res<Totals> totals) {
            for (const Hit& hit : hits) {
                ++totals->hits;
                totals->order = totals->order * 31 + hit.target.bits();
                health.fetch(hit.target, [&](Health& h) { h.points -= hit.damage; });
            }
        });
    }
    void add_logic() {
        Phase& logic = schedule_.add_phase("logic");
        logic.add("die", [this](Query<const Health> all, Commands& later) {
            all.par_each(executor_, later, [](Entity e, const Health& health, Commands& own) {
                if (health.points <= 0) own.despawn(e);
            });
        });
        const auto breed = [this](Query<Place, const Health> all, Commands& later, const Time& time) {
            all.par_each(executor_, later, [&](Entity e, Place& place, const Health& health, Commands& own) {
                Random random{seed + 1, e.bits(), time.frame};
                if (!random.chance(0.1)) return;
                const Entity child = own.spawn(Place{place.x}, Health{health.points}, Parent{e}, Fresh{});
                place.x += static_cast<double>(child.index() % 3);
                if (random.chance(0.5)) own.remove<Fresh>(child);
            });
        };
        logic.add("breed", breed, {.when = in_state(Mode::calm)});
        logic.add("storm", breed, {.when = in_state(Mode::storm) && every(0.05)});
        logic.add("sum", [this](Query<const Place> all, Res<Totals> totals, Res<State<Mode>> mode, const Time& time) {
            totals->sum = all.par_reduce(
                executor_, totals->sum * 0.5, [](const Place& place) { return place.x; }, std::plus<>{});
            mode->next(time.frame / 10 % 2 == 0 ? Mode::storm : Mode::calm);
        });
    }

    Executor& executor_;
    World world_;
    Schedule schedule_;
};

}  // namespace

TEST_CASE("workers: messages, conditions, steps, parallel commands and sums give the same world in every run") {
#if defined(__SANITIZE_THREAD__)
    constexpr int frames = 30;  // a race shows in the first ones
    constexpr int runs = 1;
#else
    constexpr int frames = 200;
    constexpr int runs = 20;
#endif
    SerialExecutor serial;
    Scene expected(serial, 500);
    std::vector<std::vector<std::uint64_t>> fingerprints;
    for (int frame = 0; frame < frames; ++frame) {
        expected.update();
        if (frame % 10 == 9) fingerprints.push_back(expected.fingerprint());
    }
    CHECK(expected.world().size() > 100);
    CHECK(expected.world().resource<const Totals>().hits > 1000);
    for (int run = 0; run < runs; ++run) {
        for (const std::size_t threads : {1u, 2u, 4u, 8u}) {
            Workers workers{threads};
            Scene scene(workers, 500);
            for (int frame = 0; frame < frames; ++frame) {
                scene.update();
                if (frame % 10 == 9) REQUIRE(scene.fingerprint() == fingerprints[static_cast<std::size_t>(frame) / 10]);
            }
            scene.world().check();
        }
    }
}
