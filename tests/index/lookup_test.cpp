// What an index finds: keys of every kind, every way to write, every way to go.
#include <doctest/doctest.h>

#include <string>
#include <stoa/stoa.hpp>

using namespace stoa;

namespace {
enum class Team { red, blue };
struct Unit { Team team = Team::red; int level = 0; };
struct Position { float x = 0, y = 0; };
}

TEST_CASE("an index finds entities by a member") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    OrderedIndex<&Unit::level> by_level{world};
    const Entity a = world.spawn(Unit{Team::red, 1}, Position{});
    const Entity b = world.spawn(Unit{Team::blue, 12}, Position{});
    world.spawn(Unit{Team::red, 20});
    const Entity d = world.spawn(Unit{Team::red, 30}, Position{});
    CHECK(by_team.count(Team::red) == 3);
    CHECK(by_team.find(Team::blue) == b);
    CHECK(by_level.find(1) == a);
    std::vector<Entity> found;
    world.query<Unit, Position>().where(by_team == Team::red, by_level >= 10).collect(found);
    CHECK(found == std::vector<Entity>{d});
    world.get<Unit>(a).level = 10;
    CHECK(world.query<Unit, Position>().where(by_team == Team::red, by_level >= 10).count() == 2);
    world.despawn(d);
    CHECK(by_team.count(Team::red) == 2);
    MESSAGE(world.query<Unit, Position>().where(by_team == Team::red, by_level >= 10).explain());
}
