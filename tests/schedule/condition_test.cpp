// Guards run conditions: when they are asked, what they see, what they may take, and what a false one means.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

using namespace stoa;

namespace {

struct Weather {
    bool wet = false;
};
struct Load {
    int jobs = 0;
};
struct Position {
    float x = 0;
};
struct Sly {};  // a parameter that writes, and does not say so in its type
struct Honest {
    int jobs;
};

Errc code_of(auto&& f) {
    try {
        f();
    } catch (const Error& error) {
        return error.code();
    }
    return Errc::corrupt;
}

bool is_wet(Res<const Weather> weather) { return weather->wet; }

const SystemReport& report_of(const std::vector<SystemReport>& all, std::string_view name) {
    for (const SystemReport& report : all) {
        if (report.name == name) return report;
    }
    throw std::runtime_error("no such system");
}

std::string why_not(const Schedule& schedule, std::string_view name) {
    return report_of(schedule.report(), name).why_not;
}

}  // namespace

template <>
struct stoa::Param<Sly> {
    static void access(Access& access) { access.writes_resource<Load>(); }
    static Sly fetch(const SystemContext&) { return {}; }
};
template <>
struct stoa::Param<Honest> {
    static void access(Access& access) { access.reads_resource<Load>(); }
    static bool ready(const SystemContext& at) { return at.world.has_resource<Load>(); }
    static Honest fetch(const SystemContext& at) { return {at.world.resource<const Load>().jobs}; }
};

TEST_CASE("a condition is a lambda, a function, a callable object or a named condition") {
    struct Callable {
        int least;
        bool operator()(Res<const Load> load) const { return load->jobs >= least; }
    };
    World world;
    world.set_resource(Weather{});
    world.set_resource(Load{5});
    Schedule schedule{world};
    std::string seen;
    const auto note = [&](char name) { return [&seen, name] { seen += name; }; };
    const Condition busy{"busy", [](Res<const Load> load) { return load->jobs > 9; }};
    schedule.add_phase("p")
        .add("a", note('a'), {.when = [](Res<const Weather> weather) { return weather->wet; }})
        .add("b", note('b'), {.when = is_wet})
        .add("c", note('c'), {.when = Callable{6}})
        .add("d", note('d'), {.when = busy})
        .add("e", note('e'), {.when = !busy})
        .add("f", note('f'), {.when = Condition{is_wet} || busy})
        .add("g", note('g'), {.when = Condition{}})
        .add("h", note('h'), {.when = [calls = 0](Honest load) mutable { return ++calls > 1 && load.jobs > 0; }});
    schedule.update(0);
    CHECK(seen == "eg");
    seen.clear();
    world.resource<Weather>().wet = true;
    schedule.update(0);
    CHECK(seen == "abefgh");
    seen.clear();
    world.resource<Load>().jobs = 10;
    schedule.update(0);
    CHECK(seen == "abcdfgh");
}

TEST_CASE("a condition sees what the systems before it in order have done, and not what those behind it do") {
    World world;
    world.set_resource(Load{0});
    Schedule schedule{world};
    std::string seen;
    const auto idle = [](Res<const Load> load) { return load->jobs == 0; };
    schedule.add_phase("p")
        .add("idle 1", [&] { seen += '1'; }, {.when = idle})
        .add("work", [](Res<Load> load) { load->jobs = 3; })
        .add("idle 2", [&] { seen += '2'; }, {.when = idle})
        .add("rest", [](Res<Load> load) { load->jobs = 0; })
        .add("idle 3", [&] { seen += '3'; }, {.when = idle});
    schedule.update(0);
    CHECK(seen == "13");
    const std::vector<SystemReport> report = schedule.report();
    CHECK(report_of(report, "idle 1").reads == report_of(report, "work").writes);
    // Its reads order it behind "work" and before "rest".
    CHECK(schedule.explain().find("may overlap with idle 1") == std::string::npos);
}

TEST_CASE("the reads of a condition never conflict with the parameters of its own system") {
    World world;
    world.set_resource(Load{0});
    world.spawn(Position{});
    Schedule schedule{world};
    Phase& phase = schedule.add_phase("p");
    phase.add("count", [](Res<Load> load, Query<Position>) { ++load->jobs; },
              {.when = [](Res<const Load> load, Query<const Position> all) { return load->jobs < 3 && !all.empty(); }});
    phase.add("alone", [](World& at) { at.resource<Load>().jobs += 10; },
              {.when = [](const World& at) { return at.resource<const Load>().jobs < 15; }});
    for (int i = 0; i < 6; ++i) schedule.update(0);
    CHECK(world.resource<const Load>().jobs == 21);
    CHECK(report_of(schedule.report(), "count").writes.size() == 2);
}

