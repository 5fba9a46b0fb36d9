// Guards what code of a resource may do from inside: structure is locked while its constructors, assignments and
// destructor run; other resources can be set and removed; nobody finds a resource that is ending.

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

// What a resource should do from inside its special members; set by each test.
std::function<void()> on_construct;
std::function<void()> on_assign;
std::function<void()> on_destroy;

void call(const std::function<void()>& function) {
    if (!function) return;
    const auto copy = function;
    copy();
}

struct Quiet {
    Quiet() = default;
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;
    ~Quiet() { on_construct = on_assign = on_destroy = nullptr; }
};

// Replaced at a new address.
struct Pinned {
    explicit Pinned(int number) : value(number) { call(on_construct); }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    ~Pinned() { call(on_destroy); }
    int value;
};

// Replaced where it stands. Only values that were not moved from call back when they end.
struct Assigned {
    explicit Assigned(int number) : value(number) { call(on_construct); }
    Assigned(Assigned&& other) noexcept : value(other.value), moved(std::exchange(other.moved, true)) {}
    Assigned& operator=(Assigned&& other) noexcept {
        call(on_assign);
        value = other.value;
        moved = std::exchange(other.moved, true);
        return *this;
    }
    ~Assigned() {
        if (!moved) call(on_destroy);
    }
    int value;
    bool moved = false;
};

bool is_locked(World& world) {
    return throws(Errc::locked, [&] { world.spawn(); });
}

}  // namespace

TEST_CASE_TEMPLATE("structure is locked while a resource is built, replaced and destroyed", R, Pinned, Assigned) {
    World world;
    const Quiet quiet;
    int calls = 0;
    on_construct = on_assign = on_destroy = [&] { calls += is_locked(world) ? 1 : 1000; };
    world.template emplace_resource<R>(1);
    CHECK(calls == 1);
    world.template emplace_resource<R>(2);
    CHECK(calls == 3);
    CHECK(world.template remove_resource<R>());
    CHECK(calls == 4);
    CHECK_FALSE(is_locked(world));
    world.check();
}

TEST_CASE_TEMPLATE("the lock is gone after a constructor has thrown, and the old resource stays", R, Pinned, Assigned) {
    World world;
    const Quiet quiet;
    on_construct = [] { throw std::runtime_error{"no"}; };
    CHECK_THROWS_AS(world.template emplace_resource<R>(1), std::runtime_error);
    CHECK_FALSE(world.template has_resource<R>());
    on_construct = nullptr;
    R& old = world.template emplace_resource<R>(2);
    on_construct = [] { throw std::runtime_error{"no"}; };
    CHECK_THROWS_AS(world.template emplace_resource<R>(3), std::runtime_error);
    CHECK(&world.template resource<R>() == &old);
    CHECK(old.value == 2);
    world.spawn();
    world.check();
}

TEST_CASE_TEMPLATE("a resource that is removed does not find itself", R, Pinned, Assigned) {
    World world;
    const Quiet quiet;
    world.template emplace_resource<R>(1);
    int calls = 0;
    on_destroy = [&] {
        ++calls;
        CHECK_FALSE(world.template has_resource<R>());
        CHECK(world.template find_resource<R>() == nullptr);
        CHECK(throws(Errc::missing_resource, [&] { (void)world.template resource<R>(); }));
        CHECK_FALSE(world.template remove_resource<R>());
    };
    CHECK(world.template remove_resource<R>());
    CHECK(calls == 1);
}

TEST_CASE("the destructor of a replaced resource finds the new one") {
    World world;
    const Quiet quiet;
    world.emplace_resource<Pinned>(1);
    int seen = 0;
    on_destroy = [&] { seen = world.resource<Pinned>().value; };
    world.emplace_resource<Pinned>(2);
    CHECK(seen == 2);
}

TEST_CASE_TEMPLATE("a resource may set itself anew while it is removed", R, Pinned, Assigned) {
    World world;
    const Quiet quiet;
    world.template emplace_resource<R>(1);
    on_destroy = [&] {
        on_destroy = nullptr;
        world.template emplace_resource<R>(2);
    };
    CHECK(world.template remove_resource<R>());
    CHECK(world.template resource<R>().value == 2);
    world.check();
}

TEST_CASE_TEMPLATE("a constructor may set its own resource: the outer one comes later and wins", R, Pinned, Assigned) {
    World world;
    const Quiet quiet;
    const auto nest = [&] {
        on_construct = [&] {
            on_construct = nullptr;
            world.template emplace_resource<R>(7);
        };
    };
    nest();
    CHECK(world.template emplace_resource<R>(1).value == 1);
    nest();
    CHECK(world.template emplace_resource<R>(2).value == 2);
    CHECK(world.template remove_resource<R>());
    CHECK_FALSE(world.template has_resource<R>());
    world.check();
}

