// Guards that worlds are independent of each other: any number, any order of first use, no shared state
// (EC-1, SY-1, W-SY-5, W-AI-7).

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

using stoa::Entity;
using stoa::World;

namespace {

struct A {
    int value = 0;
};

struct B {
    std::string value;
};

template <int N>
struct Numbered {
    int value = N;
};

}  // namespace

TEST_CASE("two worlds do not see each other's entities") {
    World one;
    World two;
    const Entity a = one.spawn(A{1});
    const Entity b = two.spawn(A{2});
    CHECK(one.get<const A>(a).value == 1);
    CHECK(two.get<const A>(b).value == 2);
    one.despawn(a);
    CHECK(two.alive(b));
    CHECK(two.size() == 1);
    CHECK(one.size() == 0);
}

TEST_CASE("worlds may use component types in different orders") {
    World one;
    World two;
    const Entity a = one.spawn(A{1}, B{"1"});
    const Entity b = two.spawn(B{"2"}, A{2});
    one.add<Numbered<1>>(a);
    two.add<Numbered<2>>(b);
    two.add<Numbered<1>>(b);
    CHECK(one.get<const B>(a).value == "1");
    CHECK(two.get<const B>(b).value == "2");
    CHECK(two.get<const Numbered<2>>(b).value == 2);
    CHECK_FALSE(one.has<Numbered<2>>(a));
    one.check();
    two.check();
}

TEST_CASE("a type used in one world is not used in another") {
    World one;
    World two;
    one.spawn(Numbered<10>{}, Numbered<11>{}, Numbered<12>{});
    two.spawn(A{});
    CHECK(two.stats().components <= 1);
    CHECK(two.stats().tables < one.stats().tables + 1);
}

TEST_CASE("hundreds of worlds live at the same time") {
    std::vector<std::unique_ptr<World>> worlds;
    std::vector<Entity> made;
    for (int i = 0; i < 300; ++i) {
        worlds.push_back(std::make_unique<World>());
        made.push_back(worlds.back()->spawn(A{i}, B{std::to_string(i)}));
    }
    for (std::size_t i = 0; i < 300; i += 2) worlds[i].reset();
    for (std::size_t i = 1; i < 300; i += 2) {
        CHECK(worlds[i]->get<const A>(made[i]).value == static_cast<int>(i));
        CHECK(worlds[i]->get<const B>(made[i]).value == std::to_string(i));
        worlds[i]->check();
    }
}

TEST_CASE("a world made after another ended begins anew") {
    for (int i = 0; i < 20; ++i) {
        World world;
        CHECK(world.size() == 0);
        const Entity e = world.spawn(A{i});
        CHECK(e.index() == 0);
        CHECK(e.generation() == 1);
        world.add<B>(e);
        CHECK(world.get<const A>(e).value == i);
    }
}

TEST_CASE("an entity of one world can be remembered in a component of another") {
    World one;
    World two;
    const Entity target = one.spawn(A{5});
    const Entity e = two.spawn(target);
    CHECK(one.get<const A>(two.get<const Entity>(e)).value == 5);
}
