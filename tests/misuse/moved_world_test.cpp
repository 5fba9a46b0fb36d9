// Runs every verb on a world that was moved away: questions, and the verbs that answer whether they did something, say
// no; demands throw Errc::world_gone; and the world that now holds the content is as it was.

#include "../base/thrown.hpp"
#include "verbs.hpp"

#include <doctest/doctest.h>

#include <array>
#include <span>
#include <utility>
#include <vector>

using namespace misuse_test;
using api_test::thrown_by;
using stoa::Entity;
using stoa::Errc;
using stoa::World;

TEST_CASE_TEMPLATE_DEFINE("a world that was moved away holds nothing", Verb, moved_world) {
    Scene scene;
    World gone = std::move(scene.world);
    scene.world = std::move(gone);  // `gone` is the world that was moved away, the scene has its content again
    const auto before = scene.fingerprint();
    bool yes = false;
    const auto error = thrown_by([&] { yes = Verb::run(scene, gone, scene.living); });
    if constexpr (Verb::kind != Kind::demand) {
        CHECK_FALSE(error);
        CHECK_FALSE(yes);
    } else {
        REQUIRE(error);
        INFO(error->text);
        CHECK(error->code == Errc::world_gone);
        CHECK(error->says(Verb::word));
    }
    CHECK(scene.fingerprint() == before);
    scene.world.check();
}
TEST_CASE_TEMPLATE_APPLY(moved_world, Verbs);

namespace {

// True when `call` is refused because the world is gone, with a sentence that names the operation.
template <class Call>
bool is_gone(const char* word, Call&& call) {
    const auto error = thrown_by(std::forward<Call>(call));
    return error && error->code == Errc::world_gone && error->says(word);
}

}  // namespace

TEST_CASE("a world that was moved away spawns nothing") {
    World world;
    const World home = std::move(world);
    std::array<Entity, 2> ids{};
    const std::array<Health, 2> healths{};
    CHECK(is_gone("spawn", [&] { world.spawn(); }));
    CHECK(is_gone("spawn", [&] { world.spawn(Health{}); }));
    CHECK(is_gone("spawn", [&] { world.spawn<Health, Burning>(); }));
    CHECK(is_gone("spawn_many", [&] { world.spawn_many(2, Health{}); }));
    CHECK(is_gone("spawn_many", [&] { world.spawn_many(std::span{ids}, Health{}); }));
    CHECK(is_gone("spawn_columns", [&] { world.spawn_columns(std::span{ids}, std::span{healths}); }));
    CHECK_FALSE(bool(ids[0]));
    CHECK(home.size() == 0);
}

TEST_CASE("a world that was moved away reserves, clears and shrinks nothing") {
    World world;
    world.spawn(Health{});
    const World home = std::move(world);
    CHECK(is_gone("reserve", [&] { world.reserve(10); }));
    CHECK(is_gone("reserve", [&] { world.reserve<Health>(10); }));
    CHECK(is_gone("clear", [&] { world.clear(); }));
    CHECK(is_gone("despawn_many", [&] { world.despawn_many({}); }));
    CHECK(is_gone("shrink_to_fit", [&] { world.shrink_to_fit(); }));
    CHECK(is_gone("forget_types", [&] { world.forget_types(&home); }));
    CHECK(home.size() == 1);
}

TEST_CASE("a table handle of a world that was moved away spawns nothing") {
    World world;
    const World home = std::move(world);
    auto table = world.table<Health>();
    CHECK(is_gone("spawn", [&] { table.spawn(); }));
    CHECK(is_gone("spawn", [&] { table.spawn(Health{}); }));
    CHECK(is_gone("spawn", [&] { table.spawn([](Health&) {}); }));
    CHECK(is_gone("reserve", [&] { table.reserve(10); }));
    CHECK(table.size() == 0);
    CHECK(home.size() == 0);
}

TEST_CASE("a world that was moved away can be checked and asked about types") {
    World world;
    world.spawn(Health{});
    const World home = std::move(world);
    world.check();
    CHECK(world.component<Health>().size == sizeof(Health));
    CHECK(home.size() == 1);
}
