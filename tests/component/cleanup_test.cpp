// Guards cleanup components and ghosts: what stays when an entity is despawned, which verbs still work on it, when it
// is gone for good (SY-33).

#include "../base/thrown.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using api_test::throws;
using stoa::Entity;
using stoa::Errc;
using stoa::World;

namespace {

struct Position {
    int x = 0;
};

struct Body {
    int handle = 0;
    static constexpr stoa::Traits stoa_traits{.cleanup = true};
};

struct Sound {
    std::string file;
    static constexpr stoa::Traits stoa_traits{.cleanup = true};
};

struct SparseBody {
    int handle = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse, .cleanup = true};
};

struct CleanupTag {
    static constexpr stoa::Traits stoa_traits{.cleanup = true};
};

}  // namespace

TEST_CASE("despawning an entity with a cleanup component answers true and leaves a ghost") {
    World world;
    const Entity e = world.spawn(Position{1}, Body{2});
    CHECK(world.despawn(e));
    CHECK_FALSE(world.alive(e));
    CHECK(world.has<Body>(e));
    CHECK_FALSE(world.has<Position>(e));
    world.check();
}

TEST_CASE("a ghost can be read through its cleanup components") {
    World world;
    const Entity e = world.spawn(Position{1}, Body{2}, Sound{"boom"});
    world.despawn(e);
    CHECK(world.get<const Body>(e).handle == 2);
    CHECK(world.find<const Body>(e)->handle == 2);
    CHECK(world.get<Sound>(e).file == "boom");
    CHECK(world.has<Body, Sound>(e));
    CHECK(world.has_any<Body, Position>(e));
    CHECK_FALSE(world.has<Body, Position>(e));
}

TEST_CASE("a cleanup component of a ghost can be written in place") {
    World world;
    const Entity e = world.spawn(Body{2});
    world.despawn(e);
    world.get<Body>(e).handle = 5;
    world.find<Body>(e)->handle += 1;
    CHECK(world.get<const Body>(e).handle == 6);
}

TEST_CASE("the ordinary components of a ghost are gone") {
    World world;
    const Entity e = world.spawn(Position{1}, Body{2});
    world.despawn(e);
    CHECK(world.find<Position>(e) == nullptr);
    CHECK_FALSE(world.remove<Position>(e));
    CHECK(throws(Errc::dead_entity, [&] { world.get<Position>(e); }));
}

TEST_CASE("every other verb treats a ghost as dead") {
    World world;
    const Entity e = world.spawn(Position{1}, Body{2});
    const Entity other = world.spawn(Position{3});
    world.despawn(e);
    CHECK_FALSE(world.despawn(e));
    CHECK_FALSE(world.add<Position>(e));
    CHECK_FALSE(world.add<Sound>(e));
    CHECK_FALSE(world.add<Body>(e));
    CHECK_FALSE(world.remove_all(e));
    CHECK(throws(Errc::dead_entity, [&] { world.set(e, Position{}); }));
    CHECK(throws(Errc::dead_entity, [&] { world.set(e, Body{9}); }));
    CHECK(throws(Errc::dead_entity, [&] { world.emplace<Position>(e); }));
    CHECK(throws(Errc::dead_entity, [&] { world.emplace<Body>(e, 9); }));
    CHECK(throws(Errc::dead_entity, [&] { world.clone(e); }));
    CHECK(throws(Errc::dead_entity, [&] { world.copy(e, other); }));
    CHECK(throws(Errc::dead_entity, [&] { world.copy(other, e); }));
    CHECK(world.get<const Body>(e).handle == 2);
    world.check();
}

TEST_CASE("size does not count ghosts") {
    World world;
    const Entity a = world.spawn(Body{1});
    world.spawn(Position{});
    CHECK(world.size() == 2);
    world.despawn(a);
    CHECK(world.size() == 1);
    world.remove<Body>(a);
    CHECK(world.size() == 1);
}

TEST_CASE("a ghost lasts until its last cleanup component is removed") {
    World world;
    const Entity e = world.spawn(Body{1}, Sound{"x"}, Position{});
    world.despawn(e);
    CHECK(world.remove<Body>(e));
    CHECK_FALSE(world.has<Body>(e));
    CHECK(world.has<Sound>(e));
    CHECK(world.remove<Sound>(e));
    CHECK_FALSE(world.has<Sound>(e));
    CHECK_FALSE(world.alive(e));
    CHECK_FALSE(world.remove<Sound>(e));
    world.check();
}

TEST_CASE("all cleanup components can be removed from a ghost in one call") {
    World world;
    const Entity e = world.spawn(Body{1}, Sound{"x"});
    world.despawn(e);
    CHECK(world.remove<Body, Sound, Position>(e));
    CHECK_FALSE(world.has_any<Body, Sound>(e));
    CHECK(world.spawn().index() == e.index());
}

