// Ids that are reserved while a spawn is under way: the two must not get the same one.
#include <doctest/doctest.h>

#include <stoa/stoa.hpp>

#include <stdexcept>
#include <vector>

using namespace stoa;

namespace {

struct Number {
    int value = 0;
};

// Reserves an id whenever one is made or copied.
template <Storage Where>
struct Parent {
    static constexpr Traits stoa_traits{.storage = Where};
    static inline World* world = nullptr;
    static inline std::vector<Entity> children;

    int value = 0;

    Parent() { have_child(); }
    Parent(const Parent& other) : value(other.value) { have_child(); }
    Parent(Parent&& other) noexcept : value(other.value) {}
    Parent& operator=(Parent&& other) noexcept = default;
    ~Parent() = default;

    static void have_child() {
        if (world != nullptr) children.push_back(world->commands().spawn(Number{static_cast<int>(children.size())}));
    }
    struct Open {
        explicit Open(World& in) {
            world = &in;
            children.clear();
        }
        ~Open() { world = nullptr; }
        Open(const Open&) = delete;
        Open& operator=(const Open&) = delete;
    };
};

template <Storage Where>
void spawn_parents(bool with_free_ids) {
    using P = Parent<Where>;
    World world;
    if (with_free_ids) {
        std::vector<Entity> old;
        for (int i = 0; i < 5; ++i) old.push_back(world.spawn(Number{}));
        for (const Entity e : old) world.despawn(e);
    }
    const P model;
    std::vector<Entity> made;
    {
        const typename P::Open open(world);
        made.push_back(world.spawn<P>());
        made.push_back(world.template spawn<Number, P>());
        made.push_back(world.spawn(model));
        std::vector<Entity> many(10);
        world.spawn_many(std::span{many}, model);
        made.insert(made.end(), many.begin(), many.end());
        made.push_back(world.clone(made[0]));
        made.push_back(world.clone(made[1]));
    }
    world.check();
    CHECK(P::children.size() >= 15);
    for (const Entity e : made) CHECK(world.alive(e));
    for (const Entity e : P::children) CHECK_FALSE(world.alive(e));
    world.flush();
    world.check();
    CHECK(world.size() == made.size() + P::children.size());
    for (const Entity e : made) CHECK(world.has<P>(e));
    for (std::size_t i = 0; i < P::children.size(); ++i) {
        CHECK(world.get<const Number>(P::children[i]).value == static_cast<int>(i));
        CHECK_FALSE(world.has<P>(P::children[i]));
    }
}

}  // namespace

TEST_CASE("a constructor that reserves an id does not get the one of its own entity") {
    for (const bool with_free_ids : {false, true}) {
        spawn_parents<Storage::table>(with_free_ids);
        spawn_parents<Storage::sparse>(with_free_ids);
    }
}

TEST_CASE("an initializer keeps the id that it was told, whatever it reserves") {
    World world;
    auto numbers = world.table<Number>();
    std::vector<Entity> told;
    std::vector<Entity> children;
    for (int i = 0; i < 20; ++i) {
        const Entity e = numbers.spawn([&](Entity self, Number& n) {
            n.value = i;
            told.push_back(self);
            children.push_back(world.commands().spawn(Number{100 + i}));
            CHECK_FALSE(world.alive(self));
        });
        CHECK(e == told.back());
        if (i % 3 == 0) world.despawn(e);
    }
    world.flush();
    world.check();
    for (int i = 0; i < 20; ++i) {
        CHECK(world.alive(told[static_cast<std::size_t>(i)]) == (i % 3 != 0));
        CHECK(world.get<const Number>(children[static_cast<std::size_t>(i)]).value == 100 + i);
    }
}

TEST_CASE("an initializer that throws leaves the ids as they were, unless others were reserved meanwhile") {
    for (const bool with_free_id : {false, true}) {
        World world;
        if (with_free_id) world.despawn(world.spawn(Number{}));
        auto numbers = world.table<Number>();
        Entity told;
        const auto fail = [&](bool reserve) {
            CHECK_THROWS_AS(numbers.spawn([&](Entity self, Number&) {
                told = self;
                if (reserve) world.commands().spawn(Number{});
                throw std::runtime_error("no");
            }),
                            std::runtime_error);
            world.check();
            CHECK(world.size() == 0);
            CHECK_FALSE(world.alive(told));
        };
        fail(false);
        const Entity first = told;
        fail(true);
        CHECK(told == first);
        world.flush();
        world.check();
        CHECK(world.size() == 1);
        CHECK_FALSE(world.alive(told));
        world.spawn(Number{});
        world.spawn(Number{});
        CHECK_FALSE(world.alive(told));
        world.check();
    }
}
