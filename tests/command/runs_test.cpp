// Long runs of the same removal or spawn, which replay takes together: across chunks, with entities that are dead,
// named twice, or in other tables in between, against the same made one by one.
#include "../support/components.hpp"
#include "../support/random.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace stoa_test;
using stoa::Commands;
using stoa::Entity;
using stoa::World;

namespace {

struct Odd {  // a size that has no loop of its own
    unsigned char bytes[7] = {};
};

// Two equal worlds with entities of several tables.
struct Twins {
    World deferred;
    World direct;
    std::vector<Entity> ids;

    explicit Twins(std::uint64_t seed, bool with_sparse) {
        for (World* world : {&deferred, &direct}) {
            Random random{seed};
            ids.clear();
            for (int i = 0; i < 9000; ++i) {
                const Entity e = world->spawn(Position{i, -i}, Velocity{i * 1.0, i * 2.0}, Score{i});
                if (random.one_in(3)) world->set(e, Odd{{static_cast<unsigned char>(i)}}, Red{});
                if (random.one_in(9)) world->set(e, Name{"not plain"});
                if (random.one_in(40)) world->set(e, Grave{"stays"});
                if (with_sparse && random.one_in(20)) world->set(e, Burning{i});
                ids.push_back(e);
            }
            for (int i = 0; i < 300; ++i) world->despawn(ids[random.below(9000)]);
        }
    }

    void compare() {
        REQUIRE(deferred.size() == direct.size());
        deferred.check();
        for (const Entity e : ids) {
            REQUIRE(deferred.alive(e) == direct.alive(e));
            REQUIRE(deferred.has<Grave>(e) == direct.has<Grave>(e));
            if (!deferred.alive(e)) continue;
            const auto same = [&]<class C>() { REQUIRE(deferred.has<C>(e) == direct.has<C>(e)); };
            same.operator()<Velocity>();
            same.operator()<Odd>();
            same.operator()<Red>();
            same.operator()<Score>();
            same.operator()<Burning>();
            const int i = direct.get<const Position>(e).x;
            REQUIRE(deferred.get<const Position>(e).x == i);
            REQUIRE(deferred.get<const Position>(e).y == -i);
            if (const Velocity* v = deferred.find<const Velocity>(e)) REQUIRE(v->dy == i * 2.0);
            if (const Odd* odd = deferred.find<const Odd>(e)) REQUIRE(odd->bytes[0] == static_cast<unsigned char>(i));
            if (const Score* score = deferred.find<const Score>(e)) REQUIRE(score->value == i);
        }
        // The next ids are the same too: despawns were made in recorded order.
        for (int i = 0; i < 500; ++i) REQUIRE(deferred.spawn() == direct.spawn());
    }
};

}  // namespace

TEST_SUITE("command runs") {
    TEST_CASE("runs of removals give what removals one by one give") {
        for (const bool with_sparse : {false, true}) {
            for (std::uint64_t seed = 1; seed <= 6; ++seed) {
                CAPTURE(seed);
                Twins twins{seed, with_sparse};
                Random random{seed + 100};
                std::vector<Entity> chosen;
                if (seed % 2 == 0) {
                    for (std::size_t i = seed % 3; i < twins.ids.size(); i += 2) chosen.push_back(twins.ids[i]);
                } else {
                    for (int i = 0; i < 6000; ++i) chosen.push_back(twins.ids[random.below(9000)]);  // some twice
                }
                Commands& later = twins.deferred.commands();
                std::size_t skipped = 0;
                for (const Entity e : chosen) {
                    later.remove<Velocity, Red>(e);
                    skipped += !twins.direct.alive(e);
                    twins.direct.remove<Velocity, Red>(e);
                }
                for (const Entity e : chosen) {
                    if (e.index() % 3 == 0) continue;
                    later.despawn(e);
                    skipped += !twins.direct.despawn(e);
                }
                const stoa::FlushReport report = later.flush();
                CHECK(report.skipped == skipped);
                twins.compare();
            }
        }
    }

    TEST_CASE("runs of spawns give what spawns one by one give") {
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            CAPTURE(seed);
            Twins twins{seed, true};
            Commands& later = twins.deferred.commands();
            // Both get the same ids, fresh ones and such that were used before.
            const auto spawn = [&](auto... values) {
                const Entity e = later.spawn(values...);
                REQUIRE(twins.direct.spawn(values...) == e);
                twins.ids.push_back(e);
                return e;
            };
            Random random{seed + 200};
            std::uint64_t recorded = 0;
            for (int i = 10000; i < 40000;) {
                const int kind = static_cast<int>(random.below(7));
                for (int end = i + static_cast<int>(random.below(700)); i < end; ++i, ++recorded) {
                    const Position at{i, -i};
                    if (kind == 0) spawn(at, Velocity{i * 1.0, i * 2.0}, Score{i});
                    if (kind == 1) spawn(Odd{{static_cast<unsigned char>(i)}}, at);
                    if (kind == 2) spawn(at, Red{});
                    if (kind == 3) spawn(at, Name{"not plain"});
                    if (kind == 4) spawn(at, Burning{i});
                    if (kind == 5) spawn(at);
                    if (kind == 6) {
                        const Entity e = spawn(at);
                        if (!random.one_in(50)) continue;
                        later.set(e, Score{i});
                        twins.direct.set(e, Score{i});
                        ++recorded;
                    }
                }
            }
            for (const Entity e : twins.ids) REQUIRE((e.index() < 9000 || !twins.deferred.alive(e)));
            const stoa::FlushReport report = later.flush();
            CHECK(report.applied == recorded);
            CHECK(report.skipped == 0);
            twins.compare();
        }
    }

    TEST_CASE("a run of spawns is seen by those who watch and by those who look for changes") {
        World world;
        auto arrived = world.query<const Position, stoa::Added<Position>>();
        std::size_t told = 0;
        auto subscription = world.query<Velocity>().on_enter([&](Entity) { ++told; });
        for (int i = 0; i < 500; ++i) world.commands().spawn(Position{i, 0});
        for (int i = 0; i < 500; ++i) world.commands().spawn(Velocity{});
        world.flush();
        CHECK(arrived.count() == 500);
        CHECK(told == 500);
        world.check();
    }

    TEST_CASE("everything can go in one run") {
        World world;
        std::vector<Entity> ids;
        for (int i = 0; i < 20000; ++i) ids.push_back(world.spawn(Position{i, 0}, Velocity{}));
        for (const Entity e : ids) world.commands().remove<Velocity>(e);
        CHECK(world.flush().applied == 20000);
        CHECK(world.query<Velocity>().count() == 0);
        world.check();
        for (auto e = ids.rbegin(); e != ids.rend(); ++e) world.commands().despawn(*e);
        CHECK(world.flush().applied == 20000);
        CHECK(world.size() == 0);
        world.check();
        CHECK(world.spawn().index() == 19999);
    }
}
