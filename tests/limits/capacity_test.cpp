// A world with a limit on its entities: past it every form of spawning is refused with Errc::capacity, nothing is lost,
// and there is room again after a despawn.
#include "../support/handles.hpp"
#include "../support/snapshot.hpp"
#include "../support/values.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <span>
#include <string_view>
#include <vector>

using namespace stoa_test;

namespace {

bool refused(const std::function<void()>& spawn) {
    try {
        spawn();
    } catch (const stoa::Error& error) {
        return error.code() == stoa::Errc::capacity;
    }
    return false;
}

}  // namespace

TEST_SUITE("limits: capacity") {
    TEST_CASE("a world takes exactly as many entities as it may hold") {
        for (const std::size_t limit :
             {std::size_t{1}, std::size_t{2}, std::size_t{63}, std::size_t{64}, std::size_t{1000}, std::size_t{5000}}) {
            CAPTURE(limit);
            stoa::World world{stoa::WorldOptions{.max_entities = limit}};
            for (std::size_t i = 0; i < limit; ++i) {
                world.spawn(make<Position>(static_cast<int>(i)));
            }
            CHECK(world.size() == limit);
            CHECK(refused([&] { world.spawn(); }));
            CHECK(refused([&] { world.spawn(make<Position>(1)); }));
            CHECK(world.size() == limit);
            CHECK_NOTHROW(world.check());
        }
    }

    TEST_CASE("a reservation past the limit is refused by its own name") {
        stoa::World world{stoa::WorldOptions{.max_entities = 4}};
        for (const bool rows : {false, true}) {
            try {
                rows ? world.reserve<Position>(100) : world.reserve(100);
                FAIL("nothing was thrown");
            } catch (const stoa::Error& error) {
                CHECK(error.code() == stoa::Errc::capacity);
                CHECK(std::string_view(error.what()).starts_with("reserve: "));
            }
        }
    }

    TEST_CASE("every form of spawning past the limit is refused and changes nothing") {
        stoa::World world{stoa::WorldOptions{.max_entities = 4}};
        const stoa::Entity first = world.spawn(make<Counted>(1), make<Name>(5), make<Burning>(3));
        world.spawn(make<Position>(2));
        auto table = world.table<Counted, Name>();
        std::vector<stoa::Entity> ids(3);
        std::vector<Counted> column(3);
        const Snapshot before = take_snapshot(world, 16);
        const std::int64_t alive = Counted::ledger().alive;
        CHECK(refused([&] { world.spawn_many(3, make<Counted>(1)); }));
        CHECK(refused([&] { world.spawn_many(std::span{ids}, make<Counted>(1)); }));
        CHECK(refused([&] { world.spawn_columns(std::span{ids}, std::span{column}); }));
        CHECK(refused([&] { world.spawn_many(std::size_t{1} << 62, make<Position>(1)); }));
        world.spawn();
        world.spawn();
        CHECK(refused([&] { world.spawn(make<Counted>(1)); }));
        CHECK(refused([&] { world.spawn<Counted, Burning>(); }));
        CHECK(refused([&] { world.clone(first); }));
        CHECK(refused([&] { table.spawn(); }));
        CHECK(refused([&] { table.spawn(make<Counted>(1), make<Name>(1)); }));
        CHECK(refused([&] { table.spawn([](Counted&, Name&) {}); }));
        world.despawn(forge(2, 1));
        world.despawn(forge(3, 1));
        CHECK(Counted::ledger().alive == alive);
        CHECK(difference(before, take_snapshot(world, 16)) == "");
        CHECK_NOTHROW(world.check());
    }

    TEST_CASE("there is room again after a despawn, for a bulk too") {
        stoa::World world{stoa::WorldOptions{.max_entities = 8}};
        std::vector<stoa::Entity> ids(8);
        world.spawn_many(std::span{ids}, make<Position>(1));
        CHECK(refused([&] { world.spawn(); }));
        world.despawn(ids[3]);
        world.despawn(ids[1]);
        std::vector<stoa::Entity> more(2);
        world.spawn_many(std::span{more}, make<Name>(2));
        CHECK(more[0] == forge(3, 2));
        CHECK(more[1] == forge(1, 2));
        CHECK(refused([&] { world.spawn(); }));
        world.clear();
        CHECK_NOTHROW(world.spawn_many(8, make<Position>(1)));
        CHECK(refused([&] { world.spawn(); }));
        CHECK_NOTHROW(world.check());
    }

    TEST_CASE("a ghost keeps its place until its last component is removed") {
        stoa::World world{stoa::WorldOptions{.max_entities = 2}};
        const stoa::Entity marked = world.spawn(make<Grave>(1));
        world.spawn();
        world.despawn(marked);
        CHECK(world.size() == 1);
        CHECK(refused([&] { world.spawn(); }));
        CHECK(world.remove<Grave>(marked));
        CHECK(world.spawn() == forge(0, 2));
    }

    TEST_CASE("adding components is possible in a full world") {
        stoa::World world{stoa::WorldOptions{.max_entities = 1}};
        const stoa::Entity entity = world.spawn();
        CHECK(world.add<Position, Name>(entity));
        CHECK(world.remove<Name>(entity));
        CHECK_NOTHROW(world.set(entity, make<Counted>(1), make<Burning>(2)));
        CHECK_NOTHROW(world.check());
    }
}
