// Guards phases and systems: order, flags, hooks, names, time, sync points and what systems may take.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using namespace stoa;

namespace {

struct Position {
    float x = 0;
};
struct Velocity {
    float x = 1;
};
struct Gravity {
    float g = 9;
};
struct Score {
    int value = 0;
};
struct Dead {};

Errc code_of(auto&& f) {
    try {
        f();
    } catch (const Error& error) {
        return error.code();
    }
    return Errc::corrupt;
}

std::string sentence_of(auto&& f) {
    try {
        f();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

void move(Query<Position, const Velocity> movers, const Time& time) {
    movers.each([&](Position& p, const Velocity& v) { p.x += v.x * static_cast<float>(time.delta); });
}

}  // namespace

TEST_CASE("a phase runs functions, lambdas and classes") {
    struct Count {
        int runs = 0;
        void update(Query<const Position> q) { runs += static_cast<int>(q.count()); }
    };
    World world;
    const Entity e = world.spawn(Position{}, Velocity{2});
    Schedule schedule{world};
    int calls = 0;
    schedule.add_phase("logic").add("move", move).add("call", [&] { ++calls; }).add<Count>();
    schedule.update(0.5);
    CHECK(world.get<const Position>(e).x == 1);
    CHECK(calls == 1);
    CHECK(schedule.phase("logic").system<Count>().runs == 1);
    CHECK(schedule.phase("logic").find_system<Score>() == nullptr);
    CHECK(schedule.find_phase("nothing") == nullptr);
}

TEST_CASE("order: priority, then before and after, then order of addition") {
    World world;
    Schedule schedule{world};
    std::string seen;
    const auto note = [&](char name) { return [&seen, name] { seen += name; }; };
    Phase& phase = schedule.add_phase("p");
    phase.add("a", note('a'))
        .add("b", note('b'), {.before = "a"})
        .add("c", note('c'), {.priority = -1})
        .add("d", note('d'), {.priority = 1})
        .add("e", note('e'))
        .add("f", note('f'), {.before = {"e", "a"}, .after = "b"});
    schedule.update(0);
    CHECK(seen == "cbfaed");
    seen.clear();
    phase.remove("b");
    CHECK(code_of([&] { schedule.update(0); }) == Errc::unknown_name);
    CHECK(seen.empty());
    CHECK(schedule.time().frame == 1);
}

TEST_CASE("an order that cannot be is refused, and nothing runs") {
    World world;
    Schedule schedule{world};
    int runs = 0;
    const auto run = [&] { ++runs; };
    Phase& phase = schedule.add_phase("p");
    SUBCASE("a circle") {
        phase.add("a", run, {.before = "b"})
            .add("b", run, {.before = "c"})
            .add("c", run, {.before = "a"})
            .add("d", run, {.after = "a"});
        const std::string sentence = sentence_of([&] { schedule.update(0); });
        CHECK(sentence.find("'a'") != std::string::npos);
        CHECK(sentence.find("'b'") != std::string::npos);
        CHECK(sentence.find("'c'") != std::string::npos);
        CHECK(sentence.find("'d'") == std::string::npos);
    }
    SUBCASE("itself") { phase.add("a", run, {.after = "a"}); }
    SUBCASE("against priorities") { phase.add("a", run, {.priority = 2, .before = "b"}).add("b", run); }
    SUBCASE("against a sync point") { phase.add("a", run).sync().add("b", run, {.before = "a"}); }
    SUBCASE("against phases") {
        phase.add("a", run, {.after = "b"});
        schedule.add_phase("q").add("b", run);
    }
    CHECK(code_of([&] { schedule.update(0); }) == Errc::cycle);
    CHECK(code_of([&] { (void)schedule.explain(); }) == Errc::cycle);
    CHECK(runs == 0);
    CHECK(schedule.time().frame == 0);
}

TEST_CASE("before and after may name systems of other phases when phases are in that order") {
    World world;
    Schedule schedule{world};
    std::string seen;
    schedule.add_phase("p").add("a", [&] { seen += 'a'; }, {.before = "b"});
    schedule.add_phase("q").add("b", [&] { seen += 'b'; }, {.after = "a"});
    schedule.update(0);
    CHECK(seen == "ab");
}

TEST_CASE("names are unique in a schedule, and unknown ones are refused") {
    struct Render {
        void update() {}
    };
    World world;
    Schedule schedule{world};
    Phase& p = schedule.add_phase("p");
    Phase& q = schedule.add_phase("q");
    CHECK(code_of([&] { schedule.add_phase("p"); }) == Errc::duplicate_name);
    p.add<Render>();
    CHECK(code_of([&] { q.add<Render>(); }) == Errc::duplicate_name);
    CHECK(code_of([&] { q.add(Render{}, {.priority = 2}); }) == Errc::duplicate_name);
    q.add("second", Render{});
    CHECK(code_of([&] { schedule.phase("r"); }) == Errc::unknown_name);
    CHECK(code_of([&] { p.enable("second"); }) == Errc::unknown_name);
    CHECK(code_of([&] { p.disable("x"); }) == Errc::unknown_name);
    CHECK(code_of([&] { (void)p.enabled("x"); }) == Errc::unknown_name);
    CHECK(code_of([&] { p.remove("x"); }) == Errc::unknown_name);
    p.remove<Render>();
    CHECK(code_of([&] { p.remove<Render>(); }) == Errc::unknown_name);
    CHECK(code_of([&] { (void)p.system<Render>(); }) == Errc::unknown_name);
    CHECK(code_of([&] { p.enable<Render>(); }) == Errc::unknown_name);
    p.add<Render>();
    schedule.update(0);
}

namespace {

std::string hooks;

struct Hooked {
    explicit Hooked(char given = 'h') : name(given) {}
    void note(const char* what) { hooks += std::string(1, name) + what + ' '; }
    void update() { note("run"); }
    void on_added(World&) { note("+"); }
    void on_enabled(World&) { note("on"); }
    void on_disabled(World&) { note("off"); }
    void on_removed(World&) { note("-"); }
    char name;
};

std::string take_hooks() { return std::exchange(hooks, {}); }

}  // namespace

TEST_CASE("hooks are called once for each change of the effective state") {
    World world;
    {
        Schedule schedule{world};
        Phase& phase = schedule.add_phase("p");
        phase.add<Hooked>('a');
        CHECK(take_hooks() == "a+ aon ");
        phase.add("b", Hooked{'b'}, {.enabled = false});
        CHECK(take_hooks() == "b+ ");
        phase.disable();
        CHECK(take_hooks() == "aoff ");
        phase.disable();
        phase.disable<Hooked>();
        phase.enable("b");
        CHECK(take_hooks().empty());
        CHECK_FALSE(phase.enabled());
        CHECK(phase.enabled("b"));
        CHECK_FALSE(phase.enabled<Hooked>());
        phase.enable();
        CHECK(take_hooks() == "bon ");
        schedule.update(0);
        CHECK(take_hooks() == "brun ");
        phase.enable<Hooked>();
        CHECK(take_hooks() == "aon ");
        phase.remove("b");
        CHECK(take_hooks() == "boff b- ");
        phase.add("c", Hooked{'c'});
        take_hooks();
    }
    CHECK(take_hooks() == "coff c- aoff a- ");
}

TEST_CASE("a hook that throws at add leaves the schedule as it was") {
    struct Bad {
        bool in_added;
        void update() {}
        void on_added(World&) {
            if (in_added) throw 1;
        }
        void on_enabled(World&) { throw 2; }
        void on_removed(World&) { hooks += "removed"; }
    };
    World world;
    Schedule schedule{world};
    Phase& phase = schedule.add_phase("p");
    CHECK_THROWS_AS(phase.add("x", Bad{true}), int);
    CHECK(take_hooks().empty());
    CHECK_THROWS_AS(phase.add("x", Bad{false}), int);
    CHECK(take_hooks() == "removed");
    CHECK(phase.find_system<Bad>() == nullptr);
    CHECK(schedule.report().empty());
    schedule.update(0);
}

TEST_CASE("time passes with updates, and not while paused") {
    World world;
    Schedule schedule{world};
    std::vector<Time> seen;
    Phase& phase = schedule.add_phase("p").add("see", [&](const Time& time) { seen.push_back(time); });
    schedule.update(0.5);
    phase.update(0.25);
    schedule.set_paused(true);
    schedule.update(1);
    phase.update(1);
    CHECK(schedule.paused());
    schedule.set_paused(false);
    schedule.update(0.125);
    REQUIRE(seen.size() == 3);
    CHECK(seen[0].delta == 0.5);
    CHECK(seen[0].elapsed == 0.5);
    CHECK(seen[0].frame == 1);
    CHECK(seen[1].elapsed == 0.75);
    CHECK(seen[1].frame == 1);
    CHECK(seen[2].delta == 0.125);
    CHECK(seen[2].elapsed == 0.875);
    CHECK(seen[2].frame == 2);
    phase.disable();
    phase.update(9);
    CHECK(seen.size() == 3);
    CHECK(schedule.time().elapsed == 0.625);
}

TEST_CASE("commands are applied at sync points and after each phase, in the order of systems") {
    World world;
    Schedule schedule{world};
    std::vector<std::size_t> seen;
    const auto spawn = [](Commands& later) { later.spawn(Position{}); };
    const auto count = [&](Query<const Position> all) { seen.push_back(all.count()); };
    schedule.add_phase("p").add("s1", spawn).add("c1", count).sync().add("c2", count).add("s2", spawn);
    schedule.add_phase("q").add("c3", count);
    schedule.update(0);
    CHECK(seen == std::vector<std::size_t>{0, 1, 2});
    CHECK(world.size() == 2);
    schedule.phase("p").update(0);
    CHECK(world.size() == 4);
}

TEST_CASE("removed values live until the end of the frame, not of a phase") {
    World world;
    world.keep_removed<Score>();
    const Entity e = world.spawn(Score{7});
    Schedule schedule{world};
    bool seen = false;
    schedule.add_phase("p").add("remove", [&](Commands& later) { later.remove<Score>(e); });
    schedule.add_phase("q").add("look", [&](const World& at) { seen = at.find_removed<Score>(e) != nullptr; });
    schedule.update(0);
    CHECK(seen);
    CHECK(world.find_removed<Score>(e) == nullptr);
    world.set(e, Score{8});
    schedule.phase("p").update(0);
    CHECK(world.find_removed<Score>(e) != nullptr);
}

TEST_CASE("systems are skipped while what they need is missing, and reports say why") {
    World world;
    Schedule schedule{world};
    int with_resource = 0;
    int populated = 0;
    int maybe = 0;
    schedule.add_phase("p")
        .add("res", [&](Res<const Gravity> g) { with_resource += static_cast<int>(g->g); })
        .add("populated", [&](Populated<const Position> all) { populated += static_cast<int>(all.count()); })
        .add("maybe", [&](Maybe<Res<Gravity>> g) { maybe += g ? static_cast<int>((*g).g) : -1; })
        .add("off", [] {}, {.enabled = false});
    schedule.update(0);
    CHECK(with_resource == 0);
    CHECK(populated == 0);
    CHECK(maybe == -1);
    auto report = schedule.report();
    REQUIRE(report.size() == 4);
    CHECK_FALSE(report[0].ran);
    CHECK(std::string(report[0].why_not).find("Gravity") != std::string::npos);
    CHECK(report[1].why_not == "nothing matches its query");
    CHECK(report[2].ran);
    CHECK(report[2].runs == 1);
    CHECK(report[2].why_not.empty());
    CHECK(report[3].why_not == "it is disabled");
    world.set_resource(Gravity{});
    world.spawn(Position{});
    schedule.update(0);
    CHECK(with_resource == 9);
    CHECK(populated == 1);
    CHECK(maybe == 8);
    report = schedule.report();
    CHECK(report[0].ran);
    CHECK(report[0].last >= 0);
    CHECK(report[0].mean >= 0);
    CHECK(report[1].reads.size() == 1);
    CHECK(report[2].writes.size() == 1);
    schedule.phase("p").disable();
    schedule.update(0);
    CHECK(with_resource == 9);
    CHECK(populated == 1);
    CHECK(maybe == 8);
}

TEST_CASE("Local keeps a value for each system") {
    World world;
    Schedule schedule{world};
    std::vector<int> seen;
    const auto count = [&](Local<int> n) { seen.push_back(++*n); };
    schedule.add_phase("p").add("a", count).add("b", count);
    schedule.update(0);
    schedule.update(0);
    CHECK(seen == std::vector<int>{1, 1, 2, 2});
}

TEST_CASE("Watch: lists begin with the system, and are cleared after it ran") {
    World world;
    world.spawn(Score{});
    Schedule schedule{world};
    std::vector<std::size_t> added;
    std::size_t changed = 0;
    schedule.add_phase("p").add("watch", [&](Watch<const Score> scores) {
        added.push_back(scores.added().size());
        changed += scores.changed().size();
    });
    Phase& phase = schedule.phase("p");
    const Entity e = world.spawn(Score{});
    schedule.update(0);
    world.get<Score>(e).value = 2;
    phase.disable("watch");
    world.spawn(Score{});
    schedule.update(0);
    phase.enable("watch");
    world.spawn(Score{});
    schedule.update(0);
    schedule.update(0);
    CHECK(added == std::vector<std::size_t>{1, 2, 0});
    CHECK(changed == 1);
}

TEST_CASE("Changed in a system: since it last ran, whoever wrote in between") {
    World world;
    const Entity a = world.spawn(Score{1});
    const Entity b = world.spawn(Score{2});
    Schedule schedule{world};
    std::vector<std::vector<Entity>> seen(2);
    const auto look = [&](int which) {
        return [&seen, which](Query<const Score, Changed<Score>> changed) {
            seen[static_cast<std::size_t>(which)].clear();
            changed.collect(seen[static_cast<std::size_t>(which)]);
        };
    };
    int frame = 0;
    schedule.add_phase("p")
        .add("look0", look(0))
        .add("write",
             [&](Query<Score> all) {
                 if (++frame == 2) all.fetch(b, [](Score& score) { ++score.value; });
             })
        .add("look1", look(1));
    schedule.update(0);
    CHECK(seen[0].size() == 2);
    CHECK(seen[1].size() == 2);
    schedule.update(0);
    CHECK(seen[0].empty());
    CHECK(seen[1] == std::vector<Entity>{b});
    schedule.update(0);
    CHECK(seen[0] == std::vector<Entity>{b});
    CHECK(seen[1].empty());
    world.get<Score>(a).value = 9;
    schedule.update(0);
    CHECK(seen[0] == std::vector<Entity>{a});
    CHECK(seen[1] == std::vector<Entity>{a});
    schedule.update(0);
    CHECK(seen[0].empty());
    CHECK(seen[1].empty());
}

TEST_CASE("parameters that alias each other are refused, with the component named") {
    World world;
    Schedule schedule{world};
    Phase& phase = schedule.add_phase("p");
    const std::string sentence =
        sentence_of([&] { phase.add("x", [](Query<Position>, Query<const Position, Velocity>) {}); });
    CHECK(sentence.find("Position") != std::string::npos);
    CHECK(sentence.find("'x'") != std::string::npos);
    CHECK(code_of([&] { phase.add("x", [](Query<Position>, Query<const Position>) {}); }) == Errc::conflict);
    CHECK(code_of([&] { phase.add("x", [](Query<Mut<Position>>, Query<const Position>) {}); }) == Errc::conflict);
    CHECK(code_of([&] { phase.add("x", [](Query<Maybe<Position>>, Query<Velocity, Changed<Position>>) {}); }) ==
          Errc::conflict);
    CHECK(code_of([&] { phase.add("x", [](Res<Gravity>, Res<const Gravity>) {}); }) == Errc::conflict);
    CHECK(code_of([&] { phase.add("x", [](Res<Gravity>, Maybe<Res<Gravity>>) {}); }) == Errc::conflict);
    CHECK(code_of([&] { phase.add("x", [](Query<Position, Needs<Gravity>>, Res<const Gravity>) {}); }) ==
          Errc::conflict);
    CHECK(schedule.report().empty());
    phase.add("a", [](Query<const Position>, Query<const Position, With<Velocity>>) {});
    phase.add("b", [](Query<Position, With<Dead>>, Query<Position, Without<Dead>>) {});
    phase.add("c", [](Res<const Gravity>, Res<const Gravity>) {});
    phase.add("d", [](Query<Position>, Watch<const Position>) {});
    schedule.update(0);
}

TEST_CASE("structure is locked in systems, and open in those that take the world") {
    World world;
    Schedule schedule{world};
    Errc inside = Errc::corrupt;
    schedule.add_phase("p")
        .add("locked", [&] { inside = code_of([&] { world.spawn(Position{}); }); })
        .add("open", [](World& at) { at.spawn(Position{}); });
    schedule.update(0);
    CHECK(inside == Errc::locked);
    CHECK(world.size() == 1);
    world.spawn(Position{});
}

TEST_CASE("a schedule cannot be changed or updated while it runs") {
    World world;
    Schedule schedule{world};
    std::vector<Errc> codes;
    Phase& phase = schedule.add_phase("p");
    phase.add("x", [&](World&) {
        codes.push_back(code_of([&] { schedule.update(0); }));
        codes.push_back(code_of([&] { phase.update(0); }));
        codes.push_back(code_of([&] { phase.add("y", [] {}); }));
        codes.push_back(code_of([&] { phase.remove("x"); }));
        codes.push_back(code_of([&] { phase.disable("x"); }));
        codes.push_back(code_of([&] { phase.disable(); }));
        codes.push_back(code_of([&] { phase.sync(); }));
        codes.push_back(code_of([&] { schedule.add_phase("q"); }));
    });
    schedule.update(0);
    CHECK(codes == std::vector<Errc>(8, Errc::locked));
    CHECK(code_of([&] {
              world.query<>().each([&] {});
              world.spawn(Position{});
              world.query<const Position>().each([&](const Position&) { schedule.update(0); });
          }) == Errc::locked);
    schedule.update(0);
}

TEST_CASE("an exception stops the update; commands of what completed are applied") {
    World world;
    Schedule schedule{world};
    bool fail = true;
    int later_runs = 0;
    schedule.add_phase("p")
        .add("good", [](Commands& later) { later.spawn(Position{}); })
        .add("bad",
             [&](Commands& later) {
                 later.spawn(Velocity{});
                 if (fail) throw std::runtime_error("bad");
             })
        .add("after", [&] { ++later_runs; });
    schedule.add_phase("q").add("next", [&] { ++later_runs; });
    CHECK_THROWS_AS(schedule.update(0), std::runtime_error);
    world.check();
    CHECK(world.query<const Position>().count() == 1);
    CHECK(world.query<const Velocity>().count() == 0);
    CHECK(later_runs == 0);
    CHECK(schedule.report()[1].why_not == "it threw an exception");
    fail = false;
    schedule.update(0);
    world.check();
    CHECK(world.query<const Position>().count() == 2);
    CHECK(world.query<const Velocity>().count() == 1);
    CHECK(later_runs == 2);
}

TEST_CASE("memory that runs out between systems loses no commands of those that completed, and keeps none for later") {
    World world{WorldOptions{.max_entities = 3}};
    Schedule schedule{world};
    const auto spawn = [](Commands& later) { later.spawn(Position{}); };
    schedule.add_phase("p").add("a", spawn).add("b", spawn).add("alone", [](World&) {}).add("c", spawn).add("d", spawn);
    CHECK(code_of([&] { schedule.update(0); }) == Errc::capacity);
    world.check();
    CHECK(world.size() == 3);
    world.clear();
    CHECK(code_of([&] { schedule.update(0); }) == Errc::capacity);
    CHECK(world.size() == 3);
}

TEST_CASE("worlds and schedules may end in any order") {
    auto world = std::make_unique<World>();
    Schedule schedule{*world};
    Phase& phase =
        schedule.add_phase("p").add("x", [](Query<Position>, Commands&, Watch<const Position>) {}).add<Hooked>('z');
    take_hooks();
    schedule.update(0);
    CHECK(take_hooks() == "zrun ");
    World moved = std::move(*world);
    moved.spawn(Position{});
    schedule.update(0);
    CHECK(take_hooks() == "zrun ");
    world.reset();
    { const World gone = std::move(moved); }
    CHECK(code_of([&] { schedule.update(0); }) == Errc::world_gone);
    CHECK(code_of([&] { phase.update(0); }) == Errc::world_gone);
    CHECK(code_of([&] { phase.add("y", [] {}); }) == Errc::world_gone);
    CHECK(take_hooks().empty());
}

namespace {

struct Keyboard {
    bool pressed = false;
};
struct Jump {
    const Keyboard& keys;
};

}  // namespace

template <>
struct stoa::Param<Jump> {
    static void access(Access& access) { access.reads_resource<Keyboard>(); }
    static bool ready(const SystemContext& at) { return at.world.has_resource<Keyboard>(); }
    static Jump fetch(const SystemContext& at) { return {at.world.resource<const Keyboard>()}; }
};

TEST_CASE("types of one's own as parameters") {
    World world;
    Schedule schedule{world};
    int jumps = 0;
    schedule.add_phase("p").add("jump", [&](Jump jump) { jumps += jump.keys.pressed; });
    schedule.update(0);
    CHECK(std::string(schedule.report()[0].why_not).find("Jump") != std::string::npos);
    world.set_resource(Keyboard{true});
    schedule.update(0);
    CHECK(jumps == 1);
    CHECK(schedule.report()[0].reads.size() == 1);
    CHECK(code_of([&] { schedule.phase("p").add("x", [](Jump, Res<Keyboard>) {}); }) == Errc::conflict);
}

TEST_CASE("explain says what may overlap") {
    World world;
    Schedule schedule{world};
    schedule.add_phase("p")
        .add("a", [](Query<Position>) {})
        .add("b", [](Query<const Position>) {})
        .add("c", [](Query<const Position>) {})
        .add("d", [](Query<Velocity, With<Dead>>) {})
        .add("e", [](Query<Velocity, Without<Dead>>) {})
        .add("w", [](World&) {})
        .sync()
        .add("f", [] {});
    const std::string text = schedule.explain();
    CHECK(text.find("a: writes ") != std::string::npos);
    CHECK(text.find("may overlap with d, e\n    b") != std::string::npos);
    CHECK(text.find("may overlap with c, d, e") != std::string::npos);
    CHECK(text.find("may overlap with a, b, c, e") != std::string::npos);
    CHECK(text.find("w: runs alone") != std::string::npos);
    CHECK(text.find("sync") != std::string::npos);
    const std::string graph = schedule.explain_graph();
    CHECK(graph.find("\"a\" -> \"b\"") != std::string::npos);
    CHECK(graph.find("\"b\" -> \"c\"") == std::string::npos);
}
