// Guards traits that come together: cleanup and pooled, in tables and in sparse storage, and how their values live and
// end.

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <utility>
#include <vector>

using stoa::Entity;
using stoa::Storage;
using stoa::World;

namespace {

template <Storage Where>
struct Handle {
    Handle() { ++alive; }
    Handle(Handle&& other) noexcept : items(std::move(other.items)) { ++alive; }
    Handle& operator=(Handle&&) noexcept = default;
    ~Handle() { --alive; }

    void reset() noexcept {
        items.clear();
        ++resets;
    }
    static void start() { alive = resets = 0; }

    std::vector<int> items;
    static inline int alive = 0;
    static inline int resets = 0;
    static constexpr stoa::Traits stoa_traits{.storage = Where, .cleanup = true, .pooled = true};
};

using TableHandle = Handle<Storage::table>;
using SparseHandle = Handle<Storage::sparse>;

struct Position {
    int x = 0;
};

struct SparseCleanupTag {
    static constexpr stoa::Traits stoa_traits{.storage = Storage::sparse, .cleanup = true};
};

}  // namespace

TEST_CASE_TEMPLATE("a pooled cleanup component is released by the remove, not by the despawn", H, TableHandle,
                   SparseHandle) {
    World world;
    H::start();
    const Entity e = world.spawn<H, Position>();
    world.get<H>(e).items.assign(300, 1);
    CHECK(world.despawn(e));
    CHECK(H::resets == 0);
    CHECK(world.get<const H>(e).items.size() == 300);
    CHECK(world.template remove<H>(e));
    CHECK(H::resets == 1);
    const Entity next = world.spawn<H>();
    CHECK(world.get<const H>(next).items.empty());
    CHECK(world.get<const H>(next).items.capacity() >= 300);
    world.check();
}

TEST_CASE_TEMPLATE("the world's end destroys the values of ghosts and of the pool", H, TableHandle, SparseHandle) {
    H::start();
    {
        World world;
        std::vector<Entity> made;
        for (int i = 0; i < 30; ++i) made.push_back(world.spawn<H>());
        for (std::size_t i = 0; i < 20; ++i) world.despawn(made[i]);
        for (std::size_t i = 0; i < 10; ++i) world.template remove<H>(made[i]);
        CHECK(world.size() == 10);
    }
    CHECK(H::alive == 0);
}

TEST_CASE_TEMPLATE("clear releases the pooled components of ghosts too", H, TableHandle, SparseHandle) {
    H::start();
    World world;
    const Entity ghost = world.spawn<H>();
    world.despawn(ghost);
    world.spawn<H>();
    world.clear();
    CHECK(H::resets == 2);
    CHECK_FALSE(world.template has<H>(ghost));
    world.check();
}

TEST_CASE("a sparse cleanup tag keeps a ghost") {
    World world;
    const Entity e = world.spawn(SparseCleanupTag{}, Position{1});
    CHECK(world.despawn(e));
    CHECK_FALSE(world.alive(e));
    CHECK(world.has<SparseCleanupTag>(e));
    CHECK(world.spawn().index() != e.index());
    CHECK(world.remove<SparseCleanupTag>(e));
    CHECK(world.spawn().index() == e.index());
    world.check();
}
