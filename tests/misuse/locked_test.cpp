// Runs every structural verb inside a locked walk: each throws Errc::locked with a sentence that names the operation
// and points to the commands, and the world is as it was. Reading, and writing values that are present, go on.

#include "../base/thrown.hpp"
#include "scene.hpp"

#include <doctest/doctest.h>

#include <array>
#include <span>
#include <string>
#include <tuple>

using namespace misuse_test;
using stoa::Entity;
using stoa::Errc;
using stoa::World;

namespace {

#define LOCKED_VERB(Type, word_, ...)                                            \
    struct Type {                                                                \
        static constexpr const char* word = word_;                               \
        static void run(World& world, [[maybe_unused]] Entity e) { __VA_ARGS__ } \
    }

LOCKED_VERB(Spawn, "spawn", world.spawn(););
LOCKED_VERB(SpawnValues, "spawn", world.spawn(Health{}, Burning{}););
LOCKED_VERB(SpawnTypes, "spawn", world.spawn<Health>(););
LOCKED_VERB(SpawnMany, "spawn_many", world.spawn_many(2, Health{}););
LOCKED_VERB(SpawnColumns, "spawn_columns", std::array<Entity, 1> ids{}; const std::array<Health, 1> healths{};
            world.spawn_columns(std::span{ids}, std::span{healths}););
LOCKED_VERB(Despawn, "despawn", world.despawn(e););
LOCKED_VERB(DespawnMany, "despawn_many", world.despawn_many({&e, 1}););
LOCKED_VERB(Add, "add", world.add<Armour>(e););
LOCKED_VERB(AddSparse, "add", world.add<double, Armour>(e););
LOCKED_VERB(AddValues, "add", world.add(e, Armour{}););
LOCKED_VERB(GetOrEmplace, "get_or_emplace", world.get_or_emplace<Armour>(e, 1););
LOCKED_VERB(Take, "take", static_cast<void>(world.take<Health>(e)););
LOCKED_VERB(SetAbsent, "set", world.set(e, Armour{}););
LOCKED_VERB(SetBoth, "set", world.set(e, Health{0}, Armour{}););
LOCKED_VERB(EmplaceAbsent, "emplace", world.emplace<Armour>(e, 1););
LOCKED_VERB(Remove, "remove", world.remove<Health>(e););
LOCKED_VERB(RemoveSparse, "remove", world.remove<Burning>(e););
LOCKED_VERB(RemoveAll, "remove_all", world.remove_all(e););
LOCKED_VERB(Replace, "replace", world.replace<Health>(e, Armour{}););
LOCKED_VERB(ReplaceSparse, "replace", world.replace<Burning>(e, Armour{}););
LOCKED_VERB(ReplacePresent, "replace", world.replace<Burning>(e, Health{}););
LOCKED_VERB(Clone, "clone", world.clone(e););
LOCKED_VERB(CopyAbsent, "copy", world.copy(forge(0, 1), e););  // the first entity of the scene has an Armour
LOCKED_VERB(Shrink, "shrink_to_fit", world.shrink_to_fit(););
LOCKED_VERB(ReserveRows, "reserve", world.reserve<Health, Armour>(100000););
LOCKED_VERB(ReserveTable, "reserve", world.table<Health, Armour>().reserve(100000););
LOCKED_VERB(Clear, "clear", world.clear(););
LOCKED_VERB(TableSpawn, "spawn", world.table<Health, Armour>().spawn(););
LOCKED_VERB(RefAdd, "add", world.entity(e).add<Armour>(););
LOCKED_VERB(RefDespawn, "despawn", world.entity(e).despawn(););

#undef LOCKED_VERB

using LockedVerbs = std::tuple<Spawn, SpawnValues, SpawnTypes, SpawnMany, SpawnColumns, Despawn, DespawnMany, Add,
                               AddSparse, AddValues, GetOrEmplace, Take, SetAbsent, SetBoth, EmplaceAbsent, Remove,
                               RemoveSparse, RemoveAll, Replace, ReplaceSparse, ReplacePresent, Clone, CopyAbsent,
                               Shrink, ReserveRows, ReserveTable, Clear, TableSpawn, RefAdd, RefDespawn>;

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("a structural verb inside a walk is refused", Verb, inside_walk) {
    Scene scene;
    const auto before = scene.fingerprint();
    int calls = 0;
    scene.world.table<Health, Armour>().each([&](Health&, Armour&) {
        if (++calls > 1) return;
        const auto error = api_test::thrown_by([&] { Verb::run(scene.world, scene.living); });
        REQUIRE(error);
        INFO(error->text);
        CHECK(error->code == Errc::locked);
        CHECK(error->says(Verb::word));
        CHECK(error->says("commands"));
        CHECK(scene.fingerprint() == before);
    });
    CHECK(calls > 1);
    CHECK(scene.fingerprint() == before);
    scene.world.check();
    Verb::run(scene.world, scene.living);
    scene.world.check();
}
TEST_CASE_TEMPLATE_APPLY(inside_walk, LockedVerbs);

TEST_CASE("values that are present can be written inside a walk") {
    Scene scene;
    World& world = scene.world;
    int calls = 0;
    world.table<Health, Armour>().each([&](Entity e, Health& h, Armour&) {
        ++calls;
        world.set(e, Armour{h.value + 1});
        world.emplace<Burning>(scene.living, 61);
        world.get<Body>(scene.living).value = 71;
        world.set(scene.living, Health{51}, Burning{62});
    });
    CHECK(calls > 0);
    CHECK(world.get<const Armour>(scene.filler[0]).value == 2);
    CHECK(world.get<const Burning>(scene.living).value == 62);
    CHECK(world.get<const Health>(scene.living).value == 51);
    world.check();
}

TEST_CASE("questions are answered inside a walk") {
    Scene scene;
    World& world = scene.world;
    world.table<Health, Armour>().each([&](Entity e, Health&, Armour&) {
        CHECK(world.alive(e));
        CHECK(world.has<Health, Armour>(e));
        CHECK_FALSE(world.alive(scene.dead));
        CHECK_FALSE(world.alive(scene.ghost));
        CHECK(world.find<const Body>(scene.ghost) != nullptr);
        CHECK(world.size() == scene.filler.size() + 2);
        CHECK(world.components(e).size() >= 2);
        CHECK(world.stats().entities == world.size());
    });
}

TEST_CASE("table handles can be asked for inside a walk") {
    Scene scene;
    World& world = scene.world;
    int calls = 0;
    world.table<Health, Armour>().each([&](Health&, Armour&) {
        ++calls;
        CHECK(world.table<Health, double>().size() == 0);
        CHECK(world.table<Armour, Health>().size() == scene.filler.size() + 1);
    });
    CHECK(calls == static_cast<int>(scene.filler.size()) + 1);
    world.check();
}

TEST_CASE("demands on dead entities inside a walk name the dead entity, not the lock") {
    Scene scene;
    scene.world.table<Health, Armour>().each([&](Health&, Armour&) {
        CHECK(api_test::throws(Errc::dead_entity, [&] { scene.world.get<Health>(scene.dead); }));
        CHECK(api_test::throws(Errc::missing_component, [&] { scene.world.get<Armour>(scene.living); }));
    });
}
