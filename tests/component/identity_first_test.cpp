// Guards type identity across files: two types are two components even if their names are equal, one type is one
// component wherever it is named (EC-5, SY-4, W-EC-3).

#include "identity.hpp"

#include <doctest/doctest.h>

using identity_test::Shared;
using identity_test::Wrapped;
using stoa::Entity;
using stoa::World;

namespace {

struct Hidden {
    int value = 0;
};

struct Mover {
    int value = 0;
    void update() { ++value; }
};

}  // namespace

// Not in an unnamed namespace: the function alone makes the type local.
static auto make_local(int value) {
    struct Local {
        int value;
    };
    return Local{value};
}

using Local = decltype(make_local(0));

TEST_CASE("hidden types of two files are two components even if their names are equal") {
    World world;
    const Entity mine = world.spawn(Hidden{1});
    const Entity theirs = identity_test::spawn_second_hidden(world, 2);
    CHECK(world.has<Hidden>(mine));
    CHECK_FALSE(world.has<Hidden>(theirs));
    CHECK(identity_test::has_second_hidden(world, theirs));
    CHECK_FALSE(identity_test::has_second_hidden(world, mine));
    world.set(theirs, Hidden{3});
    CHECK(world.components(theirs).size() == 2);
    CHECK(world.get<const Hidden>(theirs).value == 3);
    CHECK(identity_test::second_hidden_value(world, theirs) == 2);
    world.check();
}

TEST_CASE("a template over hidden types of two files is two components") {
    World world;
    const Entity mine = world.spawn(Wrapped<Hidden>{{1}});
    const Entity theirs = identity_test::spawn_second_wrapped(world, 2);
    CHECK_FALSE(world.has<Wrapped<Hidden>>(theirs));
    CHECK_FALSE(identity_test::has_second_wrapped(world, mine));
    CHECK(identity_test::has_second_wrapped(world, theirs));
}

TEST_CASE("local types of equally named functions in two files are two components") {
    World world;
    const Entity mine = world.spawn(make_local(1));
    const Entity theirs = identity_test::spawn_second_local(world, 2);
    CHECK_FALSE(world.has<Local>(theirs));
    CHECK_FALSE(identity_test::has_second_local(world, mine));
    CHECK(identity_test::has_second_local(world, theirs));
}

TEST_CASE("hidden types of two files are two resources") {
    World world;
    identity_test::set_second_resource(world, 2);
    CHECK_FALSE(world.has_resource<Hidden>());
    world.set_resource(Hidden{1});
    CHECK(world.resource<const Hidden>().value == 1);
    CHECK(identity_test::second_resource(world) == 2);
    CHECK(world.remove_resource<Hidden>());
    CHECK(identity_test::second_resource(world) == 2);
    world.check();
}

TEST_CASE("hidden systems of two files are two systems") {
    World world;
    stoa::Schedule schedule(world);
    stoa::Phase& phase = schedule.add_phase("update");
    identity_test::add_second_system(phase);
    CHECK(identity_test::has_second_system(phase));
    CHECK(phase.find_system<Mover>() == nullptr);
    phase.add("first", Mover{7});
    REQUIRE(phase.find_system<Mover>() != nullptr);
    CHECK(phase.system<Mover>().value == 7);
    phase.remove<Mover>();
    CHECK(identity_test::has_second_system(phase));
}

TEST_CASE("a type from a header is one component in every file") {
    World world;
    const Entity theirs = identity_test::spawn_second_shared(world, 8);
    REQUIRE(world.has<Shared>(theirs));
    CHECK(world.get<const Shared>(theirs).value == 8);
    CHECK(world.component<Shared>().id == identity_test::second_shared_info(world).id);
    const auto tables = world.stats().tables;
    world.spawn(Shared{});
    CHECK(world.stats().tables == tables);
}

TEST_CASE("a local type of an inline function is one component in every file") {
    World world;
    const Entity theirs = identity_test::spawn_second_shared_local(world, 6);
    using SharedLocal = decltype(identity_test::shared_local());
    REQUIRE(world.has<SharedLocal>(theirs));
    CHECK(world.get<const SharedLocal>(theirs).value == 6);
}
