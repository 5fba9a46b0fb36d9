// Flushes that meet more than they began with: commands recorded by commands, runaways, flushes inside flushes,
// exceptions in the middle, worlds and buffers that end in the middle.
#include "../base/thrown.hpp"
#include "../support/components.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace stoa_test;
using api_test::throws;
using stoa::Commands;
using stoa::Entity;
using stoa::Errc;
using stoa::FlushReport;
using stoa::World;

namespace {

// Records itself again when it runs, `width` times.
struct Again {
    Commands* later;
    int width;
    std::uint64_t* ran;

    void operator()(World&) const {
        ++*ran;
        for (int i = 0; i < width; ++i) later->run(*this);
    }
};

}  // namespace

TEST_SUITE("flush") {
    TEST_CASE("what a run or an initializer records runs in the same flush, after what was recorded before") {
        World world;
        Commands& later = world.commands();
        std::vector<int> order;
        later.run([&](World&) {
            order.push_back(1);
            later.run([&](World&) {
                order.push_back(4);
                later.run([&](World&) { order.push_back(6); });
            });
        });
        Entity inner;
        const Entity outer = later.spawn<Position>([&](Entity e, Position&) {
            order.push_back(2);
            inner = later.spawn(Velocity{});
            later.set(e, Name{"by the initializer"});
            later.run([&](World& inside) {
                order.push_back(5);
                CHECK(inside.alive(inner));
            });
        });
        later.run([&](World& inside) {
            order.push_back(3);
            CHECK_FALSE(inside.alive(inner));
            CHECK_FALSE(inside.has<Name>(outer));
        });
        CHECK(world.flush() == FlushReport{8, 0});
        CHECK(order == std::vector<int>{1, 2, 3, 4, 5, 6});
        CHECK(world.has<Velocity>(inner));
        CHECK(world.get<const Name>(outer).text == "by the initializer");
        world.check();
    }

    TEST_CASE("what another buffer's flush records for the world waits for the flush of the world") {
        World world;
        Commands own{world};
        Entity made;
        own.run([&](World& inside) { made = inside.commands().spawn(Position{}); });
        CHECK(own.flush().applied == 1);
        CHECK_FALSE(world.alive(made));
        CHECK(world.flush().applied == 1);
        CHECK(world.alive(made));
    }

    TEST_CASE("commands may record commands for as many rounds after the first as is said, and not for one more") {
        for (const std::uint32_t more : {0u, 1u}) {
            CAPTURE(more);
            const std::uint32_t rounds = Commands::max_rounds + 1 + more;
            World world;
            Commands& later = world.commands();
            std::uint32_t depth = 0;
            std::function<void(World&)> next = [&](World& inside) {
                inside.spawn(Position{});
                if (++depth < rounds) later.run(std::ref(next));
            };
            later.run(std::ref(next));
            if (more == 0) {
                CHECK(world.flush().applied == rounds);
            } else {
                CHECK(throws(Errc::runaway, [&] { world.flush(); }));
            }
            CHECK(world.size() == Commands::max_rounds + 1);
            world.check();
        }
    }

    TEST_CASE("one command may record as many as it likes") {
        World world;
        world.commands().run([](World& inside) {
            for (int i = 0; i < 100000; ++i) inside.commands().spawn(Position{i, 0});
        });
        CHECK(world.flush().applied == 100001);
        CHECK(world.size() == 100000);
    }

    TEST_CASE("a command that records itself without end is an error soon, and the rest is dropped") {
        for (const int width : {1, 2, 3, 1000}) {
            CAPTURE(width);
            Counted::ledger().reset();
            World world;
            Commands& later = world.commands();
            std::uint64_t ran = 0;
            const Entity before = later.spawn(Counted{1});
            later.run(Again{&later, width, &ran});
            later.run([&, held = Counted{2}](World&) { static_cast<void>(held); });
            CHECK(throws(Errc::runaway, [&] { world.flush(); }));
            const auto recorded_first = static_cast<std::uint64_t>(3 + width);  // in two rounds
            CHECK(ran > 1);
            CHECK(ran <= recorded_first + Commands::max_follow_ups + Commands::max_follow_ups_each * recorded_first);
            CHECK(world.alive(before));  // what happened before stands
            CHECK(later.empty());
            CHECK(Counted::ledger().alive == 1);
            world.check();
            CHECK(world.flush() == FlushReport{});
        }
    }

    TEST_CASE("a runaway spawn gives its ids back") {
        World world{stoa::WorldOptions{.max_entities = 5000}};
        Commands& later = world.commands();
        std::function<void(Entity, Position&)> again = [&](Entity, Position&) {
            later.spawn<Position>(std::ref(again));
        };
        later.spawn<Position>(std::ref(again));
        CHECK(throws(Errc::runaway, [&] { world.flush(); }));
        world.check();
        world.clear();
        std::vector<Entity> ids(5000);
        world.spawn_many(std::span{ids});
        CHECK(world.size() == 5000);
        world.check();
    }

    TEST_CASE("many commands may each record a few") {
        World world;
        Commands& later = world.commands();
        std::uint64_t ran = 0;
        for (int i = 0; i < 10000; ++i) {
            later.run([&](World&) {
                for (int k = 0; k < 8; ++k) later.run([&](World&) { ++ran; });
            });
        }
        CHECK(world.flush().applied == 90000);
        CHECK(ran == 80000);
    }

    TEST_CASE("a flush inside a flush of the same buffer is refused, one of another buffer works") {
        World world;
        Commands own{world};
        const Entity e = own.spawn(Position{});
        const Entity later_one = world.commands().spawn(Velocity{});
        world.commands().run([&](World& inside) {
            CHECK(throws(Errc::locked, [&] { inside.flush(); }));
            CHECK(own.flush() == FlushReport{1, 0});
            CHECK(inside.alive(e));
        });
        world.commands().set(later_one, Name{"still there"});
        CHECK(world.flush() == FlushReport{3, 0});
        CHECK(world.has<Name>(later_one));
        world.check();
    }

    TEST_CASE("direct changes inside a run are seen by the commands after it") {
        World world;
        const Entity a = world.spawn(Position{});
        Commands& later = world.commands();
        later.set(a, Velocity{});
        later.run([&](World& inside) {
            inside.despawn(a);
            inside.spawn(Name{"in its slot"});
        });
        later.set(a, Velocity{});
        later.despawn(a);
        CHECK(world.flush() == FlushReport{2, 2});
        CHECK(world.size() == 1);
    }

    TEST_CASE("a throw: commands before it stand, it did not happen, the rest are destroyed") {
        Counted::ledger().reset();
        {
            World world;
            const Entity e = world.spawn(Position{});
            const Entity f = world.spawn(Position{});
            Commands& later = world.commands();
            const Entity made = later.spawn(Counted{1});
            later.set(e, Counted{2});
            const Entity lost = later.spawn<Counted>([](Counted&) { throw std::runtime_error("no"); });
            later.set(f, Counted{3});
            const Entity never = later.spawn(Counted{4});
            CHECK_THROWS_AS(world.flush(), std::runtime_error);
            CHECK(world.alive(made));
            CHECK(world.has<Counted>(e));
            CHECK_FALSE(world.alive(lost));
            CHECK_FALSE(world.has<Counted>(f));
            CHECK_FALSE(world.alive(never));
            CHECK(later.empty());
            CHECK(Counted::ledger().alive == 2);
            world.check();
            CHECK(world.flush() == FlushReport{});
            // The ids that were not used are used now, with another generation.
            const Entity first = world.spawn();
            const Entity second = world.spawn();
            CHECK(first.index() == lost.index());
            CHECK(second.index() == never.index());
            CHECK_FALSE(world.alive(lost));
            CHECK_FALSE(world.alive(never));
            world.check();
        }
        CHECK(Counted::ledger().alive == 0);
        CHECK(Counted::ledger().wrong == 0);
    }

    TEST_CASE("an edit that throws in the middle of a chain happens at its own place in the order") {
        for (std::uint64_t nth = 0; nth < 4; ++nth) {
            CAPTURE(nth);
            World world;
            const Entity a = world.spawn();
            const Entity b = world.spawn();
            Commands& later = world.commands();
            later.add<Counted>(a);  // construction 0
            later.add<Position>(b);
            later.add<Counted2>(a);  // construction 1
            later.add<Velocity>(b);
            later.add<Counted, Red>(b);  // construction 2
            later.add<Blue>(a);
            {
                const ConstructionFaults faults{nth};
                if (nth < 3) {
                    CHECK_THROWS_AS(world.flush(), PlannedFault);
                } else {
                    CHECK(world.flush().applied == 6);
                }
            }
            CHECK(world.has<Counted>(a) == (nth > 0));
            CHECK(world.has<Position>(b) == (nth > 0));
            CHECK(world.has<Counted2>(a) == (nth > 1));
            CHECK(world.has<Velocity>(b) == (nth > 1));
            CHECK(world.has<Red>(b) == (nth > 2));
            CHECK(world.has<Counted>(b) == (nth > 2));
            CHECK(world.has<Blue>(a) == (nth > 2));
            world.check();
        }
    }

    TEST_CASE("an exception out of run leaves what it did, and drops the rest") {
        World world;
        Commands& later = world.commands();
        later.run([](World& inside) {
            inside.spawn(Position{});
            throw std::runtime_error("enough");
        });
        later.spawn(Velocity{});
        CHECK_THROWS_AS(world.flush(), std::runtime_error);
        CHECK(world.size() == 1);
        CHECK(later.empty());
        world.check();
    }

    TEST_CASE("a walk that a run leaves open stops the flush") {
        World world;
        world.spawn(Position{});
        auto query = world.query<Position>();
        using Iterator = decltype(query.begin());
        std::unique_ptr<Iterator> open;
        world.commands().run([&](World&) { open.reset(new Iterator(query.begin())); });
        world.commands().spawn(Position{});
        CHECK(throws(Errc::locked, [&] { world.flush(); }));
        open.reset();
        CHECK(world.size() == 1);
        world.check();
    }

    TEST_CASE("a buffer may be moved or destroyed by one of its own commands") {
        Counted::ledger().reset();
        {
            World world;
            auto own = std::make_unique<Commands>(world);
            own->run([&](World&) { own.reset(); });
            const Entity e = own->spawn(Counted{1});
            CHECK(own->flush() == FlushReport{2, 0});
            CHECK(world.alive(e));

            Commands from{world};
            Commands to{world};
            from.run([&](World&) {
                from.spawn(Counted{2});
                to = std::move(from);
            });
            CHECK(from.flush() == FlushReport{1, 0});
            CHECK(to.size() == 1);
            CHECK(to.flush() == FlushReport{1, 0});
            CHECK(world.size() == 2);
            world.check();
        }
        CHECK(Counted::ledger().alive == 0);
    }

    TEST_CASE("a buffer that becomes one of another world in the middle of its flush keeps that world's commands") {
        World one;
        World two;
        Commands buffer{one};
        Commands other{two};
        const Entity e = other.spawn(Position{5, 5});
        buffer.run([&](World&) { buffer = std::move(other); });
        buffer.spawn(Velocity{});
        CHECK(buffer.flush() == FlushReport{2, 0});
        CHECK(one.size() == 1);
        CHECK(two.size() == 0);
        CHECK(buffer.flush() == FlushReport{1, 0});
        CHECK(two.has<Position>(e));
        one.check();
        two.check();
    }

    TEST_CASE("a world that ends in the middle of a flush ends it") {
        Counted::ledger().reset();
        {
            auto world = std::make_unique<World>();
            Commands own{*world};
            own.spawn(Counted{1});
            own.run([&](World&) { world.reset(); });
            own.spawn(Counted{2});
            CHECK(own.flush().applied == 2);
            CHECK(throws(Errc::world_gone, [&] { own.flush(); }));
        }
        {
            auto world = std::make_unique<World>();
            world->commands().run([&](World&) { world.reset(); });
            world->commands().spawn(Counted{3});
            CHECK(world->flush().applied == 1);
        }
        CHECK(Counted::ledger().alive == 0);
        CHECK(Counted::ledger().wrong == 0);
    }

    TEST_CASE("the end of a world destroys what its buffer holds") {
        Counted::ledger().reset();
        {
            World world;
            world.commands().spawn(Counted{1});
            world.commands().set(Entity{}, Counted{2}, SparseCounted{3});
            world.commands().run([held = Counted{4}](World&) { static_cast<void>(held); });
        }
        CHECK(Counted::ledger().alive == 0);
        CHECK(SparseCounted::ledger().alive == 0);
    }
}
