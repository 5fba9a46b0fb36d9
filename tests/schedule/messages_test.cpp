// Guards what a schedule says: each refusal names what is wrong and what to do, and a report owns its strings.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

using namespace stoa;

namespace {

struct Position {
    float x = 0;
};
struct Gravity {
    float g = 9;
};

// What a call is refused with: the code and the sentence.
struct Refusal {
    std::optional<Errc> code;
    std::string sentence;

    bool says(std::string_view part) const { return sentence.find(part) != std::string::npos; }
};

Refusal refusal_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return {error.code(), error.what()};
    }
    return {};
}

}  // namespace

TEST_CASE("a report owns its strings: it survives other reports, changes and the end of the schedule") {
    World world;
    std::vector<SystemReport> report;
    {
        Schedule schedule{world};
        Phase& phase = schedule.add_phase("a phase with a name that is not short");
        phase.add("a system with a name that is not short", [](Res<const Gravity>, Query<Position>) {});
        phase.add("a second system with a name that is not short", [] {}, {.enabled = false});
        schedule.update(0);
        report = schedule.report();
        world.set_resource(Gravity{});
        phase.enable("a second system with a name that is not short");
        schedule.update(0);
        (void)schedule.report();
        (void)schedule.explain();
        phase.remove("a system with a name that is not short");
    }
    REQUIRE(report.size() == 2);
    CHECK(report[0].name == "a system with a name that is not short");
    CHECK(report[0].phase == "a phase with a name that is not short");
    CHECK(report[0].why_not.find("a resource is missing: ") == 0);
    CHECK(report[0].why_not.find("Gravity") != std::string::npos);
    REQUIRE(report[0].reads.size() == 1);
    CHECK(report[0].reads[0].find("Gravity") != std::string::npos);
    REQUIRE(report[0].writes.size() == 1);
    CHECK(report[0].writes[0].find("Position") != std::string::npos);
    CHECK(report[1].why_not == "it is disabled");
}

TEST_CASE("a structural verb through a captured world says what to take instead, in systems only") {
    World world;
    const Entity e = world.spawn(Position{});
    Schedule schedule{world};
    std::vector<Refusal> inside;
    std::vector<Refusal> outside;
    const auto verbs = [&](std::vector<Refusal>& into) {
        into.push_back(refusal_of([&] { world.spawn(Position{}); }));
        into.push_back(refusal_of([&] { world.despawn(e); }));
        into.push_back(refusal_of([&] { world.remove<Position>(e); }));
        into.push_back(refusal_of([&] { world.add<Gravity>(e); }));
        into.push_back(refusal_of([&] { world.clear(); }));
        into.push_back(refusal_of([&] { world.spawn_many(3, Position{}); }));
        into.push_back(refusal_of([&] { world.query<Position>().despawn_all(); }));
    };
    schedule.add_phase("p")
        .add("captures", [&] { verbs(inside); })
        .add("in a walk", [&](Query<const Position> all) { all.each([&](const Position&) { verbs(inside); }); })
        .add("takes the world",
             [&](World& at) { at.query<const Position>().each([&](const Position&) { verbs(outside); }); });
    schedule.update(0);
    CHECK(inside.size() == 14);
    for (const Refusal& refusal : inside) {
        CAPTURE(refusal.sentence);
        CHECK(refusal.code == Errc::locked);
        CHECK(refusal.says("take Commands& or World&"));
    }
    CHECK(outside.size() == 7);
    for (const Refusal& refusal : outside) CHECK_FALSE(refusal.says("World&"));
    CHECK(outside[0].says("commands().spawn()"));
}

TEST_CASE("an unknown name is refused with the nearest one there is") {
    World world;
    Schedule schedule{world};
    Phase& phase = schedule.add_phase("physics");
    phase.add("integrate", [] {}).add("collide", [] {}).add("x", [] {});
    schedule.add_phase("rendering").add("draw", [] {});
    struct Case {
        std::function<void()> call;
        const char* nearest;  // null: none is near
    };
    const auto order = [&](const SystemOptions& options) {
        return [&, options] {
            phase.add(
                "new", [] {}, options);
            try {
                schedule.update(0);
            } catch (...) {
                phase.remove("new");
                throw;
            }
        };
    };
    const Case cases[] = {
        {order({.before = "colide"}), "'collide'"},
        {order({.after = "Integrate"}), "'integrate'"},
        {order({.after = "integrate "}), "'integrate'"},
        {order({.before = "darw"}), "'draw'"},  // of another phase
        {order({.before = "something else"}), nullptr},
        {[&] { phase.remove("intergate"); }, "'integrate'"},
        {[&] { phase.enable("collider"); }, "'collide'"},
        {[&] { phase.disable("draw"); }, nullptr},  // of another phase, so it would not help
        {[&] { (void)schedule.phase("phisics"); }, "'physics'"},
        {[&] { (void)schedule.phase(""); }, nullptr},
    };
    for (const Case& each : cases) {
        const Refusal refusal = refusal_of(each.call);
        CAPTURE(refusal.sentence);
        CHECK(refusal.code == Errc::unknown_name);
        CHECK(refusal.says("did you mean") == (each.nearest != nullptr));
        if (each.nearest != nullptr) CHECK(refusal.says(std::string("did you mean ") + each.nearest + "?"));
    }
    schedule.update(0);
    CHECK(schedule.time().frame == 1);
}

