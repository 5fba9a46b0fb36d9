// Reserved ids: unique, counted, in the order of the free list, given back by buffers that are dropped.
#include "../base/thrown.hpp"
#include "../support/components.hpp"

#include <doctest/doctest.h>

#include <set>
#include <thread>
#include <utility>
#include <vector>

using namespace stoa_test;
using api_test::throws;
using stoa::Commands;
using stoa::Entity;
using stoa::Errc;
using stoa::World;
using stoa::WorldOptions;

TEST_SUITE("reserved ids") {
    TEST_CASE("direct spawns between reservation and flush get other ids") {
        World world;
        std::set<Entity> all;
        Commands own{world};
        for (int i = 0; i < 300; ++i) {
            CHECK(all.insert(world.commands().spawn(Position{i, 0})).second);
            CHECK(all.insert(world.spawn(Position{i, 1})).second);
            CHECK(all.insert(own.spawn<Burning>()).second);
            if (i % 7 == 0) {
                std::vector<Entity> many(5);
                world.spawn_many(std::span{many}, Burning{i});
                for (const Entity e : many) CHECK(all.insert(e).second);
            }
            if (i % 50 == 0) world.check();
        }
        CHECK(world.size() == 300 + 43 * 5);
        world.flush();
        own.flush();
        CHECK(world.size() == all.size());
        for (const Entity e : all) CHECK(world.alive(e));
        world.check();
    }

    TEST_CASE("indices are used again first freed first, by direct and by recorded spawns alike") {
        World world;
        std::vector<Entity> old;
        for (int i = 0; i < 6; ++i) old.push_back(world.spawn());
        for (const int i : {3, 0, 5, 1}) world.despawn(old[static_cast<std::size_t>(i)]);
        CHECK(world.commands().spawn().index() == 3);
        CHECK(world.spawn().index() == 0);
        CHECK(world.commands().spawn().index() == 5);
        world.despawn(old[2]);
        CHECK(world.spawn().index() == 1);
        CHECK(world.commands().spawn().index() == 2);
        CHECK(world.commands().spawn().index() == 6);
        CHECK(world.spawn().index() == 7);
        CHECK(world.commands().spawn().index() == 8);
        world.check();
        CHECK(world.flush().applied == 5);
        CHECK(world.size() == 9);
        world.check();
    }

    TEST_CASE("reserved ids count toward the limit, and recording throws past it") {
        World world{WorldOptions{.max_entities = 4}};
        Commands& later = world.commands();
        world.spawn();
        later.spawn(Position{});
        later.spawn<Position>();
        world.spawn();
        CHECK(throws(Errc::capacity, [&] { later.spawn(Counted{1}); }));
        CHECK(throws(Errc::capacity, [&] { later.spawn(); }));
        CHECK(throws(Errc::capacity, [&] { later.spawn<Position>([](Position&) {}); }));
        CHECK(throws(Errc::capacity, [&] { world.spawn(); }));
        CHECK(later.size() == 2);
        world.check();
        CHECK(world.flush().applied == 2);
        CHECK(world.size() == 4);
        CHECK(throws(Errc::capacity, [&] { later.spawn(); }));
        world.check();
    }

    TEST_CASE("a dropped buffer gives its ids back, and its handles stay dead") {
        World world{WorldOptions{.max_entities = 3}};
        std::vector<Entity> dropped;
        for (int round = 0; round < 100; ++round) {
            Commands own{world};
            for (int i = 0; i < 3; ++i) {
                const Entity e = own.spawn(Name{"dropped"});
                CHECK(e.index() < 3);
                for (const Entity earlier : dropped) CHECK(e != earlier);
                dropped.push_back(e);
            }
            CHECK(throws(Errc::capacity, [&] { own.spawn(); }));
            if (round % 10 == 0) world.check();
        }
        for (int i = 0; i < 3; ++i) world.spawn(Position{});
        CHECK(world.size() == 3);
        for (const Entity e : dropped) CHECK_FALSE(world.alive(e));
        world.check();
    }

    TEST_CASE("ids of a dropped buffer are used before fresh ones") {
        World world;
        Entity a;
        Entity b;
        {
            Commands own{world};
            a = own.spawn();
            b = own.spawn();
        }
        const Entity c = world.spawn();
        const Entity d = world.commands().spawn();
        const Entity e = world.spawn();
        CHECK(c.index() == a.index());
        CHECK(c.generation() == a.generation() + 1);
        CHECK(d.index() == b.index());
        CHECK(e.index() == 2);
        world.flush();
        world.check();
    }

    TEST_CASE("dropping many blocks of spawns gives all of them back in order") {
        World world;
        std::vector<Entity> ids;
        {
            Commands own{world};
            for (int i = 0; i < 5000; ++i) ids.push_back(own.spawn(Position{i, i}, Name{"x"}));
        }
        for (const Entity e : ids) {
            const Entity again = world.spawn();
            CHECK(again.index() == e.index());
            CHECK(again != e);
        }
        CHECK(world.spawn().index() == 5000);
        world.check();
    }

    TEST_CASE("an id whose generations are used up is retired when its buffer is dropped") {
        World world{WorldOptions{.max_entities = 2, .first_generation = 0xfffffffe}};
        for (int round = 0; round < 2; ++round) {
            Commands own{world};
            own.spawn();
            own.spawn();
        }
        // Both slots have lived their last generation; the limit counts the living.
        const Entity fresh = world.spawn();
        CHECK(fresh.index() == 2);
        world.check();
        {
            Commands own{world};
            const Entity last = own.spawn();
            CHECK(last.index() == 3);
            CHECK(throws(Errc::capacity, [&] { own.spawn(); }));
        }
        world.check();
    }

    TEST_CASE("a reserved id survives the despawn of everything else") {
        World world;
        std::vector<Entity> all;
        for (int i = 0; i < 100; ++i) all.push_back(world.spawn(Position{}));
        for (int i = 0; i < 50; ++i) world.despawn(all[static_cast<std::size_t>(i)]);
        std::vector<Entity> reserved;
        for (int i = 0; i < 80; ++i) reserved.push_back(world.commands().spawn(Position{i, 0}));
        world.clear();
        world.shrink_to_fit();
        world.check();
        world.reserve(1000);
        world.flush();
        CHECK(world.size() == 80);
        for (int i = 0; i < 80; ++i) CHECK(world.get<const Position>(reserved[static_cast<std::size_t>(i)]).x == i);
        world.check();
    }

    TEST_CASE("eight threads reserve at once and no two get the same id") {
        World world;
        std::vector<Entity> old;
        for (int i = 0; i < 3000; ++i) old.push_back(world.spawn(Position{}));
        for (int i = 0; i < 3000; i += 2) world.despawn(old[static_cast<std::size_t>(i)]);
        constexpr int each = 2000;
        std::vector<Commands> buffers;
        for (int t = 0; t < 8; ++t) buffers.emplace_back(world);
        std::vector<std::vector<Entity>> ids(8);
        std::vector<std::thread> threads;
        for (std::size_t t = 0; t < 8; ++t) {
            threads.emplace_back([&, t] {
                for (int i = 0; i < each; ++i) {
                    const Entity e = buffers[t].spawn(Position{static_cast<int>(t), i});
                    ids[t].push_back(e);
                    buffers[t].set(e, Name{"by a thread"});
                    // Reading is fine meanwhile, and so is dropping a buffer.
                    if (world.alive(e) || !world.alive(old[1])) std::abort();
                    if (i % 100 == 0) {
                        Commands dropped{world};
                        for (int k = 0; k < 5; ++k) ids[t].push_back(dropped.spawn(Velocity{}));
                    }
                }
            });
        }
        for (std::thread& thread : threads) thread.join();
        std::set<Entity> unique;
        for (const auto& some : ids) unique.insert(some.begin(), some.end());
        CHECK(unique.size() == 8 * (each + each / 100 * 5));
        world.check();
        std::size_t applied = 0;
        for (Commands& buffer : buffers) applied += buffer.flush().applied;
        CHECK(applied == 8 * 2 * each);
        CHECK(world.size() == 1500 + 8 * each);
        CHECK(world.query<Name>().count() == 8 * each);
        world.check();
    }

    TEST_CASE("the first use of a type may be in several threads at once") {
        struct Local {
            int number = 3;
        };
        World world;
        std::vector<Commands> buffers;
        for (int t = 0; t < 4; ++t) buffers.emplace_back(world);
        std::vector<std::thread> threads;
        for (std::size_t t = 0; t < 4; ++t) {
            threads.emplace_back([&buffers, t] {
                for (int i = 0; i < 100; ++i) buffers[t].spawn<Local>();
            });
        }
        for (std::thread& thread : threads) thread.join();
        for (Commands& buffer : buffers) buffer.flush();
        CHECK(world.query<const Local>().count() == 400);
    }
}
