// Runs every verb on every kind of handle that names nothing alive: questions and answers say no, demands throw
// Errc::dead_entity with a sentence that names operation, component and entity, and the world is as it was.

#include "../base/thrown.hpp"
#include "verbs.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace misuse_test;
using stoa::Entity;
using stoa::Errc;

namespace {

template <class Verb>
void refuses(Scene& scene, Entity e) {
    const auto before = scene.fingerprint();
    bool yes = false;
    const auto error = api_test::thrown_by([&] { yes = Verb::run(scene, scene.world, e); });
    if constexpr (Verb::kind == Kind::demand) {
        REQUIRE(error);
        INFO(error->text);
        CHECK(error->code == Errc::dead_entity);
        CHECK(error->says(Verb::word));
        CHECK(error->says(Verb::component));
        CHECK(error->says(e ? std::to_string(e.index()) : std::string{"null"}));
    } else {
        CHECK_FALSE(error);
        CHECK_FALSE(yes);
    }
    CHECK(scene.fingerprint() == before);
    scene.world.check();
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("a null handle is refused", Verb, null_handle) {
    Scene scene;
    refuses<Verb>(scene, Entity{});
}
TEST_CASE_TEMPLATE_APPLY(null_handle, Verbs);

TEST_CASE_TEMPLATE_DEFINE("a dead handle is refused", Verb, dead_handle) {
    Scene scene;
    refuses<Verb>(scene, scene.dead);
}
TEST_CASE_TEMPLATE_APPLY(dead_handle, Verbs);

TEST_CASE_TEMPLATE_DEFINE("a stale handle is refused and spares the newcomer", Verb, stale_handle) {
    Scene scene;
    REQUIRE(scene.stale.index() == scene.newcomer.index());
    refuses<Verb>(scene, scene.stale);
}
TEST_CASE_TEMPLATE_APPLY(stale_handle, Verbs);

TEST_CASE_TEMPLATE_DEFINE("a handle of another world is refused", Verb, foreign_handle) {
    Scene scene;
    REQUIRE(scene.other.alive(scene.foreign));
    refuses<Verb>(scene, scene.foreign);
}
TEST_CASE_TEMPLATE_APPLY(foreign_handle, Verbs);

TEST_CASE_TEMPLATE_DEFINE("the next generation of a free slot is refused", Verb, next_generation) {
    Scene scene;
    REQUIRE(scene.never_used.index() == scene.dead.index());
    REQUIRE(scene.never_used.generation() == scene.dead.generation() + 1);
    refuses<Verb>(scene, scene.never_used);
}
TEST_CASE_TEMPLATE_APPLY(next_generation, Verbs);

TEST_CASE_TEMPLATE_DEFINE("forged bits are refused", Verb, forged_handle) {
    Scene scene;
    std::uint64_t random = 88172645463325252ULL;
    for (int i = 0; i < 20; ++i) {
        random ^= random << 13U;
        random ^= random >> 7U;
        random ^= random << 17U;
        refuses<Verb>(scene, Entity::from_bits(random));
    }
    const std::uint32_t index = scene.living.index();
    for (const Entity e : {forge(index, 0), forge(index, scene.living.generation() + 1), forge(index, 0x80000001U),
                           forge(index, 0xFFFFFFFFU), forge(0xFFFFFFFFU, 1), forge(0x7FFFFFFFU, 1)}) {
        refuses<Verb>(scene, e);
    }
}
TEST_CASE_TEMPLATE_APPLY(forged_handle, Verbs);

TEST_CASE_TEMPLATE_DEFINE("a ghost is refused for everything but its cleanup components", Verb, ghost_handle) {
    Scene scene;
    REQUIRE(scene.world.has<Body>(scene.ghost));
    refuses<Verb>(scene, scene.ghost);
    CHECK(scene.world.get<const Body>(scene.ghost).value == 21);
}
TEST_CASE_TEMPLATE_APPLY(ghost_handle, Verbs);
