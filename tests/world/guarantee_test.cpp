// Guards the strong guarantee at one place per verb: when a constructor throws, the world is as it was. The exhaustive
// loops over every fault point live with the fault tests.

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

using stoa::Entity;
using stoa::World;

namespace {

struct Plain {
    int value = 0;
};

struct Text {
    std::string value = std::string(40, 't');
};

// Throws from the constructor or copy with that number.
template <stoa::Storage Where>
struct Fragile {
    Fragile() { step(); }
    explicit Fragile(int number) : value(number) { step(); }
    Fragile(const Fragile& other) : value(other.value) { step(); }
    Fragile(Fragile&& other) noexcept : value(other.value) { ++alive; }
    Fragile& operator=(const Fragile& other) {
        if (armed && --countdown == 0) throw std::runtime_error{"fragile"};
        value = other.value;
        return *this;
    }
    Fragile& operator=(Fragile&&) noexcept = default;
    ~Fragile() { --alive; }

    static void step() {
        if (armed && --countdown == 0) throw std::runtime_error{"fragile"};
        ++alive;
    }
    static void arm(int at) {
        armed = true;
        countdown = at;
    }

    int value = 0;
    static inline bool armed = false;
    static inline int countdown = 0;
    static inline int alive = 0;
    static constexpr stoa::Traits stoa_traits{.storage = Where};
};

using TableFragile = Fragile<stoa::Storage::table>;
using SparseFragile = Fragile<stoa::Storage::sparse>;

}  // namespace

TEST_CASE_TEMPLATE("a spawn that throws has not happened", F, TableFragile, SparseFragile) {
    World world;
    world.spawn(Plain{1}, Text{});
    const F value{4};
    F::arm(1);
    CHECK_THROWS_AS((world.template spawn<Plain, F, Text>()), std::runtime_error);
    F::arm(1);
    CHECK_THROWS_AS(world.spawn(Plain{}, value, Text{}), std::runtime_error);
    F::armed = false;
    CHECK(world.size() == 1);
    CHECK(F::alive == 1);
    CHECK(world.spawn().index() == 1);
    world.check();
}

TEST_CASE_TEMPLATE("a bulk spawn that throws halfway has not happened", F, TableFragile, SparseFragile) {
    World world;
    const F value{4};
    const auto before = F::alive;
    for (const int at : {1, 2, 50, 100}) {
        F::arm(at);
        CHECK_THROWS_AS(world.spawn_many(100, Text{}, value, Plain{}), std::runtime_error);
        F::armed = false;
        CHECK(world.size() == 0);
        CHECK(F::alive == before);
        world.check();
    }
    CHECK(world.spawn().index() == 0);
}

TEST_CASE_TEMPLATE("an add that throws has not happened", F, TableFragile, SparseFragile) {
    World world;
    const Entity e = world.spawn(Plain{1});
    const auto before = F::alive;
    F::arm(1);
    CHECK_THROWS_AS((world.template add<Text, F, double>(e)), std::runtime_error);
    F::armed = false;
    CHECK(world.components(e).size() == 1);
    CHECK(world.get<const Plain>(e).value == 1);
    CHECK(F::alive == before);
    world.check();
}

TEST_CASE_TEMPLATE("a set that throws has not happened", F, TableFragile, SparseFragile) {
    World world;
    const Entity absent = world.spawn(Plain{1});
    const Entity present = world.spawn(Plain{2}, F{3});
    const F value{9};
    const auto before = F::alive;
    F::arm(1);
    CHECK_THROWS_AS(world.set(absent, Plain{7}, value, Text{}), std::runtime_error);
    F::arm(1);
    CHECK_THROWS_AS(world.set(present, Plain{8}, value), std::runtime_error);
    F::armed = false;
    CHECK(world.get<const Plain>(absent).value == 1);
    CHECK(world.components(absent).size() == 1);
    CHECK(world.get<const Plain>(present).value == 2);
    CHECK(world.template get<const F>(present).value == 3);
    CHECK(F::alive == before);
    world.check();
}

TEST_CASE_TEMPLATE("an emplace that throws has not happened", F, TableFragile, SparseFragile) {
    World world;
    const Entity absent = world.spawn(Plain{1});
    const Entity present = world.spawn(F{3});
    const auto before = F::alive;
    F::arm(1);
    CHECK_THROWS_AS((world.template emplace<F>(absent, 5)), std::runtime_error);
    F::arm(1);
    CHECK_THROWS_AS((world.template emplace<F>(present, 5)), std::runtime_error);
    F::armed = false;
    CHECK_FALSE(world.template has<F>(absent));
    CHECK(world.template get<const F>(present).value == 3);
    CHECK(F::alive == before);
    world.check();
}

TEST_CASE_TEMPLATE("a clone or copy that throws has not happened", F, TableFragile, SparseFragile) {
    World world;
    const Entity from = world.spawn(Plain{1}, F{2}, Text{});
    const Entity to = world.spawn(Plain{5});
    const auto before = F::alive;
    F::arm(1);
    CHECK_THROWS_AS(world.clone(from), std::runtime_error);
    F::arm(1);
    CHECK_THROWS_AS(world.copy(from, to), std::runtime_error);
    F::armed = false;
    CHECK(world.size() == 2);
    CHECK(world.get<const Plain>(to).value == 5);
    CHECK(world.components(to).size() == 1);
    CHECK(F::alive == before);
    world.check();
}
