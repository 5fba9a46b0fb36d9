// Guards pooled components: recycled through reset() instead of destroyed, so that they keep their capacity (SY-28).

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <set>
#include <utility>
#include <vector>

using stoa::Entity;
using stoa::World;

namespace {

struct Counts {
    int defaults = 0;
    int resets = 0;
    int alive = 0;
};

// A list that counts what happens to it. The tag makes one set of counts per use.
template <stoa::Storage Where>
struct List {
    List() {
        ++counts.defaults;
        ++counts.alive;
    }
    explicit List(std::vector<int> from) : items(std::move(from)) { ++counts.alive; }
    List(const List& other) : items(other.items) { ++counts.alive; }
    List(List&& other) noexcept : items(std::move(other.items)) { ++counts.alive; }
    List& operator=(const List&) = default;
    List& operator=(List&&) noexcept = default;
    ~List() { --counts.alive; }

    void reset() noexcept {
        items.clear();
        ++counts.resets;
    }

    std::vector<int> items;
    static inline Counts counts;
    static constexpr stoa::Traits stoa_traits{.storage = Where, .pooled = true};
};

struct Position {
    int x = 0;
};

using TableList = List<stoa::Storage::table>;
using SparseList = List<stoa::Storage::sparse>;

}  // namespace

TEST_CASE_TEMPLATE("a pooled component keeps its capacity from one owner to the next", L, TableList, SparseList) {
    World world;
    const Entity first = world.spawn<L>();
    world.template get<L>(first).items.assign(1000, 7);
    CHECK(world.template remove<L>(first));
    const Entity second = world.spawn();
    CHECK(world.template add<L>(second));
    CHECK(world.template get<const L>(second).items.empty());
    CHECK(world.template get<const L>(second).items.capacity() >= 1000);
    world.check();
}

TEST_CASE_TEMPLATE("spawn takes from the pool too", L, TableList, SparseList) {
    World world;
    const Entity first = world.spawn<L>();
    world.template get<L>(first).items.assign(500, 1);
    CHECK(world.despawn(first));
    const Entity second = world.spawn<L, Position>();
    CHECK(world.template get<const L>(second).items.empty());
    CHECK(world.template get<const L>(second).items.capacity() >= 500);
}

TEST_CASE_TEMPLATE("reset runs exactly once when a pooled component is released", L, TableList, SparseList) {
    World world;
    L::counts = {};
    const Entity removed = world.spawn<L>();
    const Entity despawned = world.spawn<L>();
    CHECK(L::counts.resets == 0);
    world.template remove<L>(removed);
    CHECK(L::counts.resets == 1);
    world.despawn(despawned);
    CHECK(L::counts.resets == 2);
    world.spawn<L>();
    CHECK(L::counts.resets == 2);
}

TEST_CASE_TEMPLATE("moving between tables does not release a pooled component", L, TableList, SparseList) {
    World world;
    L::counts = {};
    const Entity e = world.spawn<L>();
    const Entity neighbour = world.spawn<L>();
    world.template get<L>(e).items.assign(3, 9);
    world.template get<L>(neighbour).items.assign(4, 8);
    world.add<Position>(e);
    world.template remove<Position>(e);
    world.add<Position>(neighbour);
    CHECK(L::counts.resets == 0);
    CHECK(world.template get<const L>(e).items == std::vector<int>(3, 9));
    CHECK(world.template get<const L>(neighbour).items == std::vector<int>(4, 8));
}

TEST_CASE_TEMPLATE("a pooled component is default-constructed only when the pool is empty", L, TableList, SparseList) {
    World world;
    L::counts = {};
    Entity e = world.spawn<L>();
    CHECK(L::counts.defaults == 1);
    for (int i = 0; i < 20; ++i) {
        world.despawn(e);
        e = world.spawn<L>();
    }
    CHECK(L::counts.defaults == 1);
    CHECK(L::counts.resets == 20);
    world.spawn<L>();
    CHECK(L::counts.defaults == 2);
}

