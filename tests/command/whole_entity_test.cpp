// Guards recorded clones, copies, remove_all and changes of resources: what they do, when they are skipped, how they
// meet edits that fold, and what is left when they fail.
#include "../base/thrown.hpp"
#include "edits.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

using namespace command_test;
using stoa::Errc;
using stoa::FlushReport;

namespace {

struct Settings {
    std::string text;
};
struct Wind {
    std::unique_ptr<int> speed;
};

}  // namespace

TEST_CASE("a recorded clone gives the id of the copy now, and the copy at the flush") {
    World world;
    Commands& later = world.commands();
    const Entity model = world.spawn(make<Position>(1), make<Name>(2), make<Note>(3), make<Grave>(4));
    const Entity copy = later.clone(model);
    CHECK((copy && !world.alive(copy)));
    later.set(copy, make<Velocity>(5));
    later.set(model, make<Name>(6));
    const FlushReport report = world.flush();
    CHECK((report.applied == 3 && report.skipped == 0));
    CHECK((world.has<Position, Name, Note, Velocity>(copy) && !world.has<Grave>(copy)));
    CHECK(read(world.get<const Name>(copy)) == 2);
    CHECK(read(world.get<const Name>(model)) == 6);
    world.check();
}

TEST_CASE("a recorded clone or copy sees the edits before it, and none after it") {
    World world;
    Commands& later = world.commands();
    const Entity to = world.spawn();
    const Entity model = later.spawn(make<Position>(1));
    later.set(model, make<Name>(2));
    const Entity first = later.clone(model);
    later.set(model, make<Name>(3));
    later.remove<Position>(model);
    later.copy(model, to);
    later.set(model, make<Name>(4));
    const Entity second = later.clone(first);
    later.despawn(first);
    CHECK(world.flush().applied == 9);
    CHECK_FALSE(world.alive(first));
    CHECK((read(world.get<const Name>(second)) == 2 && world.has<Position>(second)));
    CHECK((read(world.get<const Name>(to)) == 3 && !world.has<Position>(to)));
    CHECK(read(world.get<const Name>(model)) == 4);
    world.check();
}

TEST_CASE("clones and copies of the dead are skipped, and the id of such a clone is used again") {
    World world{stoa::WorldOptions{.max_entities = 3}};
    Commands& later = world.commands();
    const Entity dead = world.spawn(make<Name>(1));
    const Entity living = world.spawn(make<Name>(2));
    const Entity never = later.clone(dead);
    CHECK(api_test::throws(Errc::capacity, [&] { later.clone(living); }));
    later.copy(dead, living);
    later.copy(living, dead);
    later.remove_all(dead);
    world.despawn(dead);
    const FlushReport report = world.flush();
    CHECK((report.applied == 0 && report.skipped == 4));
    CHECK_FALSE(world.alive(never));
    CHECK(read(world.get<const Name>(living)) == 2);
    world.spawn();
    world.spawn();
    CHECK(world.size() == 3);
    world.check();
}

TEST_CASE("what cannot be copied is refused by the flush, and the id of its clone is given back") {
    World world{stoa::WorldOptions{.max_entities = 3}};
    Commands& later = world.commands();
    const Entity owner = world.spawn(make<Owner>(1));
    const Entity other = world.spawn();
    later.clone(owner);
    CHECK(api_test::throws(Errc::not_copyable, [&] { world.flush(); }));
    later.copy(owner, other);
    CHECK(api_test::throws(Errc::not_copyable, [&] { world.flush(); }));
    CHECK(world.components(other).empty());
    world.spawn();
    CHECK(world.size() == 3);
    world.check();
}

TEST_CASE("a clone that is never flushed gives its id back") {
    World world{stoa::WorldOptions{.max_entities = 2}};
    const Entity model = world.spawn(make<Name>(1));
    {
        Commands own{world};
        CHECK(own.clone(model));
    }
    {
        Commands own{world};
        CHECK(own.clone(model));
        own.clear();
        CHECK(own.empty());
    }
    CHECK(world.alive(world.spawn()));
}

