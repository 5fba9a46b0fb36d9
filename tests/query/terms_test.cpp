// What each kind of term matches and gives.
#include <doctest/doctest.h>

#include <stoa/stoa.hpp>
#include <vector>

using namespace stoa;

namespace {

struct Position {
    int x = 0;
};
struct Velocity {
    int x = 0;
};
struct Frozen {};
struct Burning {
    int heat = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Marked {
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Grave {
    int depth = 0;
    static constexpr Traits stoa_traits{.cleanup = true};
};

template <class Q>
std::vector<Entity> all(const Q& query) {
    std::vector<Entity> out;
    query.collect(out);
    return out;
}

}  // namespace

TEST_CASE("T writes and const T reads what must be there") {
    World world;
    const Entity both = world.spawn(Position{1}, Velocity{2});
    world.spawn(Position{5});
    int calls = 0;
    world.query<Position, const Velocity>().each([&](Position& position, const Velocity& velocity) {
        position.x += velocity.x;
        ++calls;
    });
    CHECK(calls == 1);
    CHECK(world.get<const Position>(both).x == 3);
}

TEST_CASE("Maybe gives a pointer or null, for table and sparse components and tags") {
    World world;
    const Entity plain = world.spawn(Position{});
    const Entity rich = world.spawn(Position{}, Velocity{7}, Frozen{}, Burning{9});
    int seen = 0;
    world.query<const Position, Maybe<Velocity>, Maybe<const Burning>, Maybe<const Frozen>>().each(
        [&](Entity e, const Position&, Velocity* velocity, const Burning* burning, const Frozen* frozen) {
            ++seen;
            if (e == plain) CHECK((velocity == nullptr && burning == nullptr && frozen == nullptr));
            if (e == rich) CHECK((velocity->x == 7 && burning->heat == 9 && frozen != nullptr));
        });
    CHECK(seen == 2);
}

TEST_CASE("With, Without and tags filter and give nothing") {
    World world;
    const Entity a = world.spawn(Position{}, Frozen{});
    const Entity b = world.spawn(Position{});
    CHECK(all(world.query<const Position, Frozen>()) == std::vector{a});
    CHECK(all(world.query<With<Position, Frozen>>()) == std::vector{a});
    CHECK(all(world.query<Without<Frozen>>()) == std::vector{b});
    world.query<Position, Frozen>().each([](Position& position) { position.x = 1; });
    CHECK(world.get<const Position>(a).x == 1);
}

TEST_CASE("AnyOf wants one of a group, and groups are independent") {
    World world;
    const Entity a = world.spawn(Position{});
    const Entity b = world.spawn(Velocity{});
    const Entity c = world.spawn(Position{}, Burning{});
    const Entity d = world.spawn(Burning{});
    world.spawn(Frozen{});
    CHECK(world.query<AnyOf<Position, Velocity>>().count() == 3);
    CHECK(world.query<AnyOf<Velocity, Burning>>().count() == 3);
    CHECK(all(world.query<AnyOf<Position, Velocity>, AnyOf<Burning, Frozen>>()) == std::vector{c});
    CHECK(world.query<AnyOf<Position, Velocity>>().contains(a));
    CHECK(world.query<AnyOf<Position, Velocity>>().contains(b));
    CHECK_FALSE(world.query<AnyOf<Position, Velocity>>().contains(d));
}

TEST_CASE("Lacks wants one of a group to be absent, in tables and in sparse sets") {
    World world;
    const Entity none = world.spawn();
    const Entity one = world.spawn(Position{});
    const Entity both = world.spawn(Position{}, Velocity{});
    const Entity burning = world.spawn(Position{}, Burning{});
    const Entity everything = world.spawn(Position{}, Velocity{}, Burning{}, Marked{});
    CHECK(all(world.query<Lacks<Position, Velocity>>()) == std::vector{none, one, burning});
    CHECK(all(world.query<Lacks<Position, Burning>>()) == std::vector{none, one, both});
    CHECK(all(world.query<const Position, Lacks<Velocity, Burning>>()) == std::vector{one, burning, both});
    CHECK(all(world.query<Lacks<Burning, Marked>, With<Velocity>>()) == std::vector{both});
    CHECK(all(world.query<Lacks<Position, Velocity>, Lacks<Position, Burning>>()) == std::vector{none, one});
    CHECK_FALSE(world.query<Lacks<Position, Velocity>>().contains(everything));
    world.remove<Marked>(everything);
    CHECK(world.query<Lacks<Burning, Marked>>().contains(everything));
    CHECK(world.query<Lacks<Velocity, Burning>>().despawn_all() == 4);
    CHECK(world.size() == 1);
}

TEST_CASE("Lacks of one component is Without, and shows no ghosts") {
    World world;
    static_cast<void>(world.query<Without<Position>>());
    const std::size_t before = world.stats().queries;
    static_cast<void>(world.query<Lacks<Position>>());
    CHECK(world.stats().queries == before);
    static_cast<void>(world.query<Lacks<Position, Velocity>>());
    static_cast<void>(world.query<Lacks<Velocity, Position>>());
    CHECK(world.stats().queries == before + 1);
    const Entity ghost = world.spawn(Grave{3}, Position{});
    world.despawn(ghost);
    CHECK(world.query<Lacks<Grave, Position>>().empty());
    CHECK(all(world.query<const Grave, Lacks<Grave, Position>>()) == std::vector{ghost});
}

TEST_CASE("sparse components mix with table components, few of them or many") {
    World world;
    std::vector<Entity> burning;
    for (int i = 0; i < 1000; ++i) {
        const Entity e = world.spawn(Position{i});
        if (i % 97 == 0) world.set(e, Burning{i});
        if (i % 2 == 0) world.add<Marked>(e);
        if (i % 97 == 0) burning.push_back(e);
    }
    int sum = 0;
    world.query<const Position, Burning>().each([&](const Position& p, Burning& b) { sum += p.x == b.heat; });
    CHECK(sum == static_cast<int>(burning.size()));
    CHECK(all(world.query<const Burning>()) == burning);
    CHECK(world.query<Position, Marked>().count() == 500);
    CHECK(world.query<Position, Without<Marked>>().count() == 500);
    CHECK(world.query<const Burning, Without<Marked>>().count() == 5);
}

TEST_CASE("the empty query matches every living entity, and no ghost") {
    World world;
    world.spawn();
    world.spawn(Position{});
    const Entity ghost = world.spawn(Grave{3}, Position{});
    world.despawn(ghost);
    CHECK(world.query<>().count() == 2);
    CHECK(world.query<Without<Position>>().count() == 1);
}

TEST_CASE("a query that names a cleanup component matches ghosts") {
    World world;
    const Entity ghost = world.spawn(Grave{3}, Position{});
    const Entity living = world.spawn(Grave{4});
    world.despawn(ghost);
    CHECK(world.query<const Grave>().count() == 2);
    CHECK(world.query<const Grave>().contains(ghost));
    CHECK(world.query<const Grave, Without<Position>>().contains(living));
    int depth = 0;
    CHECK(world.query<const Grave>().fetch(ghost, [&](const Grave& grave) { depth = grave.depth; }));
    CHECK(depth == 3);
    CHECK(world.query<const Grave>().set_all(Position{8}) == 1);
    CHECK(world.get<const Position>(living).x == 8);
}