TEST_CASE_TEMPLATE("set and emplace build a pooled component anew", L, TableList, SparseList) {
    World world;
    const Entity e = world.spawn();
    world.set(e, L{std::vector<int>{1, 2, 3}});
    CHECK(world.template get<const L>(e).items == std::vector<int>{1, 2, 3});
    world.template emplace<L>(e, std::vector<int>{4, 5});
    CHECK(world.template get<const L>(e).items == std::vector<int>{4, 5});
    const Entity value = world.spawn(L{std::vector<int>{6}});
    CHECK(world.template get<const L>(value).items == std::vector<int>{6});
    world.check();
}

TEST_CASE_TEMPLATE("every pooled component is destroyed with its world", L, TableList, SparseList) {
    L::counts = {};
    {
        World world;
        std::vector<Entity> made;
        for (int i = 0; i < 100; ++i) made.push_back(world.spawn<L>());
        for (std::size_t i = 0; i < 50; ++i) world.despawn(made[i]);
        for (std::size_t i = 50; i < 60; ++i) world.template remove<L>(made[i]);
        for (std::size_t i = 60; i < 70; ++i) world.set(made[i], L{std::vector<int>{1}});
        for (int i = 0; i < 30; ++i) world.spawn<L>();
    }
    CHECK(L::counts.alive == 0);
}

TEST_CASE_TEMPLATE("clear releases every pooled component once", L, TableList, SparseList) {
    World world;
    L::counts = {};
    for (int i = 0; i < 25; ++i) {
        const Entity e = world.spawn<L>();
        world.template get<L>(e).items.assign(10, i);
    }
    world.clear();
    CHECK(L::counts.resets == 25);
    const Entity e = world.spawn<L>();
    CHECK(L::counts.defaults == 25);
    CHECK(world.template get<const L>(e).items.empty());
    world.check();
}

TEST_CASE_TEMPLATE("a pooled component is never shared by two entities", L, TableList, SparseList) {
    World world;
    std::vector<Entity> made;
    for (int i = 0; i < 10; ++i) made.push_back(world.spawn<L>());
    for (const Entity e : made) world.despawn(e);
    std::set<const L*> places;
    made.clear();
    for (int i = 0; i < 20; ++i) made.push_back(world.spawn<L>());
    for (std::size_t i = 0; i < made.size(); ++i) world.template get<L>(made[i]).items.assign(1, static_cast<int>(i));
    for (std::size_t i = 0; i < made.size(); ++i) {
        places.insert(&world.template get<const L>(made[i]));
        CHECK(world.template get<const L>(made[i]).items == std::vector<int>{static_cast<int>(i)});
    }
    CHECK(places.size() == 20);
}

TEST_CASE_TEMPLATE("each world has a pool of its own", L, TableList, SparseList) {
    World a;
    World b;
    L::counts = {};
    a.despawn(a.spawn<L>());
    b.spawn<L>();
    CHECK(L::counts.defaults == 2);
}

TEST_CASE_TEMPLATE("a clone of a pooled component is a copy", L, TableList, SparseList) {
    World world;
    const Entity e = world.spawn(L{std::vector<int>{1, 2}});
    const Entity twin = world.clone(e);
    world.template get<L>(e).items.push_back(3);
    CHECK(world.template get<const L>(twin).items == std::vector<int>{1, 2});
}

namespace {

// A tag has nothing to recycle, but may say that it is pooled.
template <stoa::Storage Where>
struct PooledTag {
    static constexpr stoa::Traits stoa_traits{.storage = Where, .pooled = true};
    void reset() noexcept {}
};

}  // namespace

TEST_CASE_TEMPLATE("a pooled tag comes and goes like any tag", T, PooledTag<stoa::Storage::table>,
                   PooledTag<stoa::Storage::sparse>) {
    World world;
    const Entity e = world.spawn<T>();
    CHECK(world.remove<T>(e));
    CHECK(world.add<T>(e));
    CHECK(world.despawn(e));
    world.spawn<T>();
    world.clear();
    world.check();
}