TEST_CASE("a callback that throws leaves the clone") {
    World world;
    const Entity model = world.spawn(make<Name>(1));
    const auto thrower = world.query<const Name>().on_enter([] { throw std::runtime_error("callback"); });
    const Entity copy = world.commands().clone(model);
    CHECK_THROWS_AS(world.flush(), std::runtime_error);
    CHECK(world.alive(copy));
    CHECK(world.alive(world.spawn()));
    world.check();
}

TEST_CASE("a recorded remove_all stands between the edits before and after it") {
    World world;
    Commands& later = world.commands();
    const Entity e = world.spawn(make<Position>(1), make<Note>(2), make<Grave>(3));
    later.set(e, make<Velocity>(4));
    later.remove_all(e);
    later.set(e, make<Name>(5));
    later.remove_all(later.spawn(make<Name>(6)));
    CHECK(world.flush().applied == 5);
    CHECK((world.has<Grave, Name>(e) && world.components(e).size() == 2));
    later.remove_all(e);
    later.remove_all(e);  // nothing is left, and it counts as applied
    CHECK(world.flush().applied == 2);
    CHECK(world.components(e).size() == 1);
    world.check();
}

TEST_CASE("resources are set and removed at the flush") {
    World world;
    Commands& later = world.commands();
    later.set_resource(Settings{"first"});
    later.set_resource(Wind{std::make_unique<int>(7)});
    CHECK_FALSE((world.has_resource<Settings>()));
    CHECK(world.flush().applied == 2);
    CHECK(world.resource<const Settings>().text == "first");
    CHECK(*world.resource<const Wind>().speed == 7);
    Settings second{"second"};
    later.set_resource(second);
    later.run([](World& inside) { CHECK(inside.resource<const Settings>().text == "second"); });
    later.remove_resource<Settings>();
    later.remove_resource<Settings>();
    CHECK(world.flush().applied == 4);
    CHECK_FALSE((world.has_resource<Settings>()));
    CHECK(second.text == "second");
    later.set_resource(Settings{"never"});
    later.clear();
    world.flush();
    CHECK_FALSE((world.has_resource<Settings>()));
}

TEST_CASE("a family hears of a resource that the flush sets") {
    World world;
    world.spawn(make<Position>(1));
    int active = 0;
    const auto on = world.query<const Position, stoa::Needs<Settings>>().on_activate([&] { ++active; });
    const auto off = world.query<const Position, stoa::Needs<Settings>>().on_deactivate([&] { --active; });
    world.commands().set_resource(Settings{"here"});
    world.flush();
    CHECK(active == 1);
    world.commands().remove_resource<Settings>();
    world.flush();
    CHECK(active == 0);
}

TEST_CASE("all of these may be recorded while the structure is locked, and not without a world") {
    std::optional<World> world{std::in_place};
    const Entity e = world->spawn(make<Position>(1));
    Commands own{*world};
    world->query<const Position>().each([&](Entity each, const Position&) {
        const Entity copy = own.clone(each);
        own.copy(each, copy);
        own.remove_all(each);
        own.set_resource(Settings{"locked"});
        own.remove_resource<Settings>();
    });
    CHECK(own.flush().applied == 5);
    CHECK(world->components(e).empty());
    world.reset();
    CHECK(api_test::throws(Errc::world_gone, [&] { own.clone(e); }));
    CHECK(api_test::throws(Errc::world_gone, [&] { own.copy(e, e); }));
    CHECK(api_test::throws(Errc::world_gone, [&] { own.remove_all(e); }));
    CHECK(api_test::throws(Errc::world_gone, [&] { own.replace<Position>(e, Red{}); }));
    CHECK(api_test::throws(Errc::world_gone, [&] { own.set_resource(Settings{}); }));
    CHECK(api_test::throws(Errc::world_gone, [&] { own.remove_resource<Settings>(); }));
}
