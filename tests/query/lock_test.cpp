// The structure lock: what is refused while a query is walked, and that the lock ends with the walk, however it ends.
#include <doctest/doctest.h>

#include <optional>
#include <stdexcept>
#include <stoa/stoa.hpp>
#include <string>

using namespace stoa;

namespace {

struct Number {
    int value = 0;
};
struct Other {
    int value = 0;
};

template <class F>
bool is_locked(F&& f, const char* advice = "commands().run()") {
    try {
        f();
    } catch (const Error& error) {
        return error.code() == Errc::locked && std::string(error.what()).find(advice) != std::string::npos;
    }
    return false;
}

}  // namespace

TEST_CASE("structural verbs are refused in every kind of walk, values may be written") {
    World world;
    const Entity e = world.spawn(Number{1});
    auto query = world.query<Number>();
    const auto try_all = [&] {
        CHECK(is_locked([&] { world.spawn(); }, "commands().spawn()"));
        CHECK(is_locked([&] { world.spawn(Number{}); }, "commands().spawn()"));
        CHECK(is_locked([&] { world.despawn(e); }, "commands().despawn()"));
        CHECK(is_locked([&] { world.add<Other>(e); }, "commands().add()"));
        CHECK(is_locked([&] { world.set(e, Other{}); }, "commands().set()"));
        CHECK(is_locked([&] { world.remove<Number>(e); }, "commands().remove()"));
        CHECK(is_locked([&] { world.clone(e); }));
        CHECK(is_locked([&] { world.clear(); }));
        CHECK(is_locked([&] { query.despawn_all(); }));
        world.set(e, Number{2});
        world.emplace<Number>(e, 3);
        CHECK_FALSE(world.add<Number>(e));
        CHECK(world.query<const Number, Without<Other>>().count() == 1);
    };
    query.each([&](Number&) { try_all(); });
    query.each_chunk([&](std::span<Number>) { try_all(); });
    query.each_until([&](Number&) { return try_all(), true; });
    query.fetch(e, [&](Number&) { try_all(); });
    for ([[maybe_unused]] auto row : query) try_all();
    CHECK(world.get<const Number>(e).value == 3);
    CHECK(world.spawn());
    world.check();
}

TEST_CASE("the lock ends with a break, an exception and a nested walk") {
    World world;
    for (int i = 0; i < 3; ++i) world.spawn(Number{i});
    auto query = world.query<Number>();
    for ([[maybe_unused]] auto row : query) break;
    CHECK(world.add<Other>(query.first()));
    CHECK_THROWS_AS(query.each([](Number&) { throw std::runtime_error("out"); }), std::runtime_error);
    CHECK(world.spawn(Number{}));
    int pairs = 0;
    query.each([&](Number&) {
        query.each([&](Number&) { ++pairs; });
        CHECK(is_locked([&] { world.spawn(); }, "commands().spawn()"));
    });
    CHECK(pairs == 16);
    CHECK(world.spawn());
}

TEST_CASE("a table that is made during an unlocked walk is not visited by it") {
    World world;
    for (int i = 0; i < 5; ++i) world.spawn(Number{i});
    int visits = 0;
    world.query<const Number>().each_table([&](auto& rows) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            ++visits;
            world.add<Other>(rows.entity(i));
            --i;
        }
        CHECK_THROWS_AS(world.shrink_to_fit(), Error);
    });
    CHECK(visits == 5);
}

TEST_CASE("a query that outlives its world says so") {
    std::optional<World> world(std::in_place);
    world->spawn(Number{});
    auto query = world->query<Number>();
    auto copy = query;
    World moved = std::move(*world);
    CHECK(query.count() == 1);
    world.reset();
    CHECK(copy.count() == 1);
    moved = World{};
    try {
        query.count();
        FAIL("the world is gone");
    } catch (const Error& error) {
        CHECK(error.code() == Errc::world_gone);
    }
}

TEST_CASE("a world that was moved away has no queries to give") {
    World world;
    const World home = std::move(world);
    CHECK_THROWS_AS(world.query<Number>(), Error);
}