TEST_CASE("a condition whose parameters are not ready is false, and its opposite true") {
    World world;
    Schedule schedule{world};
    std::string seen;
    const Condition busy{"busy", [](Res<const Load> load) { return load->jobs > 9; }};
    schedule.add_phase("p")
        .add("a", [&] { seen += 'a'; }, {.when = busy})
        .add("b", [&] { seen += 'b'; }, {.when = !busy})
        .add("c", [&] { seen += 'c'; }, {.when = [](Maybe<Res<const Load>> load) { return !load; }})
        .add("d", [&] { seen += 'd'; }, {.when = [](Populated<const Position>) { return true; }})
        .add("e", [&] { seen += 'e'; }, {.when = [](Honest) { return true; }});
    schedule.update(0);
    CHECK(seen == "bc");
}

TEST_CASE("why_not names the condition, and combinations read as they were written") {
    World world;
    world.set_resource(Load{0});
    Schedule schedule{world};
    const Condition busy{"busy", [](Res<const Load> load) { return load->jobs > 9; }};
    const Condition idle{"idle", [](Res<const Load> load) { return load->jobs == 0; }};
    Phase& phase = schedule.add_phase("p");
    phase.add("a", [] {}, {.when = busy}).add("b", [] {}, {.when = is_wet}).add("c", [] {}, {.when = idle});
    phase.add("d", [] {}, {.when = busy && (idle || !busy)});
    phase.add("e", [] {}, {.when = !(idle && Condition{})});
    schedule.update(0);
    CHECK(why_not(schedule, "a") == "its condition is false: busy");
    CHECK(why_not(schedule, "b") == "its condition is false: unnamed");
    CHECK(why_not(schedule, "c").empty());
    CHECK(why_not(schedule, "d") == "its condition is false: busy && (idle || !busy)");
    CHECK(why_not(schedule, "e") == "its condition is false: !(idle && always)");
    CHECK(report_of(schedule.report(), "a").runs == 0);
    CHECK(!report_of(schedule.report(), "a").ran);
    phase.disable("a");
    schedule.update(0);
    CHECK(why_not(schedule, "a") == "it is disabled");
}

TEST_CASE("conditions are asked from left to right, and only as many as are needed, before the parameters are") {
    World world;
    Schedule schedule{world};
    std::string seen;
    const auto answer = [&](char name, bool value) {
        return Condition{[&seen, name, value] {
            seen += name;
            return value;
        }};
    };
    Phase& phase = schedule.add_phase("p");
    phase.add("and", [] {}, {.when = answer('a', false) && answer('b', true)});
    phase.add("or", [] {}, {.when = answer('c', true) || answer('d', true)});
    phase.add("both", [] {}, {.when = answer('e', true) && !answer('f', true) && answer('g', true)});
    phase.add("missing", [](Res<Load>) {}, {.when = answer('h', true)});
    phase.add("disabled", [] {}, {.enabled = false, .when = answer('i', true)});
    schedule.update(0);
    CHECK(seen == "acefh");
}

TEST_CASE("each system has a Local and queries of its own in a condition that several share") {
    World world;
    const Entity entity = world.spawn(Position{});
    Schedule schedule{world};
    const Condition second{"second", [](Local<int> asked) { return ++*asked % 2 == 0; }};
    const Condition moved{"moved", [](Query<const Position, Changed<Position>> all) { return !all.empty(); }};
    std::string seen;
    Phase& phase = schedule.add_phase("p");
    phase.add("a", [&] { seen += 'a'; }, {.when = second}).add("b", [&] { seen += 'b'; }, {.when = second});
    phase.add("c", [&] { seen += 'c'; }, {.when = moved});
    phase.add("d", [&] { seen += 'd'; }, {.enabled = false, .when = moved});
    schedule.update(0);
    CHECK(seen == "c");
    schedule.update(0);
    CHECK(seen == "cab");
    phase.enable("d");
    schedule.update(0);
    CHECK(seen == "cabd");
    world.get<Position>(entity).x = 1;
    schedule.update(0);
    CHECK(seen == "cabdabcd");
}

TEST_CASE("while a condition is false, marks and watches wait and hooks are not called") {
    struct Watcher {
        std::string hooks;
        std::vector<std::size_t> changed, added;
        void update(Query<const Position, Changed<Position>> all, Watch<const Position> watch) {
            changed.push_back(all.count());
            added.push_back(watch.added().size());
        }
        void on_enabled(World&) { hooks += 'e'; }
        void on_disabled(World&) { hooks += 'd'; }
    };
    World world;
    world.set_resource(Weather{});
    Schedule schedule{world};
    // The condition looks for changes too: they wait until the system has run.
    const Condition moved{[](Query<const Position, Changed<Position>> all) { return all.count() > 0; }};
    Phase& phase = schedule.add_phase("p").add("watch", Watcher{}, {.when = moved && is_wet});
    world.spawn(Position{});
    schedule.update(0);
    world.spawn(Position{});
    schedule.update(0);
    world.resource<Weather>().wet = true;
    schedule.update(0);
    schedule.update(0);
    const Watcher& watcher = phase.system<Watcher>();
    CHECK(watcher.changed == std::vector<std::size_t>{2});
    CHECK(watcher.added == std::vector<std::size_t>{2});
    CHECK(watcher.hooks == "e");
}