TEST_CASE("names that are taken: the sentence says how to go on") {
    World world;
    Schedule schedule{world};
    schedule.add_phase("p").add("x", [] {});
    const Refusal phase = refusal_of([&] { schedule.add_phase("p"); });
    CHECK(phase.code == Errc::duplicate_name);
    CHECK(phase.says("phase(\"p\")"));
    const Refusal system = refusal_of([&] { schedule.phase("p").add("x", [] {}); });
    CHECK(system.code == Errc::duplicate_name);
    CHECK(system.says("'x'"));
}

TEST_CASE("parameters that conflict: With and Without are advice for components alone") {
    World world;
    Schedule schedule{world};
    Phase& phase = schedule.add_phase("p");
    const Refusal resources = refusal_of([&] { phase.add("x", [](Res<Gravity>, Res<const Gravity>) {}); });
    CHECK(resources.code == Errc::conflict);
    CHECK(resources.says("Gravity"));
    CHECK(resources.says("'x'"));
    CHECK_FALSE(resources.says("With"));
    const Refusal components = refusal_of([&] { phase.add("x", [](Query<Position>, Query<const Position>) {}); });
    CHECK(components.code == Errc::conflict);
    CHECK(components.says("With and Without"));
}

TEST_CASE("time that runs backwards or is no number is refused, and nothing happens") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    World world;
    Schedule schedule{world};
    int runs = 0;
    Phase& phase = schedule.add_phase("p").add("x", [&] { ++runs; });
    schedule.update(0.5);
    for (const double delta : {-1.0, -std::numeric_limits<double>::denorm_min(), infinity, -infinity,
                               std::numeric_limits<double>::quiet_NaN()}) {
        for (const bool paused : {false, true}) {
            schedule.set_paused(paused);
            CHECK(refusal_of([&] { schedule.update(delta); }).code == Errc::conflict);
            CHECK(refusal_of([&] { phase.update(delta); }).code == Errc::conflict);
        }
        schedule.set_paused(false);
    }
    CHECK(refusal_of([&] { schedule.update(-1); }).says("-1"));
    CHECK(runs == 1);
    CHECK(schedule.time().frame == 1);
    CHECK(schedule.time().delta == 0.5);
    CHECK(schedule.time().elapsed == 0.5);
    schedule.update(-0.0);
    CHECK(runs == 2);
}

TEST_CASE("sentences quote names in ASCII") {
    World world;
    Schedule schedule{world};
    Phase& phase = schedule.add_phase("p");
    schedule.add_phase("q").add("late", [] {});
    phase.add("a", [] {});
    const std::vector<std::function<void()>> refused = {
        [&] { schedule.add_phase("p"); },
        [&] { schedule.phase("nothing"); },
        [&] { phase.add("a", [] {}); },
        [&] { phase.add("b", [](Query<Position>, Query<Position>) {}); },
        [&] { phase.remove("nothing"); },
        [&] { schedule.update(-1); },
        [&] {
            phase.add("self", [] {}, {.after = "self"});
            schedule.update(0);
        },
        [&] {
            phase.remove("self");
            phase.add("late first", [] {}, {.after = "late"});
            schedule.update(0);
        },
        [&] {
            phase.remove("late first");
            phase.add("unknown", [] {}, {.after = "nobody"});
            schedule.update(0);
        },
        [&] {
            phase.remove("unknown");
            phase.add("low", [] {}, {.priority = 1, .before = "a"});
            schedule.update(0);
        },
        [&] {
            phase.remove("low");
            phase.add("c", [] {}, {.before = "d"}).add("d", [] {}, {.before = "c"});
            schedule.update(0);
        },
    };
    for (const auto& call : refused) {
        const Refusal refusal = refusal_of(call);
        CAPTURE(refusal.sentence);
        CHECK(refusal.code.has_value());
        CHECK(std::all_of(refusal.sentence.begin(), refusal.sentence.end(),
                          [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
    }
}
