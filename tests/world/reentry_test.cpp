// Guards re-entry: structure is locked while constructors and destructors of components run; the verb inside throws,
// the verb outside goes on, the world stays whole.

#include "../base/thrown.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

using api_test::thrown_by;
using api_test::throws;
using stoa::Entity;
using stoa::Errc;
using stoa::World;

namespace {

struct Plain {
    int value = 0;
};

// What a component should do from inside its special members; set by each test.
std::function<void()> on_construct;
std::function<void()> on_copy;
std::function<void()> on_destroy;

void call(const std::function<void()>& function) {
    if (function) function();
}

// Calls back from its constructors and its destructor. The move stays quiet: it must not throw.
template <stoa::Storage Where>
struct Caller {
    Caller() { call(on_construct); }
    explicit Caller(int number) : value(number) { call(on_construct); }
    Caller(const Caller& other) : value(other.value) { call(on_copy); }
    Caller(Caller&& other) noexcept : value(std::exchange(other.value, -99)), quiet(std::exchange(other.quiet, true)) {}
    Caller& operator=(const Caller&) = default;
    Caller& operator=(Caller&&) noexcept = default;
    ~Caller() {
        if (!quiet) call(on_destroy);
    }
    int value = 0;
    bool quiet = false;
    static constexpr stoa::Traits stoa_traits{.storage = Where};
};

using TableCaller = Caller<stoa::Storage::table>;
using SparseCaller = Caller<stoa::Storage::sparse>;

// Clears the callbacks before the world of the test ends.
struct Quiet {
    Quiet() = default;
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;
    ~Quiet() { on_construct = on_copy = on_destroy = nullptr; }
};

// Tries every structural verb; counts those that were refused with Errc::locked.
int refused(World& world, Entity other) {
    int count = 0;
    count += throws(Errc::locked, [&] { world.spawn(); });
    count += throws(Errc::locked, [&] { world.spawn(Plain{}); });
    count += throws(Errc::locked, [&] { world.spawn<Plain>(); });
    count += throws(Errc::locked, [&] { world.spawn_many(2, Plain{}); });
    count += throws(Errc::locked, [&] { world.despawn(other); });
    count += throws(Errc::locked, [&] { world.add<double>(other); });
    count += throws(Errc::locked, [&] { world.set(other, 1.0); });
    count += throws(Errc::locked, [&] { world.emplace<double>(other, 1.0); });
    count += throws(Errc::locked, [&] { world.remove<Plain>(other); });
    count += throws(Errc::locked, [&] { world.remove_all(other); });
    count += throws(Errc::locked, [&] { world.clone(other); });
    count += throws(Errc::locked, [&] { world.clear(); });
    return count;
}

constexpr int verbs = 12;

}  // namespace

TEST_CASE_TEMPLATE("structure is locked while a component is constructed", C, TableCaller, SparseCaller) {
    World world;
    const Quiet quiet;
    const Entity other = world.spawn(Plain{5});
    int calls = 0;
    on_construct = [&] {
        ++calls;
        CHECK(refused(world, other) == verbs);
    };
    const Entity e = world.spawn<C>();
    const Entity f = world.spawn();
    world.template add<C>(f);
    const Entity g = world.spawn();
    world.template emplace<C>(g, 7);
    on_construct = nullptr;
    CHECK(calls == 3);
    CHECK(world.template has<C>(e));
    CHECK(world.template has<C>(f));
    CHECK(world.template get<const C>(g).value == 7);
    CHECK(world.size() == 4);
    CHECK(world.get<const Plain>(other).value == 5);
    world.check();
}

TEST_CASE_TEMPLATE("structure is locked while a component is copied", C, TableCaller, SparseCaller) {
    World world;
    const Quiet quiet;
    const Entity other = world.spawn(Plain{5});
    const Entity source = world.spawn<C>();
    const C value{3};
    int calls = 0;
    on_copy = [&] {
        ++calls;
        CHECK(refused(world, other) == verbs);
    };
    world.spawn_many(3, value);
    const Entity twin = world.clone(source);
    const Entity to = world.spawn();
    world.copy(source, to);
    on_copy = nullptr;
    CHECK(calls >= 5);
    CHECK(world.template has<C>(twin));
    CHECK(world.template has<C>(to));
    CHECK(world.size() == 7);
    world.check();
}

TEST_CASE_TEMPLATE("structure is locked while an argument is copied into the world", C, TableCaller, SparseCaller) {
    World world;
    const Quiet quiet;
    const Entity other = world.spawn(Plain{5});
    const Entity empty = world.spawn();
    const Entity present = world.spawn(C{1});
    const C value{3};
    int calls = 0;
    on_copy = [&] {
        ++calls;
        CHECK(refused(world, other) == verbs);
    };
    SUBCASE("by a spawn into a new table") { world.spawn(value, 2.5F); }
    SUBCASE("by a spawn into a table that is there") { world.spawn(value); }
    SUBCASE("by spawn_many") { world.spawn_many(2, value); }
    SUBCASE("by a set that adds") { world.set(empty, value); }
    SUBCASE("by a set that replaces") { world.set(present, value); }
    SUBCASE("by an emplace that adds") { world.template emplace<C>(empty, value); }
    SUBCASE("by an emplace that replaces") { world.template emplace<C>(present, value); }
    on_copy = nullptr;
    CHECK(calls >= 1);
    CHECK(world.get<const Plain>(other).value == 5);
    world.check();
}

