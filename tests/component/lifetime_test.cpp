// Guards construction and destruction: every value that is made is destroyed exactly once, whatever the verb, and not
// more copies are made than the verb needs (W-TI-5).

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <utility>
#include <vector>

using stoa::Entity;
using stoa::World;

namespace {

// Counts its own instances; notices use after destruction by a marker.
template <stoa::Storage Where>
struct Probe {
    Probe() : marker(this_is_alive) { ++alive; }
    explicit Probe(int number) : value(number), marker(this_is_alive) { ++alive; }
    Probe(const Probe& other) : value(other.value), marker(other.marker) {
        ++alive;
        ++copies;
    }
    Probe(Probe&& other) noexcept : value(std::exchange(other.value, -1)), marker(other.marker) { ++alive; }
    Probe& operator=(const Probe& other) {
        value = other.value;
        ++copies;
        return *this;
    }
    Probe& operator=(Probe&& other) noexcept {
        value = std::exchange(other.value, -1);
        return *this;
    }
    ~Probe() {
        if (marker != this_is_alive) ++broken;
        marker = 0;
        --alive;
    }

    static void start() { alive = copies = broken = 0; }

    static constexpr unsigned this_is_alive = 0xA11CE;
    int value = 0;
    unsigned marker;
    static inline int alive = 0;
    static inline int copies = 0;
    static inline int broken = 0;
    static constexpr stoa::Traits stoa_traits{.storage = Where};
};

struct Other {
    int value = 0;
};

using TableProbe = Probe<stoa::Storage::table>;
using SparseProbe = Probe<stoa::Storage::sparse>;

}  // namespace

TEST_CASE_TEMPLATE("the world's end destroys every component", P, TableProbe, SparseProbe) {
    P::start();
    {
        World world;
        for (int i = 0; i < 1000; ++i) world.spawn(P{i});
        CHECK(P::alive == 1000);
    }
    CHECK(P::alive == 0);
    CHECK(P::broken == 0);
}

TEST_CASE_TEMPLATE("despawn destroys the components at once", P, TableProbe, SparseProbe) {
    P::start();
    World world;
    const Entity a = world.spawn(P{1}, Other{});
    const Entity b = world.spawn(P{2}, Other{});
    world.despawn(a);
    CHECK(P::alive == 1);
    CHECK(world.template get<const P>(b).value == 2);
    world.despawn(b);
    CHECK(P::alive == 0);
    CHECK(P::broken == 0);
}

TEST_CASE_TEMPLATE("remove and remove_all destroy the components at once", P, TableProbe, SparseProbe) {
    P::start();
    World world;
    const Entity a = world.spawn(P{1});
    const Entity b = world.spawn(P{2}, Other{});
    world.template remove<P>(a);
    CHECK(P::alive == 1);
    world.remove_all(b);
    CHECK(P::alive == 0);
    CHECK(P::broken == 0);
}

TEST_CASE_TEMPLATE("clear destroys every component", P, TableProbe, SparseProbe) {
    P::start();
    World world;
    for (int i = 0; i < 100; ++i) world.spawn(P{i});
    for (int i = 0; i < 100; ++i) world.spawn(P{i}, Other{});
    world.clear();
    CHECK(P::alive == 0);
    CHECK(P::broken == 0);
}

TEST_CASE_TEMPLATE("replacing leaves one value alive", P, TableProbe, SparseProbe) {
    P::start();
    World world;
    const Entity e = world.spawn(P{1});
    world.set(e, P{2});
    CHECK(P::alive == 1);
    world.template emplace<P>(e, 3);
    CHECK(P::alive == 1);
    CHECK(world.template get<const P>(e).value == 3);
    CHECK(P::broken == 0);
}

TEST_CASE_TEMPLATE("moving between tables neither copies nor duplicates", P, TableProbe, SparseProbe) {
    P::start();
    World world;
    const Entity a = world.spawn(P{1});
    const Entity b = world.spawn(P{2});
    for (int i = 0; i < 10; ++i) {
        world.add<Other>(a);
        world.template remove<Other>(a);
        world.add<Other>(b);
        world.template remove<Other>(b);
    }
    CHECK(P::alive == 2);
    CHECK(P::copies == 0);
    CHECK(world.template get<const P>(a).value == 1);
    CHECK(world.template get<const P>(b).value == 2);
}

TEST_CASE_TEMPLATE("values given as rvalues are not copied", P, TableProbe, SparseProbe) {
    P::start();
    World world;
    const Entity e = world.spawn(P{1});
    world.set(e, P{2});
    world.template emplace<P>(e, 3);
    const Entity empty = world.spawn();
    world.set(empty, P{4});
    CHECK(P::copies == 0);
}