TEST_CASE("the condition of a phase is asked once an update of it, before its time is counted") {
    World world;
    world.set_resource(Weather{true});
    Schedule schedule{world};
    int asked = 0;
    std::vector<Time> at, seen;
    const Condition wet{"wet", [&](Res<const Weather> weather, const Time& time) {
                            ++asked;
                            at.push_back(time);
                            return weather->wet;
                        }};
    Phase& phase = schedule.add_phase("p", {.step = 0.5, .when = wet});
    phase.add("see", [&](const Time& time) { seen.push_back(time); });
    schedule.update(1.25);
    CHECK(asked == 1);
    CHECK(seen.size() == 2);
    CHECK(at[0].elapsed == 0);
    world.resource<Weather>().wet = false;
    schedule.update(1);
    phase.update(1);
    CHECK(asked == 3);
    CHECK(at[2].elapsed == 1);
    CHECK(seen.size() == 2);
    CHECK(why_not(schedule, "see") == "the condition of its phase is false: wet");
    CHECK(!schedule.report()[0].ran);
    world.resource<Weather>().wet = true;
    phase.update(0.25);
    CHECK(asked == 4);
    CHECK(seen.size() == 3);
    CHECK(seen[2].elapsed == 1.5);
    CHECK(phase.dropped() == 0);
    CHECK(why_not(schedule, "see").empty());
    phase.disable();
    schedule.update(1);
    CHECK(asked == 4);
}

TEST_CASE("the condition of a phase sees what the phases before it have done") {
    World world;
    world.set_resource(Weather{});
    Schedule schedule{world};
    int runs = 0;
    schedule.add_phase("p").add("rain", [](Res<Weather> weather) { weather->wet = !weather->wet; });
    schedule.add_phase("q", {.when = is_wet}).add("count", [&] { ++runs; });
    for (int i = 0; i < 5; ++i) schedule.update(0);
    CHECK(runs == 3);
    CHECK(schedule.find_phase("q")->enabled());
}

TEST_CASE("a parameter that writes without saying so is refused when it is added") {
    World world;
    Schedule schedule{world};
    const Condition sly{"sly", [](Sly) { return true; }};
    Phase& phase = schedule.add_phase("p");
    CHECK(code_of([&] { phase.add("a", [] {}, {.when = sly}); }) == Errc::conflict);
    CHECK(code_of([&] { phase.add("b", [] {}, {.when = is_wet && !sly}); }) == Errc::conflict);
    CHECK(code_of([&] { schedule.add_phase("q", {.when = sly}); }) == Errc::conflict);
    CHECK(schedule.report().empty());
    CHECK(schedule.find_phase("q") == nullptr);
    phase.add("a", [](Sly) {});
}

TEST_CASE("an exception of a condition ends the update, as one of its system") {
    World world;
    Schedule schedule{world};
    bool fail = true;
    std::string seen;
    const Condition failing{[&fail] {
        if (fail) throw std::runtime_error("no");
        return true;
    }};
    Phase& phase = schedule.add_phase("p");
    phase.add("a", [&](Commands& later) { later.spawn(Position{}); });
    phase.add("b", [&] { seen += 'b'; }, {.when = failing});
    phase.add("c", [&] { seen += 'c'; });
    CHECK_THROWS_AS(schedule.update(0), std::runtime_error);
    CHECK(seen.empty());
    CHECK(world.size() == 1);
    fail = false;
    schedule.update(0);
    CHECK(seen == "bc");
    Phase& stepped = schedule.add_phase("q", {.step = 1, .when = failing});
    stepped.add("d", [&] { seen += 'd'; });
    fail = true;
    CHECK_THROWS_AS(stepped.update(1), std::runtime_error);
    fail = false;
    stepped.update(0);
    CHECK(seen == "bc");
    stepped.update(1);
    CHECK(seen == "bcd");
}

TEST_CASE("a condition outlives the schedules that have it, and may be made before a world") {
    const Condition none{"none", [](Query<const Position> all) { return all.empty(); }};
    for (int round = 0; round < 2; ++round) {
        World world;
        Schedule schedule{world};
        int runs = 0;
        schedule.add_phase("p").add("count", [&] { ++runs; }, {.when = none});
        schedule.update(0);
        world.spawn(Position{});
        schedule.update(0);
        CHECK(runs == 1);
    }
    CHECK(none.name() == "none");
    CHECK(Condition{}.name().empty());
}
