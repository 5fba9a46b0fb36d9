// The systems of the busy scene; busy_scene.hpp describes it.
#include "support/busy_scene.hpp"

#include <bit>

namespace support::busy {

using stoa::Entity;

struct Place {
    float x = 0;
    float y = 0;
};
struct Speed {
    float x = 0;
    float y = 0;
};
struct Health {
    int points = 10;
};
struct Age {
    std::uint32_t frames = 0;
};
struct Mark {};
struct Owner {
    Entity entity;
};
struct Burning {
    int left = 3;
};
struct Tally {
    std::uint64_t added = 0, removed = 0, changed = 0, seen = 0, visited = 0;
};
struct Weather {
    int wind = 0;
};

}  // namespace support::busy

template <>
inline constexpr stoa::Traits stoa::traits<support::busy::Burning>{.storage = stoa::Storage::sparse};

namespace support {

using namespace stoa;
using namespace busy;

namespace {

std::uint32_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 33)) * 0xff51afd7ed558ccdULL;
    return static_cast<std::uint32_t>(value >> 32);
}

// So that threads really meet.
void linger(std::uint32_t rounds) {
    volatile std::uint32_t turns = 0;
    while (turns < rounds) turns = turns + 1;
}

}  // namespace

BusyScene::BusyScene(Executor* executor, std::uint32_t seed) {
    executor != nullptr ? schedule_.emplace(world_, *executor) : schedule_.emplace(world_);
    world_.set_resource(Tally{});
    world_.set_resource(Weather{static_cast<int>(seed)});
    for (std::uint32_t i = 0; i < 300; ++i) {
        const Entity e = world_.spawn(Place{static_cast<float>(mixed(seed + i) % 100), 0}, Speed{1, 1});
        if (i % 3 == 0) world_.set(e, Health{static_cast<int>(i % 7) + 1});
        if (i % 4 == 0) world_.add<Mark>(e);
        if (i % 5 == 0) world_.set(e, Age{});
        if (i % 6 == 0) world_.set(e, Burning{static_cast<int>(i % 4)});
    }
    add_systems();
}

void BusyScene::add_systems() {
    Phase& logic = schedule_->add_phase("logic");
    logic.add("wind",
              [](Res<Weather> weather, const Time& time) { weather->wind = static_cast<int>(mixed(time.frame) % 5); });
    logic.add("move", [](Query<Place, const Speed> movers, Res<const Weather> weather) {
        linger(40000);
        movers.each([&](Place& p, const Speed& s) {
            p.x += s.x + static_cast<float>(weather->wind);
            p.y += s.y;
        });
    });
    logic.add("age", [](Query<Age> all) { all.each([](Age& age) { ++age.frames; }); });
    logic.add("breed", [](Query<const Place, With<Mark>> marked, Commands& later, const Time& time) {
        marked.each([&](Entity e, const Place& p) {
            linger(10);
            if (mixed(e.bits() + time.frame) % 16 != 0) return;
            const Entity child =
                later.spawn(Place{p.x, p.y}, Speed{static_cast<float>(mixed(e.bits()) % 3), 0}, Owner{e});
            if (mixed(e.bits() * 3 + time.frame) % 2 == 0) later.set(child, Health{3});
        });
    });
    logic.add("burst", [](Query<const Age> all, Commands& later, const Time& time) {
        // More than any stock of ids holds, now and then.
        if (time.frame % 37 != 0) return;
        all.each([&](Entity e, const Age&) {
            for (int i = 0; i < 20; ++i) later.spawn(Age{}, Owner{e});
        });
    });
    logic.add("light", [](Query<const Health, Without<Burning>> all, Commands& later, const Time& time) {
        all.each([&](Entity e, const Health& h) {
            if (mixed(e.bits() + 7 * time.frame) % 11 == 0) later.set(e, Burning{h.points % 4});
        });
    });
    logic.add("burn", [](Query<Burning> all, Commands& later) {
        linger(40000);
        all.each([&](Entity e, Burning& burning) {
            if (--burning.left < 0) later.remove<Burning>(e);
        });
    });
    logic.add("hurt", [](Query<Health, With<Mark>> marked) { marked.each([](Health& h) { --h.points; }); });
    logic.add("heal", [](Query<Health, Without<Mark>> others) {
        others.each([](Health& h) {
            if (h.points < 5) ++h.points;
        });
    });
    logic.add("die", [](Query<const Health> all, Commands& later) {
        all.each([&](Entity e, const Health& h) {
            if (h.points < 0) later.despawn(e);
        });
    });
    logic.add("cull", [](Query<const Age> all, Commands& later) {
        all.each([&](Entity e, const Age& age) {
            if (age.frames > 20 + mixed(e.bits()) % 20) later.despawn(e);
        });
    });
    logic.add("mark", [](Query<const Owner> owned, Commands& later, const Time& time) {
        owned.each([&](Entity e, const Owner&) {
            if (mixed(e.bits() ^ time.frame) % 13 == 0) later.add<Mark>(e);
            if (mixed(e.bits() ^ time.frame) % 17 == 0) later.remove<Owner>(e);
        });
    });
    logic.add("follow", [](Query<const Health, Changed<Health>> changed, Local<std::uint64_t> seen) {
        changed.each([&](Entity e, const Health& h) {
            *seen = *seen * 31 + mixed(e.bits() + static_cast<std::uint64_t>(h.points));
        });
    });
    logic.sync();
    Phase& tally = schedule_->add_phase("tally");
    tally.add("watch", [](Watch<const Health, const Place> watched, Res<Tally> sums) {
        for (const Entity e : watched.added()) sums->added = sums->added * 31 + e.bits();
        for (const Entity e : watched.removed()) sums->removed = sums->removed * 31 + e.bits();
        sums->changed += watched.changed().size();
    });
    tally.add("see", [](Query<const Place, Changed<Place>> moved, Res<Tally> sums) {
        moved.each([&](Entity e, const Place& p) {
            sums->seen = sums->seen * 31 + (e.bits() ^ std::bit_cast<std::uint32_t>(p.x));
        });
    });
    tally.add("whole", [](World& world) { world.resource<Tally>().visited += world.query<const Speed>().count(); });
}

std::vector<std::uint64_t> BusyScene::fingerprint() {
    std::vector<std::uint64_t> all{world_.size()};
    const auto both = [](float a, float b) {
        return (std::uint64_t{std::bit_cast<std::uint32_t>(a)} << 32) | std::bit_cast<std::uint32_t>(b);
    };
    world_
        .query<Maybe<const Place>, Maybe<const Speed>, Maybe<const Health>, Maybe<const Age>, Maybe<const Owner>,
               Maybe<const Burning>>()
        .each([&](Entity e, const Place* p, const Speed* s, const Health* h, const Age* a, const Owner* o,
                  const Burning* b) {
            all.push_back(e.bits());
            if (p != nullptr) all.push_back(both(p->x, p->y));
            if (s != nullptr) all.push_back(both(s->x, s->y));
            if (h != nullptr) all.push_back(static_cast<std::uint64_t>(h->points));
            if (a != nullptr) all.push_back(a->frames);
            if (o != nullptr) all.push_back(o->entity.bits());
            if (b != nullptr) all.push_back(static_cast<std::uint64_t>(b->left));
        });
    const Tally& tally = world_.resource<const Tally>();
    all.insert(all.end(), {tally.added, tally.removed, tally.changed, tally.seen, tally.visited});
    return all;
}

}  // namespace support
