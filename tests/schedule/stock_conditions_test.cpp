// Guards the conditions that the library provides: once, every, changed and exists.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

using namespace stoa;

namespace {

struct Score {
    int value = 0;
};
struct Other {
    int value = 0;
};
struct Enemy {
    int health = 1;
};
struct Hidden {};
struct Loose {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};

Errc code_of(auto&& f) {
    try {
        f();
    } catch (const Error& error) {
        return error.code();
    }
    return Errc::corrupt;
}

// A schedule with one system that counts its runs.
struct Counting {
    World world;
    Schedule schedule{world};
    int runs = 0;
    Phase& phase = schedule.add_phase("p");

    explicit Counting(const Condition& when) {
        phase.add("count", [this] { ++runs; }, {.when = when});
    }
    bool runs_now(double delta = 0) {
        const int before = runs;
        schedule.update(delta);
        return runs != before;
    }
};

}  // namespace

TEST_CASE("once: until its system has run") {
    World world;
    Schedule schedule{world};
    std::string seen;
    const Condition first = once();
    bool fail = true;
    Phase& phase = schedule.add_phase("p");
    phase.add("a", [&] { seen += 'a'; }, {.when = first});
    phase.add("b", [&] { seen += 'b'; }, {.enabled = false, .when = first});
    phase.add("c", [&](Res<Score>) { seen += 'c'; }, {.when = first});
    phase.add("d",
              [&] {
                  seen += 'd';
                  if (fail) throw std::runtime_error("no");
              },
              {.when = first});
    CHECK_THROWS_AS(schedule.update(0), std::runtime_error);
    CHECK(seen == "ad");
    fail = false;
    schedule.update(0);
    CHECK(seen == "add");
    world.set_resource(Score{});
    phase.enable("b");
    schedule.update(0);
    schedule.update(0);
    CHECK(seen == "addbc");
    CHECK(schedule.report()[0].why_not == "its condition is false: once()");
}

TEST_CASE("once: until its phase has run, which a phase that waits for its time has not") {
    World world;
    Schedule schedule{world};
    int runs = 0;
    schedule.add_phase("p", {.step = 1, .when = once()}).add("count", [&] { ++runs; });
    schedule.update(0.5);
    CHECK(runs == 0);
    schedule.update(1.5);
    CHECK(runs == 2);
    schedule.update(5);
    CHECK(runs == 2);
}

TEST_CASE("every: in runs in which the elapsed time of its phase reaches or passes a multiple") {
    Counting half{every(0.5)};
    CHECK(!half.runs_now(0));
    CHECK(!half.runs_now(0.375));
    CHECK(half.runs_now(0.125));
    CHECK(!half.runs_now(0));
    CHECK(!half.runs_now(0.25));
    CHECK(half.runs_now(0.375));
    CHECK(half.runs_now(5));
    CHECK(half.runs == 3);
    CHECK(half.schedule.report()[0].ran);
    half.runs_now(0);
    CHECK(half.schedule.report()[0].why_not == "its condition is false: every(0.5)");
}

TEST_CASE("every: 20 times in 10 seconds for every frame rate, in phases with and without steps") {
    for (const int rate : {24, 30, 50, 59, 60, 144, 180, 1000}) {
        World world;
        Schedule schedule{world};
        int plain = 0, stepped = 0;
        schedule.add_phase("plain").add("a", [&] { ++plain; }, {.when = every(0.5)});
        schedule.add_phase("stepped", {.step = 1.0 / 60}).add("b", [&] { ++stepped; }, {.when = every(0.5)});
        for (int update = 0; update < 10 * rate; ++update) schedule.update(1.0 / rate);
        CHECK(plain == 20);
        CHECK(stepped == 20);
    }
}

TEST_CASE("every: what passes while the system is disabled is missed; phase.update counts") {
    Counting counting{every(1)};
    counting.phase.disable("count");
    CHECK(!counting.runs_now(1));
    counting.phase.enable("count");
    CHECK(!counting.runs_now(0.5));
    counting.phase.update(0.5);
    CHECK(counting.runs == 1);
    // Nothing passes while the whole phase is disabled.
    counting.phase.disable();
    CHECK(!counting.runs_now(3));
    counting.phase.enable();
    CHECK(!counting.runs_now(0.75));
    CHECK(counting.runs_now(0.25));
}

TEST_CASE("every: no time passes for a phase whose condition is false, so it stays so") {
    World world;
    Schedule schedule{world};
    int runs = 0;
    schedule.add_phase("p", {.when = every(1)}).add("count", [&] { ++runs; });
    for (int i = 0; i < 5; ++i) schedule.update(1);
    CHECK(runs == 0);
}

TEST_CASE("every: a time that makes no sense is refused") {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    for (const double seconds : {0.0, -1.0, infinite, std::nan("")})
        CHECK(code_of([&] { (void)every(seconds); }) == Errc::conflict);
    CHECK(every(1.0 / 4).name() == "every(0.25)");
    CHECK(every(10).name() == "every(10)");
}

TEST_CASE("changed: the resource is there, and was written by another since its system last ran") {
    Counting counting{changed<Score>()};
    World& world = counting.world;
    CHECK(!counting.runs_now());
    world.set_resource(Score{});
    CHECK(counting.runs_now());
    CHECK(!counting.runs_now());
    SUBCASE("set") { world.set_resource(Score{1}); }
    SUBCASE("made again") { world.emplace_resource<Score>(1); }
    SUBCASE("handed out") { world.resource<Score>(); }
    SUBCASE("found") { world.find_resource<Score>(); }
    SUBCASE("removed and set") {
        world.remove_resource<Score>();
        CHECK(!counting.runs_now());
        world.set_resource(Score{});
    }
    SUBCASE("needed by a query") {
        world.spawn(Enemy{});
        world.query<const Enemy, Needs<Score>>().setup([](Score&) {});
    }
    CHECK(counting.runs_now());
    CHECK(!counting.runs_now());
}

