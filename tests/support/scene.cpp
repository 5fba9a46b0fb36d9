// Builds scenes. Invariant: only settings decide what is built. The crowd sizes sit just below, at and above the powers
// of two at which chunks and directories are likely to grow. Called by the fault loops.
#include "scene.hpp"

#include "values.hpp"

#include <span>

namespace stoa_test {
namespace {

stoa::Entity spawn_rich(stoa::World& world, int first) {
    return world.spawn(make<Position>(first), make<Name>(first + 1), make<Counted>(first + 2), Red{},
                       make<Burning>(first + 3), make<Note>(first + 4), make<Bag>(first + 5),
                       make<SparseCounted>(first + 6), make<Wide>(first + 7));
}

stoa::Entity spawn_marked(stoa::World& world) {
    return world.spawn(make<Position>(14), make<Name>(15), make<Grave>(16), make<Tomb>(17), Haunted{});
}

// Leaves behind the tables that single edits of the roles lead to.
void warm(stoa::World& world) {
    const stoa::Entity plain = world.spawn(make<Position>(1), make<Velocity>(2));
    world.add<Red>(plain);
    world.add<Name, Counted>(plain);
    world.remove<Velocity>(plain);
    const stoa::Entity rich = spawn_rich(world, 100);
    world.remove<Name>(rich);
    world.remove<Position, Counted>(rich);
    const stoa::Entity marked = spawn_marked(world);
    world.despawn(plain);
    world.despawn(rich);
    world.despawn(marked);
    world.remove<Grave>(marked);
    world.remove<Tomb, Haunted>(marked);
}

}  // namespace

Scene make_scene(const SceneSettings& settings) {
    Scene scene;
    stoa::World& world = scene.world;
    scene.empty = world.spawn();
    scene.plain = world.spawn(make<Position>(1), make<Velocity>(2));
    scene.rich = spawn_rich(world, 3);
    scene.stuck = world.spawn(make<Position>(11), make<Owner>(12));
    world.emplace<Pinned>(scene.stuck, 13);
    scene.marked = spawn_marked(world);
    scene.ghost = world.spawn(make<Velocity>(1), make<Grave>(18));
    scene.dead = world.spawn(make<Name>(1));
    if (settings.warmed) {
        warm(world);
    }
    for (std::uint32_t i = 0; i < settings.crowd; ++i) {
        world.spawn();
        world.spawn(make<Position>(1), make<Velocity>(2));
        spawn_rich(world, static_cast<int>(i % 1000) + 20);
    }
    world.despawn(scene.ghost);
    world.despawn(scene.dead);
    std::vector<stoa::Entity> holes(settings.holes);
    world.spawn_many(std::span{holes}, make<Position>(1));
    for (const stoa::Entity hole : holes) {
        world.despawn(hole);
    }
    if (settings.pooled_spares) {
        std::vector<stoa::Entity> passing(4);
        world.spawn_many(std::span{passing}, make<Bag>(5), make<Crate>(6), make<PooledCounted>(7));
        for (const stoa::Entity entity : passing) {
            world.despawn(entity);
        }
    }
    if (settings.shrunk) {
        world.shrink_to_fit();
    }
    scene.indices = 16 + settings.crowd * 3 + settings.holes + 1200;
    return scene;
}

const std::vector<SceneSettings>& all_scenes() {
    static const std::vector<SceneSettings> scenes {
        {.name = "fresh"}, {.name = "fresh and shrunk", .shrunk = true}, {.name = "warmed", .warmed = true},
            {.name = "with holes", .holes = 12}, {.name = "with spares in the pools", .pooled_spares = true},
            {.name = "crowd of 3", .crowd = 3}, {.name = "crowd of 7", .crowd = 7},
            {.name = "crowd of 15, shrunk", .crowd = 15, .shrunk = true},
            {.name = "crowd of 31, warmed, with holes", .crowd = 31, .holes = 5, .warmed = true},
            {.name = "crowd of 63", .crowd = 63},
#if defined(NDEBUG)
            // Snapshots of these take long where nothing is optimized.
            {.name = "crowd of 340", .crowd = 340}, {.name = "crowd of 1023", .crowd = 1023},
#endif
    };
    return scenes;
}

}  // namespace stoa_test