TEST_CASE("the id of a ghost is not reused before the ghost is gone") {
    World world;
    const Entity ghost = world.spawn(Body{1});
    world.despawn(ghost);
    for (int i = 0; i < 10; ++i) CHECK(world.spawn().index() != ghost.index());
    CHECK(world.remove<Body>(ghost));
    const Entity next = world.spawn();
    CHECK(next.index() == ghost.index());
    CHECK(next.generation() == ghost.generation() + 1);
    CHECK_FALSE(world.alive(ghost));
    CHECK_FALSE(world.has<Body>(next));
}

TEST_CASE("the ids of ghosts join the queue when they are gone, not when they died") {
    World world;
    const Entity ghost = world.spawn(Body{1});
    const Entity plain = world.spawn();
    world.despawn(ghost);
    world.despawn(plain);
    world.remove<Body>(ghost);
    CHECK(world.spawn().index() == plain.index());
    CHECK(world.spawn().index() == ghost.index());
}

TEST_CASE("a living entity loses a cleanup component like any other") {
    World world;
    const Entity e = world.spawn(Body{1}, Position{2});
    CHECK(world.remove<Body>(e));
    CHECK(world.alive(e));
    CHECK(world.get<const Position>(e).x == 2);
    CHECK(world.despawn(e));
    CHECK_FALSE(world.has<Body>(e));
    CHECK(world.spawn().index() == e.index());
}

TEST_CASE("remove_all spares cleanup components") {
    World world;
    const Entity e = world.spawn(Body{1}, Position{2});
    CHECK(world.remove_all(e));
    CHECK(world.alive(e));
    CHECK(world.has<Body>(e));
    CHECK_FALSE(world.has<Position>(e));
    CHECK_FALSE(world.remove_all(e));
}

TEST_CASE("clear takes ghosts with it") {
    World world;
    const Entity ghost = world.spawn(Body{1}, Sound{"x"});
    const Entity sparse = world.spawn(SparseBody{1});
    const Entity living = world.spawn(Body{2});
    world.despawn(ghost);
    world.despawn(sparse);
    world.clear();
    CHECK_FALSE(world.has_any<Body, Sound>(ghost));
    CHECK_FALSE(world.has<SparseBody>(sparse));
    CHECK_FALSE(world.has<Body>(living));
    CHECK(world.size() == 0);
    world.check();
}

TEST_CASE("a sparse cleanup component makes a ghost too") {
    World world;
    const Entity e = world.spawn(SparseBody{4}, Position{1});
    CHECK(world.despawn(e));
    CHECK_FALSE(world.alive(e));
    CHECK(world.get<const SparseBody>(e).handle == 4);
    CHECK_FALSE(world.has<Position>(e));
    CHECK(world.remove<SparseBody>(e));
    CHECK(world.spawn().index() == e.index());
    world.check();
}

TEST_CASE("table and sparse cleanup components keep one ghost together") {
    World world;
    const Entity e = world.spawn(SparseBody{4}, Body{5});
    world.despawn(e);
    CHECK(world.remove<Body>(e));
    CHECK(world.has<SparseBody>(e));
    CHECK(world.spawn().index() != e.index());
    CHECK(world.remove<SparseBody>(e));
    CHECK(world.spawn().index() == e.index());
    world.check();
}

TEST_CASE("a cleanup tag makes a ghost") {
    World world;
    const Entity e = world.spawn(CleanupTag{}, Position{});
    world.despawn(e);
    CHECK_FALSE(world.alive(e));
    CHECK(world.has<CleanupTag>(e));
    CHECK(world.remove<CleanupTag>(e));
    CHECK_FALSE(world.has<CleanupTag>(e));
    world.check();
}

TEST_CASE("many ghosts among the living stay apart") {
    World world;
    std::vector<Entity> made;
    for (int i = 0; i < 200; ++i) made.push_back(world.spawn(Body{i}, Position{i}));
    for (std::size_t i = 0; i < 200; i += 2) world.despawn(made[i]);
    CHECK(world.size() == 100);
    for (std::size_t i = 0; i < 200; ++i) {
        CHECK(world.get<const Body>(made[i]).handle == static_cast<int>(i));
        CHECK(world.has<Position>(made[i]) == (i % 2 == 1));
    }
    for (std::size_t i = 0; i < 200; i += 4) CHECK(world.remove<Body>(made[i]));
    world.check();
    for (std::size_t i = 2; i < 200; i += 4) CHECK(world.get<const Body>(made[i]).handle == static_cast<int>(i));
}