TEST_CASE("changed: reading is no change, and neither is another resource") {
    Counting counting{changed<Score>()};
    World& world = counting.world;
    world.set_resource(Score{});
    world.set_resource(Other{});
    CHECK(counting.runs_now());
    world.resource<const Score>();
    std::as_const(world).resource<const Score>();
    world.find_resource<const Score>();
    CHECK(world.has_resource<Score>());
    world.resource<Other>().value = 1;
    world.spawn(Enemy{});
    world.query<const Enemy, Needs<const Score>>().setup([](const Score&) {});
    CHECK(!counting.runs_now());
    CHECK(counting.schedule.report()[0].why_not.find("changed<") != std::string::npos);
}

TEST_CASE("changed: systems before and after it, and its own writes") {
    World world;
    world.set_resource(Score{});
    Schedule schedule{world};
    std::string seen;
    Phase& phase = schedule.add_phase("p");
    phase.add("before", [&](Res<Score> score) { ++score->value; }, {.enabled = false});
    phase.add("own", [&](Res<Score> score) { ++score->value, seen += 'o'; }, {.when = changed<Score>()});
    phase.add("after", [&](Maybe<Res<Score>>) {}, {.enabled = false});
    phase.add("read", [&](Res<const Score>) { seen += 'r'; }, {.when = changed<Score>()});
    phase.add("alone", [&](World& at) { at.resource<Score>(), seen += 'w'; }, {.when = changed<Score>()});
    schedule.update(0);
    CHECK(seen == "orw");  // none of them has run
    seen.clear();
    schedule.update(0);
    CHECK(seen == "orw");  // "alone" wrote behind the first two, and "own" before "read"
    seen.clear();
    phase.remove("alone");
    schedule.update(0);
    CHECK(seen == "or");
    seen.clear();
    schedule.update(0);
    CHECK(seen.empty());
    phase.enable("before");
    schedule.update(0);
    CHECK(seen == "or");
    seen.clear();
    phase.disable("before").enable("after");
    schedule.update(0);
    CHECK(seen == "r");  // "after" came behind "own"
    seen.clear();
    schedule.update(0);
    CHECK(seen == "or");
}

TEST_CASE("changed: what happens at flush points and between updates is not lost") {
    World world;
    world.set_resource(Score{});
    Schedule schedule{world};
    int runs = 0;
    const auto enter = world.query<const Enemy>().on_enter([&](Entity) { ++world.resource<Score>().value; });
    Phase& phase = schedule.add_phase("p");
    phase.add("read", [&] { ++runs; }, {.when = changed<Score>()});
    phase.add("spawn", [](Commands& later) { later.spawn(Enemy{}); }, {.when = once()});
    schedule.update(0);
    schedule.update(0);
    CHECK(runs == 2);
    schedule.update(0);
    CHECK(runs == 2);
    for (int i = 0; i < 3; ++i) {
        world.resource<Score>().value = i;
        phase.update(0);
    }
    CHECK(runs == 5);
}

TEST_CASE("changed: of a phase, since the phase last ran") {
    World world;
    world.set_resource(Score{});
    Schedule schedule{world};
    int runs = 0;
    Phase& phase = schedule.add_phase("p", {.when = changed<Score>()});
    phase.add("count", [&](Res<Score> score) { ++score->value, ++runs; });
    phase.update(0);
    phase.update(0);
    CHECK(runs == 1);
    world.resource<Score>();
    phase.update(0);
    CHECK(runs == 2);
    schedule.update(0);
    CHECK(runs == 2);
}

TEST_CASE("exists: while a query has a match, and nothing is handed out") {
    Counting counting{exists<Enemy, Without<Hidden>>()};
    World& world = counting.world;
    auto changes = world.query<const Enemy, Changed<Enemy>>();
    CHECK(!counting.runs_now());
    const Entity entity = world.spawn(Enemy{}, Hidden{});
    CHECK(!counting.runs_now());
    world.remove<Hidden>(entity);
    changes.each([](const Enemy&) {});
    CHECK(counting.runs_now());
    CHECK(counting.runs_now());
    int changed_rows = 0;
    changes.each([&](const Enemy&) { ++changed_rows; });
    CHECK(changed_rows == 0);
    CHECK(counting.schedule.report()[0].writes.empty());
    CHECK(counting.schedule.report()[0].reads.empty());
    world.despawn(entity);
    CHECK(!counting.runs_now());
    CHECK(counting.schedule.report()[0].why_not.find("exists<") != std::string::npos);
}

TEST_CASE("exists: sparse components, changes and needed resources") {
    World world;
    Schedule schedule{world};
    std::string seen;
    const Entity entity = world.spawn(Enemy{});
    schedule.add_phase("p")
        .add("a", [&] { seen += 'a'; }, {.when = exists<Loose>()})
        .add("b", [&] { seen += 'b'; }, {.when = exists<Changed<Enemy>>()})
        .add("c", [&] { seen += 'c'; }, {.when = exists<Enemy, Needs<Score>>()})
        .add("d", [&] { seen += 'd'; }, {.when = !exists<Enemy>()})
        .add("e", [&] { seen += 'e'; }, {.when = exists<>()});
    schedule.update(0);
    CHECK(seen == "be");
    seen.clear();
    world.set_resource(Score{});
    world.set(entity, Loose{});
    schedule.update(0);
    CHECK(seen == "ace");
    seen.clear();
    world.get<Enemy>(entity).health = 2;
    schedule.update(0);
    CHECK(seen == "abce");
    seen.clear();
    world.clear();
    schedule.update(0);
    CHECK(seen == "d");
}
