// Guards what() of the errors in reach of plain entities: it names the operation, the entity, the component
// and what to do instead, in one sentence.

#include "thrown.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

using api_test::Thrown;
using api_test::thrown_by;
using stoa::Entity;
using stoa::Errc;
using stoa::World;

namespace {

struct Armour {
    int plates = 0;
};

struct Shield {
    int value = 0;
};

struct Banner {
    int colour = 0;
    static constexpr stoa::Traits stoa_traits{.name = "heraldry.banner"};
};

struct Unique {
    Unique() = default;
    Unique(const Unique&) = delete;
    Unique(Unique&&) noexcept = default;
    Unique& operator=(const Unique&) = delete;
    Unique& operator=(Unique&&) noexcept = default;
    ~Unique() = default;
    int serial = 0;
};

std::string digits(Entity e) { return std::to_string(e.index()); }

bool is_one_sentence(const std::string& text) { return text.size() > 10 && text.find('\n') == std::string::npos; }

}  // namespace

TEST_CASE("a missing component is named together with the operation and the entity") {
    World world;
    world.spawn_many(41, Armour{});
    const Entity e = world.spawn(Armour{});
    const auto error = thrown_by([&] { world.get<Shield>(e); });
    REQUIRE(error);
    CHECK(error->code == Errc::missing_component);
    CHECK(error->says("get"));
    CHECK(error->says("Shield"));
    CHECK(error->says(digits(e)));
    CHECK(is_one_sentence(error->text));
}

TEST_CASE("a missing component that may be absent points to find") {
    World world;
    const Entity e = world.spawn();
    const auto error = thrown_by([&] { world.get<Shield>(e); });
    REQUIRE(error);
    CHECK(error->says("find"));
}

TEST_CASE("a missing component is named without its const") {
    World world;
    const Entity e = world.spawn();
    const auto error = thrown_by([&] { (void)world.get<const Shield>(e); });
    REQUIRE(error);
    CHECK(error->says("Shield"));
}

TEST_CASE("a dead entity is named together with the operation and the component") {
    World world;
    world.spawn_many(73, Armour{});
    const Entity e = world.spawn(Armour{});
    world.despawn(e);
    const auto error = thrown_by([&] { world.set(e, Shield{}); });
    REQUIRE(error);
    CHECK(error->code == Errc::dead_entity);
    CHECK(error->says("set"));
    CHECK(error->says("Shield"));
    CHECK(error->says(digits(e)));
    CHECK(is_one_sentence(error->text));
}

TEST_CASE("a null entity is called null") {
    World world;
    const auto error = thrown_by([&] { world.get<Armour>(Entity{}); });
    REQUIRE(error);
    CHECK(error->says("null"));
}

TEST_CASE("a component that cannot be copied is named") {
    World world;
    world.spawn_many(52, Armour{});
    const Entity e = world.spawn(Unique{});
    const auto error = thrown_by([&] { world.clone(e); });
    REQUIRE(error);
    CHECK(error->code == Errc::not_copyable);
    CHECK(error->says("clone"));
    CHECK(error->says("Unique"));
    CHECK(error->says(digits(e)));
}

TEST_CASE("a full world names the limit and the operation") {
    World world{stoa::WorldOptions{.max_entities = 37}};
    world.spawn_many(37, Armour{});
    const auto error = thrown_by([&] { world.spawn(); });
    REQUIRE(error);
    CHECK(error->code == Errc::capacity);
    CHECK(error->says("spawn"));
    CHECK(error->says("37"));
}

TEST_CASE("a locked structure names the operation and points to the commands") {
    World world;
    auto table = world.table<Armour>();
    table.spawn();
    std::string text;
    table.each([&](Armour&) {
        const auto error = thrown_by([&] { world.spawn(); });
        REQUIRE(error);
        CHECK(error->code == Errc::locked);
        text = error->text;
    });
    const Thrown locked{Errc::locked, text};
    CHECK(locked.says("spawn"));
    CHECK(locked.says("commands"));
}

TEST_CASE("a world that was moved away is said to be gone") {
    World world;
    const Entity e = world.spawn(Armour{});
    const World home = std::move(world);
    const auto error = thrown_by([&] { world.get<Armour>(e); });
    REQUIRE(error);
    CHECK(error->code == Errc::world_gone);
    CHECK(error->says("get"));
    CHECK(home.alive(e));
}

TEST_CASE("a component with a name of its own is called by that name in errors") {
    World world;
    const Entity e = world.spawn();
    const auto error = thrown_by([&] { world.get<Banner>(e); });
    REQUIRE(error);
    CHECK(error->says("heraldry.banner"));
}
