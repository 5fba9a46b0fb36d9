// Guards the names of components: a stable name where one is given, the type's own otherwise.

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <string>

using stoa::World;

namespace name_test {

struct Health {
    int points = 0;
};

struct Renamed {
    int points = 0;
    static constexpr stoa::Traits stoa_traits{.name = "game.health"};
};

template <class T>
struct Of {
    T value{};
};

enum class Mode { on };

}  // namespace name_test

namespace {

struct Hidden {
    int value = 0;
};

template <class T>
std::string name_of() {
    World world;
    return std::string{world.component<T>().name};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a component is called by its full type name") {
    CHECK(name_of<name_test::Health>() == "name_test::Health");
    CHECK(name_of<name_test::Mode>() == "name_test::Mode");
    CHECK(name_of<int>() == "int");
    CHECK(name_of<stoa::Entity>() == "stoa::Entity");
}

TEST_CASE("a component with a stable name is called by it") { CHECK(name_of<name_test::Renamed>() == "game.health"); }

TEST_CASE("the name of a template shows its argument") {
    CHECK(contains(name_of<name_test::Of<int>>(), "name_test::Of"));
    CHECK(contains(name_of<name_test::Of<int>>(), "int"));
    CHECK(name_of<name_test::Of<int>>() != name_of<name_test::Of<float>>());
}

TEST_CASE("the name of a hidden or local type contains what the source calls it") {
    struct Local {
        int value = 0;
    };
    CHECK(contains(name_of<Hidden>(), "Hidden"));
    CHECK(contains(name_of<Local>(), "Local"));
}

TEST_CASE("const does not change the name of a component") {
    World world;
    CHECK(std::string{world.component<name_test::Health>().name} == "name_test::Health");
    const auto e = world.spawn(name_test::Health{});
    REQUIRE(world.components(e).size() == 1);
    CHECK(std::string{world.components(e)[0].name} == "name_test::Health");
}
