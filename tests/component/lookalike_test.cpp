// Guards type identity inside one file against names that a compiler prints alike: local types, unnamed types, lambda
// tags and template arguments that differ only in their type. Each pair must be two components.

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using stoa::Alias;
using stoa::Entity;
using stoa::World;

// None of these types is hidden in an unnamed namespace, so that their whole printed names can be equal.
struct LookalikeTwin {
    int value = 0;
};

namespace lookalike_test {

struct Twin {
    int value = 0;
};

namespace inner {

struct Twin {
    int value = 0;
};

}  // namespace inner

template <auto Value>
struct Constant {
    int value = 0;
};

template <class... Ts>
struct Pack {
    int value = 0;
};

struct twin {
    int value = 0;
};

inline auto one() {
    struct Local {
        int value = 1;
    };
    return Local{};
}

inline auto two() {
    struct Local {
        int value = 2;
        int more = 3;
    };
    return Local{};
}

inline auto twin_inside() {
    struct LookalikeTwin {
        double wide = 0;
        int value = 0;
    };
    return LookalikeTwin{};
}

[[maybe_unused]] static struct {
    int value = 0;
} unnamed_first;

[[maybe_unused]] static struct {
    int value = 0;
} unnamed_second;

using LambdaFirst = Alias<int, decltype([] {})>;
using LambdaSecond = Alias<int, decltype([] {})>;

}  // namespace lookalike_test

using namespace lookalike_test;

namespace {

// True when A and B do not know each other in a world that has seen both.
template <class A, class B>
bool are_two_components() {
    static_assert(!std::is_same_v<A, B>);
    World world;
    const Entity a = world.spawn<A>();
    const Entity b = world.spawn<B>();
    const Entity both = world.spawn<A, B>();
    const bool apart = world.has<A>(a) && !world.has<B>(a) && world.has<B>(b) && !world.has<A>(b) &&
                       world.components(both).size() == 2 && world.component<A>().id != world.component<B>().id;
    world.check();
    return apart;
}

}  // namespace

TEST_CASE("equal names in different namespaces are two components") {
    CHECK(are_two_components<lookalike_test::Twin, lookalike_test::inner::Twin>());
}

TEST_CASE("names that differ in case only are two components") {
    CHECK(are_two_components<lookalike_test::Twin, twin>());
}

TEST_CASE("local types of two functions are two components") {
    CHECK(are_two_components<decltype(one()), decltype(two())>());
}

TEST_CASE("a local type and a global type of the same name are two components") {
    CHECK(are_two_components<LookalikeTwin, decltype(twin_inside())>());
}

TEST_CASE("templates over local types of the same name are two components") {
    CHECK(are_two_components<Pack<decltype(one())>, Pack<decltype(two())>>());
    CHECK(are_two_components<Alias<int, LookalikeTwin>, Alias<int, decltype(twin_inside())>>());
}

TEST_CASE("two unnamed types are two components") {
    CHECK(are_two_components<decltype(unnamed_first), decltype(unnamed_second)>());
}

TEST_CASE("two aliases tagged by lambdas are two components") {
    CHECK(are_two_components<LambdaFirst, LambdaSecond>());
}

TEST_CASE("constants of different types as template arguments make different components") {
    CHECK(are_two_components<Constant<1>, Constant<1U>>());
    CHECK(are_two_components<Constant<1>, Constant<1L>>());
    CHECK(are_two_components<Constant<1>, Constant<true>>());
    CHECK(are_two_components<Constant<1>, Constant<'\1'>>());
    CHECK(are_two_components<Constant<1>, Constant<2>>());
}

TEST_CASE("packs of different types make different components") {
    CHECK(are_two_components<Pack<int>, Pack<int, int>>());
    CHECK(are_two_components<Pack<int, float>, Pack<float, int>>());
    CHECK(are_two_components<Pack<const int>, Pack<int>>());
    CHECK(are_two_components<Pack<int&>, Pack<int>>());
}
