// Guards describe and the text of handles.
#include <stoa/print.hpp>
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <sstream>
#include <string>

using stoa::Entity;
using stoa::World;

namespace {

struct Position {
    float x = 0;
    float y = 0;
};
struct Frozen {};
struct Burning {
    int heat = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse, .name = "Burning"};
};
struct Gravity {
    float g = 9.81f;
};

std::string text_of(Entity entity) {
    std::ostringstream out;
    out << entity;
    return out.str();
}

}  // namespace

TEST_CASE("an entity is written as its index and generation") {
    CHECK(text_of(Entity{}) == "null");
    CHECK(text_of(Entity::from_bits((std::uint64_t{3} << 32) | 12)) == "12v3");
}

TEST_CASE("describe writes an entity in one line") {
    World world;
    const Entity e = world.spawn(Position{}, Frozen{});
    std::string expected = text_of(e) + ":";
    for (const stoa::ComponentInfo& info : world.components(e)) {
        expected += (expected.back() == ':' ? " " : ", ") + std::string(info.name) + (info.size == 0 ? "" : "{\u2026}");
    }
    CHECK(world.describe(e) == expected);
    CHECK(world.describe(e).find("Frozen") != std::string::npos);
    world.set(e, Burning{3});
    CHECK(world.describe(e) == expected + ", Burning{\u2026}");
    const Entity empty = world.spawn();
    CHECK(world.describe(empty) == text_of(empty) + ":");
    world.despawn(e);
    CHECK(world.describe(e) == text_of(e) + ": dead");
    CHECK(world.describe(Entity{}) == "null");
}

TEST_CASE("describe writes a world on a page") {
    World world;
    world.spawn(Position{});
    world.spawn(Position{}, Frozen{});
    world.set_resource(Gravity{});
    const auto query = world.query<Position>();
    const std::string page = world.describe();
    CHECK(page.find("2 entities, 3 tables, 1 query, 1 resource") == 0);
    CHECK(page.find("Position{\u2026}: 1 row") != std::string::npos);
    CHECK(page.find("(no components): 0 rows") != std::string::npos);
    CHECK(page.find("Gravity") != std::string::npos);
    World moved = std::move(world);
    CHECK(world.describe().find("0 entities") == 0);
}
