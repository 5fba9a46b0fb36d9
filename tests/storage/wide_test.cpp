// Guards entities with very many components and worlds with very many types: no fixed limit (W-TI-11).

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <utility>
#include <vector>

using stoa::Entity;
using stoa::World;

namespace {

template <int N>
struct Part {
    int value = N;
};

template <int... Ns>
void add_one_by_one(World& world, Entity e, std::integer_sequence<int, Ns...>) {
    (world.add<Part<Ns>>(e), ...);
}

template <int... Ns>
bool all_right(World& world, Entity e, std::integer_sequence<int, Ns...>) {
    return ((world.has<Part<Ns>>(e) && world.get<const Part<Ns>>(e).value == Ns) && ...);
}

template <int... Ns>
Entity spawn_at_once(World& world, std::integer_sequence<int, Ns...>) {
    return world.spawn<Part<Ns>...>();
}

template <int... Ns>
void remove_one_by_one(World& world, Entity e, std::integer_sequence<int, Ns...>) {
    (world.remove<Part<Ns>>(e), ...);
}

template <int N>
struct Far {
    int value = 0;
};
// Types get their ids in the order in which they are first asked for. Below the typed interface, because a thousand
// copies of a verb take the compiler long.
template <int... Ns>
void meet_all(std::integer_sequence<int, Ns...>) {
    const stoa::detail::Store store(stoa::WorldOptions{});
    for (stoa::detail::TypeHandle* slot : {&stoa::detail::type_handle<Far<Ns>>...})
        static_cast<void>(store.id_of(*slot));
}

using Many = std::make_integer_sequence<int, 120>;

}  // namespace

TEST_CASE("an entity may have more than a hundred components") {
    World world;
    const Entity e = world.spawn();
    add_one_by_one(world, e, Many{});
    CHECK(all_right(world, e, Many{}));
    CHECK(world.components(e).size() == 120);
    world.check();
    remove_one_by_one(world, e, Many{});
    CHECK(world.components(e).empty());
    CHECK(world.alive(e));
    world.check();
}

TEST_CASE("an entity may be spawned with seventy components at once") {
    World world;
    const Entity e = spawn_at_once(world, std::make_integer_sequence<int, 70>{});
    CHECK(all_right(world, e, std::make_integer_sequence<int, 70>{}));
    CHECK(world.components(e).size() == 70);
    const Entity twin = world.clone(e);
    CHECK(all_right(world, twin, std::make_integer_sequence<int, 70>{}));
    world.check();
}

TEST_CASE("components whose ids lie far apart are found, walked and written") {
    constexpr int last = 1030;
    meet_all(std::make_integer_sequence<int, last + 1>{});
    World world;
    std::vector<Entity> ids;
    // Growing moves the columns.
    for (int i = 0; i < 100; ++i) ids.push_back(world.spawn(Far<0>{i}, Far<last>{2 * i}));
    for (int i = 0; i < 100; ++i) {
        CHECK(world.get<const Far<0>>(ids[static_cast<std::size_t>(i)]).value == i);
        CHECK(world.get<const Far<last>>(ids[static_cast<std::size_t>(i)]).value == 2 * i);
    }
    CHECK_FALSE(world.has<Far<300>>(ids[0]));
    world.add<Far<300>>(ids[0]);

    int with_middle = 0;
    world.query<Far<0>, const Far<last>, stoa::Maybe<const Far<300>>>().each(
        [&](Far<0>& a, const Far<last>& b, const Far<300>* middle) {
            CHECK(b.value == 2 * a.value);
            a.value = -a.value;
            with_middle += middle != nullptr;
        });
    CHECK(with_middle == 1);
    CHECK(world.query<Far<0>, stoa::Without<Far<300>>>().count() == 99);
    CHECK(world.get<const Far<0>>(ids[99]).value == -99);

    const Entity near = world.spawn(Far<0>{7});
    CHECK_FALSE(world.has<Far<300>>(near));
    CHECK(world.find<Far<last>>(near) == nullptr);
    world.set(near, Far<300>{8});
    CHECK(world.get<const Far<300>>(near).value == 8);
    CHECK(world.get<const Far<0>>(near).value == 7);
    CHECK_FALSE(world.has<Far<last>>(near));
    world.check();
}

TEST_CASE("components that share a bit in the digests of tables are told apart by queries that were there first") {
    meet_all(std::make_integer_sequence<int, 200>{});
    World world;
    const auto near = world.query<const Far<1>>();
    const auto far = world.query<const Far<65>>();
    const auto both = world.query<const Far<1>, const Far<129>>();
    const auto neither = world.query<stoa::Without<Far<1>>, stoa::Without<Far<65>>>();
    const Entity one = world.spawn(Far<1>{});
    const Entity other = world.spawn(Far<65>{});
    const Entity pair = world.spawn(Far<1>{}, Far<65>{});
    const Entity third = world.spawn(Far<1>{}, Far<129>{});
    CHECK(near.count() == 3);
    CHECK(near.contains(one));
    CHECK(far.count() == 2);
    CHECK(far.contains(other));
    CHECK(far.contains(pair));
    CHECK(both.count() == 1);
    CHECK(both.contains(third));
    CHECK(neither.count() == 0);
    CHECK(world.query<const Far<129>>().count() == 1);
    world.check();
}
