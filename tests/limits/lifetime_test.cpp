// The life of a world: what it holds is destroyed exactly once at its end, and moving it takes everything along, so
// that handles keep their meaning.
#include "../support/fault_allocator.hpp"
#include "../support/handles.hpp"
#include "../support/snapshot.hpp"
#include "../support/values.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <span>
#include <utility>
#include <vector>

using namespace stoa_test;

namespace {

stoa::Entity populate(stoa::World& world) {
    const stoa::Entity marked = world.spawn(make<Counted>(1), make<Tomb>(2), make<Grave>(3), Haunted{});
    for (int i = 0; i < 100; ++i) {
        const stoa::Entity entity = world.spawn(make<Counted>(i), make<Name>(i), make<SparseCounted>(i), Red{});
        world.emplace<Pinned>(entity, i);
        world.add<PooledCounted, Bag, Crate, Hollow>(entity);
        if (i % 3 == 0) {
            world.despawn(entity);
        }
        if (i % 3 == 1) {
            world.remove<Name, PooledCounted>(entity);
        }
    }
    world.despawn(marked);
    return marked;
}

void check_balance() {
    CHECK(Counted::ledger().alive == 0);
    CHECK(Counted2::ledger().alive == 0);
    CHECK(SparseCounted::ledger().alive == 0);
    CHECK(Pinned::ledger().alive == 0);
    CHECK(PooledCounted::ledger().alive == 0);
    CHECK(Tomb::ledger().alive == 0);
    CHECK(Hollow::ledger().alive == 0);
    CHECK(Counted::ledger().wrong + SparseCounted::ledger().wrong + Pinned::ledger().wrong +
              PooledCounted::ledger().wrong + Tomb::ledger().wrong ==
          0);
}

}  // namespace

TEST_SUITE("limits: lifetime") {
    TEST_CASE("the end of a world destroys each value once, of ghosts and pools too") {
        for (int round = 0; round < 2; ++round) {
            const std::int64_t blocks = live_blocks();
            {
                stoa::World world;
                populate(world);
                CHECK(Counted::ledger().alive == 66);
                CHECK(Tomb::ledger().alive == 1);
            }
            check_balance();
            CHECK((round == 0 || live_blocks() == blocks));
        }
    }

    TEST_CASE("clear destroys each value once, of ghosts too") {
        stoa::World world;
        populate(world);
        world.clear();
        CHECK(Counted::ledger().alive == 0);
        CHECK(Tomb::ledger().alive == 0);
        CHECK(Pinned::ledger().alive == 0);
        CHECK(SparseCounted::ledger().alive == 0);
        CHECK(Hollow::ledger().alive == 0);
        CHECK_NOTHROW(world.check());
    }

    TEST_CASE("spawning builds as many objects as are asked for, and copies no more than it must") {
        stoa::World world;
        Counted::ledger().reset();
        world.spawn<Counted>();
        CHECK(Counted::ledger().constructed == 1);
        CHECK(Counted::ledger().copied == 0);
        const auto value = make<Counted>(4);
        Counted::ledger().copied = 0;
        world.spawn_many(10, value);
        CHECK(Counted::ledger().copied >= 10);
        CHECK(Counted::ledger().copied <= 11);
        CHECK(Counted::ledger().alive == 12);
    }

    TEST_CASE("a world that moved away took everything along") {
        stoa::World first;
        const stoa::Entity ghost = populate(first);
        auto table = first.table<Counted, Name>();
        const stoa::Entity before = table.spawn(make<Counted>(7), make<Name>(8));
        const Snapshot expected = take_snapshot(first, 200);
        const std::int64_t alive = Counted::ledger().alive;
        const Counted* address = first.find<const Counted>(before);

        stoa::World second = std::move(first);
        CHECK(difference(expected, take_snapshot(second, 200)) == "");
        CHECK(Counted::ledger().alive == alive);
        CHECK(second.find<const Counted>(before) == address);
        CHECK(second.has<Tomb>(ghost));
        CHECK_NOTHROW(second.check());

        const stoa::Entity after = table.spawn(make<Counted>(9), make<Name>(10));
        CHECK(second.alive(after));
        CHECK(read(second.get<const Counted>(after)) == 9);
    }

    TEST_CASE("a world assigned over another ends what the other held") {
        stoa::World first;
        const stoa::Entity kept = first.spawn(make<Counted>(1), make<Burning>(2));
        stoa::World second;
        populate(second);
        second = std::move(first);
        CHECK(Counted::ledger().alive == 1);
        CHECK(Pinned::ledger().alive == 0);
        CHECK(second.size() == 1);
        CHECK(second.alive(kept));
        CHECK(second.get<const Burning>(kept).heat == 2);
        CHECK_NOTHROW(second.check());
        CHECK(second.despawn(kept));
        CHECK(second.spawn() == forge(0, 2));
    }

    TEST_CASE("a world that was moved from is empty and can be given a new one") {
        stoa::World first;
        const stoa::Entity entity = first.spawn(make<Position>(1));
        stoa::World second = std::move(first);
        CHECK(!first.alive(entity));
        CHECK(first.size() == 0);
        CHECK(first.find<Position>(entity) == nullptr);
        CHECK_THROWS_AS(first.spawn(), stoa::Error);
        first = stoa::World{};
        CHECK(first.spawn(make<Position>(2)).index() == 0);
        CHECK(second.alive(entity));
        CHECK_NOTHROW(first.check());
    }

    TEST_CASE("worlds that swap places keep their entities apart") {
        stoa::World one;
        stoa::World two;
        const stoa::Entity in_one = one.spawn(make<Counted>(1));
        std::vector<stoa::Entity> in_two(3);
        two.spawn_many(std::span{in_two}, make<Name>(5));
        std::swap(one, two);
        CHECK(one.size() == 3);
        CHECK(two.size() == 1);
        CHECK(read(two.get<const Counted>(in_one)) == 1);
        CHECK(read(one.get<const Name>(in_two[2])) == 5);
        CHECK_NOTHROW(one.check());
        CHECK_NOTHROW(two.check());
    }

    TEST_CASE("a hundred worlds live side by side and end in any order") {
        const std::int64_t alive = Counted::ledger().alive;
        std::vector<std::unique_ptr<stoa::World>> worlds;
        for (int i = 0; i < 100; ++i) {
            worlds.push_back(std::make_unique<stoa::World>());
            worlds.back()->spawn(make<Counted>(i), make<Note>(i));
        }
        for (std::size_t i = 0; i < worlds.size(); i += 2) {
            worlds[i].reset();
        }
        std::size_t wrong = 0;
        for (std::size_t i = 1; i < worlds.size(); i += 2) {
            wrong += read(worlds[i]->get<const Counted>(forge(0, 1))) != static_cast<int>(i) ? 1 : 0;
        }
        CHECK(wrong == 0);
        worlds.clear();
        CHECK(Counted::ledger().alive == alive);
    }
}