TEST_CASE_TEMPLATE("structure is locked while a component is destroyed", C, TableCaller, SparseCaller) {
    World world;
    const Quiet quiet;
    const Entity other = world.spawn(Plain{5});
    const Entity a = world.spawn<C>();
    const Entity b = world.spawn<C>();
    const Entity c = world.spawn<C>();
    const Entity d = world.spawn<C>();
    int calls = 0;
    on_destroy = [&] {
        ++calls;
        CHECK(refused(world, other) == verbs);
    };
    CHECK(world.despawn(a));
    CHECK(calls == 1);
    CHECK(world.template remove<C>(b));
    CHECK(calls == 2);
    CHECK(world.remove_all(c));
    CHECK(calls == 3);
    on_destroy = nullptr;
    CHECK(world.alive(other));
    CHECK(world.template has<C>(d));
    CHECK(world.size() == 4);
    world.check();
}

TEST_CASE_TEMPLATE("a destructor finds everyone else where they are, with the values they have", C, TableCaller,
                   SparseCaller) {
    const std::vector<std::function<void(World&, Entity)>> verbs_that_end{
        [](World& world, Entity e) { world.despawn(e); },
        [](World& world, Entity e) { world.template remove<C>(e); },
        [](World& world, Entity e) { world.remove_all(e); },
        [](World& world, Entity e) { world.set(e, C(-1)); },
        [](World& world, Entity e) { world.commands().template remove<C>(e), world.flush(); },
        [](World& world, Entity e) { world.commands().despawn(e), world.flush(); },
    };
    for (std::size_t verb = 0; verb < verbs_that_end.size(); ++verb) {
        CAPTURE(verb);
        for (const std::size_t which : {0u, 2u, 4u}) {
            CAPTURE(which);
            World world;
            const Quiet quiet;
            std::vector<Entity> ids;
            for (int i = 0; i < 5; ++i) ids.push_back(world.spawn(Plain{10 + i}, C(20 + i)));
            int calls = 0;
            on_destroy = [&] {
                ++calls;
                for (int i = 0; i < 5; ++i) {
                    const Entity e = ids[static_cast<std::size_t>(i)];
                    if (e == ids[which]) continue;
                    CHECK(world.get<const Plain>(e).value == 10 + i);
                    CHECK(world.template get<const C>(e).value == 20 + i);
                }
                CHECK(world.template query<const C>().count() >= 4);
            };
            verbs_that_end[verb](world, ids[which]);
            CHECK(calls >= 1);
            on_destroy = nullptr;
            world.check();
        }
    }
}

TEST_CASE_TEMPLATE("structure is locked while clear destroys", C, TableCaller, SparseCaller) {
    World world;
    const Quiet quiet;
    world.spawn<C>();
    world.spawn<C>();
    int locked = 0;
    on_destroy = [&] { locked += throws(Errc::locked, [&] { world.spawn(); }); };
    world.clear();
    on_destroy = nullptr;
    CHECK(locked == 2);
    CHECK(world.size() == 0);
    world.check();
}

TEST_CASE_TEMPLATE("a world can be read while a component is constructed", C, TableCaller, SparseCaller) {
    World world;
    const Quiet quiet;
    const Entity other = world.spawn(Plain{5});
    int seen = 0;
    on_construct = [&] {
        CHECK(world.alive(other));
        CHECK(world.has<Plain>(other));
        seen = world.get<const Plain>(other).value;
        world.set(other, Plain{seen + 1});
        world.get<Plain>(other).value += 1;
    };
    world.spawn<C>();
    on_construct = nullptr;
    CHECK(seen == 5);
    CHECK(world.get<const Plain>(other).value == 7);
}

TEST_CASE_TEMPLATE("a locked error that leaves a constructor undoes the verb outside", C, TableCaller, SparseCaller) {
    World world;
    const Quiet quiet;
    const Entity e = world.spawn(Plain{1});
    on_construct = [&] { world.spawn(); };
    CHECK(throws(Errc::locked, [&] { world.template spawn<C>(); }));
    CHECK(throws(Errc::locked, [&] { world.template add<C>(e); }));
    CHECK(throws(Errc::locked, [&] { world.template emplace<C>(e, 3); }));
    on_construct = nullptr;
    CHECK(world.size() == 1);
    CHECK_FALSE(world.template has<C>(e));
    CHECK(world.get<const Plain>(e).value == 1);
    CHECK(world.spawn().index() == 1);
    world.check();
}

TEST_CASE_TEMPLATE("the lock is gone after a constructor has thrown", C, TableCaller, SparseCaller) {
    World world;
    const Quiet quiet;
    on_construct = [] { throw std::runtime_error{"no"}; };
    CHECK_THROWS_AS(world.template spawn<C>(), std::runtime_error);
    on_construct = nullptr;
    const Entity e = world.template spawn<C>();
    CHECK(world.despawn(e));
    world.check();
}

TEST_CASE_TEMPLATE("other worlds are free while one is locked", C, TableCaller, SparseCaller) {
    World world;
    World other;
    const Quiet quiet;
    on_construct = [&] { other.spawn(Plain{1}); };
    world.template spawn<C>();
    on_construct = nullptr;
    CHECK(other.size() == 1);
}

TEST_CASE_TEMPLATE("a destructor at the end of its world cannot change the world", C, TableCaller, SparseCaller) {
    const Quiet quiet;
    int refusals = 0;
    {
        std::optional<World> world;
        world.emplace();
        world->template spawn<C>();
        on_destroy = [&] {
            refusals += thrown_by([&] { world->spawn(Plain{}); }).has_value();
            on_destroy = nullptr;
        };
        world.reset();
    }
    CHECK(refusals == 1);
}