TEST_CASE_TEMPLATE("values given as lvalues are copied once and left alone", P, TableProbe, SparseProbe) {
    World world;
    P::start();
    const P value{5};
    const Entity e = world.spawn(value);
    CHECK(P::copies == 1);
    const Entity empty = world.spawn();
    world.set(empty, value);
    CHECK(P::copies == 2);
    world.set(e, value);
    CHECK(P::copies == 3);
    CHECK(value.value == 5);
}

TEST_CASE_TEMPLATE("bulk spawning makes at most one copy more than there are entities", P, TableProbe, SparseProbe) {
    World world;
    P::start();
    const P value{5};
    world.spawn_many(1000, value);
    CHECK(P::copies >= 1000);
    CHECK(P::copies <= 1001);
    CHECK(P::alive == 1001);
}

TEST_CASE_TEMPLATE("adding what is present constructs nothing", P, TableProbe, SparseProbe) {
    World world;
    P::start();
    const Entity e = world.spawn(P{6});
    CHECK_FALSE(world.template add<P>(e));
    CHECK(world.template add<P, Other>(e));
    CHECK(P::alive == 1);
    CHECK(world.template get<const P>(e).value == 6);
}

TEST_CASE_TEMPLATE("a long mixed history leaves nothing behind", P, TableProbe, SparseProbe) {
    P::start();
    {
        World world;
        std::vector<Entity> made;
        unsigned random = 99;
        for (int i = 0; i < 4000; ++i) {
            random = random * 1664525U + 1013904223U;
            const unsigned choice = (random >> 16U) % 7U;
            const Entity e = made.empty() ? Entity{} : made[(random >> 8U) % made.size()];
            if (choice < 2 || made.empty())
                made.push_back(world.spawn(P{i}));
            else if (choice == 2)
                world.despawn(e);
            else if (choice == 3)
                world.template remove<P>(e);
            else if (choice == 4)
                world.template add<P, Other>(e);
            else if (choice == 5)
                world.template remove<Other>(e);
            else if (world.alive(e))
                world.set(e, P{i});
        }
        world.check();
    }
    CHECK(P::alive == 0);
    CHECK(P::broken == 0);
}

TEST_CASE("assigning over a world destroys what it held") {
    TableProbe::start();
    World world;
    world.spawn_many(10, TableProbe{1});
    world = World{};
    CHECK(TableProbe::alive == 0);
    CHECK(world.size() == 0);
}

namespace {

// Sets itself anew when it ends.
template <int Kind>
struct Phoenix {
    explicit Phoenix(int given) : value(std::make_unique<int>(given)) {}
    Phoenix(const Phoenix& other) : value(std::make_unique<int>(*other.value)) {}
    Phoenix(Phoenix&& other) noexcept(Kind != 2) : value(std::move(other.value)) {}
    ~Phoenix() {
        if (value == nullptr || nest == nullptr || *value != 1) return;
        seen = *nest->template get<const Phoenix>(self).value;
        std::exchange(nest, nullptr)->set(self, Phoenix{99});
    }

    static inline World* nest = nullptr;
    static inline Entity self;
    static inline int seen = 0;
    std::unique_ptr<int> value;
};

using TablePhoenix = Phoenix<0>;
using SparsePhoenix = Phoenix<1>;
using ThrowingPhoenix = Phoenix<2>;  // moving it may throw

}  // namespace

template <>
inline constexpr stoa::Traits stoa::traits<SparsePhoenix>{.storage = stoa::Storage::sparse};
template <>
inline constexpr stoa::Traits stoa::traits<ThrowingPhoenix>{.storage = stoa::Storage::sparse};

TEST_CASE_TEMPLATE("the destructor of a replaced value finds the new one, and may replace it", P, TablePhoenix,
                   SparsePhoenix, ThrowingPhoenix) {
    World world;
    const Entity two = world.spawn(P{2});
    P::self = world.spawn(P{1});
    SUBCASE("set") {
        P::nest = &world;
        world.set(P::self, P{2});
    }
    SUBCASE("emplace") {
        P::nest = &world;
        world.emplace<P>(P::self, 2);
    }
    SUBCASE("commands") {
        world.commands().set(P::self, P{2});
        P::nest = &world;
        world.flush();
    }
    SUBCASE("copy") {
        P::nest = &world;
        world.copy(two, P::self);
    }
    CHECK(P::nest == nullptr);
    CHECK(P::seen == 2);
    CHECK(*world.get<const P>(P::self).value == 99);
    CHECK(*world.get<const P>(two).value == 2);
    world.check();
}
