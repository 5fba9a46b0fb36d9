// Guards set and emplace: both add or replace, and leave everything else alone (AI-6, AI-7).

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using stoa::Entity;
using stoa::World;

namespace {

struct A {
    int x = 0;
    int y = 0;
};

struct B {
    std::string text;
};

struct Built {
    Built(int first, std::string second) : number(first), text(std::move(second)) {}
    explicit Built(std::unique_ptr<int> pointer) : number(*pointer) {}
    int number;
    std::string text;
};

struct S {
    std::string text;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

struct NotAssignable {
    explicit NotAssignable(int number) : value(number) {}
    const int value;
};

}  // namespace

TEST_CASE("set adds what is absent") {
    World world;
    const Entity e = world.spawn();
    world.set(e, A{1, 2}, B{"b"});
    CHECK(world.get<const A>(e).y == 2);
    CHECK(world.get<const B>(e).text == "b");
}

TEST_CASE("set replaces what is present") {
    World world;
    const Entity e = world.spawn(A{1, 2}, B{"b"});
    const auto tables = world.stats().tables;
    world.set(e, A{3, 4});
    CHECK(world.get<const A>(e).x == 3);
    CHECK(world.get<const B>(e).text == "b");
    CHECK(world.stats().tables == tables);
}

TEST_CASE("set adds and replaces in one call and one move") {
    World world;
    const Entity e = world.spawn(A{1, 2});
    const auto tables = world.stats().tables;
    world.set(e, B{"new"}, A{5, 6}, S{"sparse"}, 3.5);
    CHECK(world.get<const A>(e).x == 5);
    CHECK(world.get<const B>(e).text == "new");
    CHECK(world.get<const S>(e).text == "sparse");
    CHECK(world.get<const double>(e) == 3.5);
    CHECK(world.stats().tables == tables + 1);
    world.check();
}

TEST_CASE("set returns nothing") {
    World world;
    const Entity e = world.spawn();
    static_assert(std::is_void_v<decltype(world.set(e, A{}))>);
    world.set(e, A{});
    CHECK(world.has<A>(e));
}

TEST_CASE("set copies from lvalues and moves from rvalues") {
    World world;
    const Entity e = world.spawn();
    B kept{std::string(50, 'k')};
    world.set(e, kept);
    CHECK(kept.text == std::string(50, 'k'));
    world.set(e, std::move(kept));
    CHECK(kept.text.empty());
    CHECK(world.get<const B>(e).text == std::string(50, 'k'));
}

TEST_CASE("set takes move-only values, absent or present") {
    World world;
    const Entity e = world.spawn();
    world.set(e, std::make_unique<int>(1));
    world.set(e, std::make_unique<int>(2));
    CHECK(*world.get<std::unique_ptr<int>>(e) == 2);
}

TEST_CASE("set replaces a value that cannot be assigned") {
    World world;
    const Entity e = world.spawn(NotAssignable{1});
    world.set(e, NotAssignable{2});
    CHECK(world.get<const NotAssignable>(e).value == 2);
    world.emplace<NotAssignable>(e, 3);
    CHECK(world.get<const NotAssignable>(e).value == 3);
}

TEST_CASE("emplace builds from arguments and gives a reference to the new value") {
    World world;
    const Entity e = world.spawn();
    Built& built = world.emplace<Built>(e, 3, "three");
    CHECK(built.number == 3);
    CHECK(built.text == "three");
    CHECK(&built == &world.get<Built>(e));
    built.number = 4;
    CHECK(world.get<const Built>(e).number == 4);
    static_assert(std::is_same_v<decltype(world.emplace<Built>(e, 3, "three")), Built&>);
}

TEST_CASE("emplace builds aggregates") {
    World world;
    const Entity e = world.spawn();
    CHECK(world.emplace<A>(e, 5, 6).y == 6);
    CHECK(world.emplace<A>(e, 7).y == 0);
    CHECK(world.emplace<A>(e).x == 0);
    CHECK(world.emplace<B>(e, "text").text == "text");
}

TEST_CASE("emplace replaces what is present") {
    World world;
    const Entity e = world.spawn(Built{1, "one"}, A{1, 1});
    world.emplace<Built>(e, 2, "two");
    CHECK(world.get<const Built>(e).text == "two");
    CHECK(world.get<const A>(e).x == 1);
    world.check();
}

TEST_CASE("emplace forwards move-only arguments") {
    World world;
    const Entity e = world.spawn();
    CHECK(world.emplace<Built>(e, std::make_unique<int>(9)).number == 9);
    CHECK(*world.emplace<std::unique_ptr<int>>(e, std::make_unique<int>(8)) == 8);
}

TEST_CASE("emplace calls constructors, not initializer lists") {
    World world;
    const Entity e = world.spawn();
    CHECK(world.emplace<std::vector<int>>(e, 3U, 7).size() == 3);
    CHECK(world.emplace<std::string>(e, 4U, 'x') == "xxxx");
}

TEST_CASE("emplace of an aggregate may leave members to their defaults, without a warning") {
    World world;
    const Entity e = world.spawn();
    struct Plain {
        int x;
        int y;
    };
    CHECK(world.emplace<Plain>(e, 4).x == 4);
    CHECK(world.get<const Plain>(e).y == 0);
}

TEST_CASE("emplace of numbers, enums and sparse components") {
    World world;
    const Entity e = world.spawn();
    CHECK(world.emplace<int>(e, 5) == 5);
    CHECK(world.emplace<int>(e) == 0);
    CHECK(world.emplace<S>(e, "s").text == "s");
    CHECK(world.emplace<S>(e, "t").text == "t");
    CHECK(world.get<const S>(e).text == "t");
    world.check();
}

TEST_CASE("a reference from emplace is good until the next change of structure") {
    World world;
    std::vector<Entity> made;
    for (int i = 0; i < 100; ++i) {
        made.push_back(world.spawn());
        world.emplace<A>(made.back(), i, i).y *= 2;
    }
    for (std::size_t i = 0; i < made.size(); ++i) CHECK(world.get<const A>(made[i]).y == 2 * static_cast<int>(i));
}