TEST_CASE_TEMPLATE("a constructor may remove the resource that it is to replace", R, Pinned, Assigned) {
    World world;
    const Quiet quiet;
    world.template emplace_resource<R>(1);
    on_construct = [&] { CHECK(world.template remove_resource<R>()); };
    CHECK(world.template emplace_resource<R>(2).value == 2);
    CHECK(world.template resource<R>().value == 2);
    world.check();
}

TEST_CASE("a destructor that removes the resource which replaces it leaves none") {
    World world;
    const Quiet quiet;
    world.emplace_resource<Pinned>(1);
    on_destroy = [&] {
        on_destroy = nullptr;
        CHECK(world.remove_resource<Pinned>());
    };
    const auto error = thrown_by([&] { world.emplace_resource<Pinned>(2); });
    REQUIRE(error);
    CHECK(error->code == Errc::missing_resource);
    CHECK(error->says("emplace_resource<"));
    CHECK_FALSE(world.has_resource<Pinned>());
    world.check();
}

TEST_CASE("a resource cannot be removed while it is assigned to") {
    World world;
    const Quiet quiet;
    world.emplace_resource<Assigned>(1);
    int calls = 0;
    on_assign = [&] {
        ++calls;
        CHECK(world.has_resource<Assigned>());
        const auto error = thrown_by([&] { world.remove_resource<Assigned>(); });
        REQUIRE(error);
        CHECK(error->code == Errc::locked);
        CHECK(error->says("remove_resource<"));
    };
    world.emplace_resource<Assigned>(2);
    CHECK(calls == 1);
    CHECK(world.resource<Assigned>().value == 2);
    on_assign = nullptr;
    CHECK(world.remove_resource<Assigned>());
    world.check();
}

TEST_CASE("many resources set from inside one that is built or ends do not disturb it") {
    World world;
    const Quiet quiet;
    const auto many = [&]<std::size_t... Ns>(std::index_sequence<Ns...>) {
        (world.set_resource(stoa::Alias<int, std::index_sequence<Ns>>{static_cast<int>(Ns)}), ...);
        return (world.resource<stoa::Alias<int, std::index_sequence<Ns>>>().value + ...);
    };
    on_construct = [&] { CHECK(many(std::make_index_sequence<60>{}) == 59 * 60 / 2); };
    CHECK(world.emplace_resource<Pinned>(1).value == 1);
    on_construct = nullptr;
    on_destroy = [&] {
        on_destroy = nullptr;
        CHECK(many(std::make_index_sequence<150>{}) == 149 * 150 / 2);
    };
    CHECK(world.emplace_resource<Pinned>(2).value == 2);
    world.check();
}

TEST_CASE("a resource may use the world while it is built") {
    World world;
    const Quiet quiet;
    const Entity e = world.spawn(5);
    on_construct = [&] { world.get<int>(e) += world.query<const int>().single() == e ? 1 : 0; };
    world.emplace_resource<Pinned>(1);
    CHECK(world.get<const int>(e) == 6);
}

TEST_CASE_TEMPLATE("at the end of its world a resource reads those before it and sets nothing", R, Pinned, Assigned) {
    const Quiet quiet;
    std::vector<int> seen;
    std::optional<World> world;
    world.emplace();
    world->set_resource(42);
    world->template emplace_resource<R>(1);
    world->set_resource(4.5);
    world->spawn(1.0F);
    on_destroy = [&] {
        seen.push_back(world->has_resource<double>() ? 1 : 0);
        seen.push_back(world->resource<const int>());
        seen.push_back(world->template has_resource<R>() ? 1 : 0);
        seen.push_back(static_cast<int>(world->size()));
        const auto error = thrown_by([&] { world->set_resource('x'); });
        seen.push_back(error && error->code == Errc::world_gone && error->says("set_resource<char>") ? 1 : 0);
        seen.push_back(is_locked(*world) ? 1 : 0);
        seen.push_back(world->template remove_resource<int>() ? 1 : 0);
    };
    world.reset();
    CHECK(seen == std::vector{0, 42, 0, 0, 1, 1, 1});
}

TEST_CASE("a resource may hold a query of its world") {
    World world;
    world.spawn_many(3, 1.5F);
    auto query = world.query<const float>();
    world.set_resource(query);
    CHECK(world.resource<decltype(query)>().count() == 3);
    world = World{};
    CHECK(throws(Errc::world_gone, [&] { (void)query.count(); }));
}
