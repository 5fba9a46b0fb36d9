// Guards the removal of whole phases: hooks, names, order, and what refers to them.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <stdexcept>
#include <string>

using namespace stoa;

namespace {

Errc code_of(auto&& f) {
    try {
        f();
    } catch (const Error& error) {
        return error.code();
    }
    return Errc::corrupt;
}

struct Hooked {
    std::string& seen;
    char name;
    bool fails = false;
    void update() {}
    void on_disabled(World&) { seen += 'd', seen += name; }
    void on_removed(World&) {
        seen += 'r', seen += name;
        if (fails) throw std::runtime_error("no");
    }
};

}  // namespace

TEST_CASE("a phase is removed with its systems, last added first, and its names are free again") {
    World world;
    Schedule schedule{world};
    std::string seen;
    int runs = 0;
    schedule.add_phase("first").add("count", [&] { ++runs; });
    schedule.add_phase("gone", {.step = 1}).add("a", Hooked{seen, 'a'}).add("b", Hooked{seen, 'b'});
    schedule.update(1);
    schedule.remove_phase("gone");
    CHECK(seen == "dbrbdara");
    CHECK(schedule.find_phase("gone") == nullptr);
    CHECK(schedule.report().size() == 1);
    schedule.update(1);
    CHECK(runs == 2);
    schedule.add_phase("gone").add("a", [&] { ++runs; });
    schedule.update(1);
    CHECK(runs == 4);
}

TEST_CASE("a phase that is not there cannot be removed, and none while the schedule runs") {
    World world;
    Schedule schedule{world};
    Phase& phase = schedule.add_phase("phase");
    CHECK(code_of([&] { schedule.remove_phase("phrase"); }) == Errc::unknown_name);
    phase.add("self", [&] { CHECK(code_of([&] { schedule.remove_phase("phase"); }) == Errc::locked); });
    schedule.update(0);
    CHECK(schedule.find_phase("phase") == &phase);
}

TEST_CASE("a hook that throws does not keep a phase, and the first exception comes out") {
    World world;
    Schedule schedule{world};
    std::string seen;
    schedule.add_phase("p").add("a", Hooked{seen, 'a', true}).add("b", Hooked{seen, 'b', true});
    CHECK_THROWS_AS(schedule.remove_phase("p"), std::runtime_error);
    CHECK(seen == "dbrbdara");
    CHECK(schedule.find_phase("p") == nullptr);
    schedule.update(0);
}

TEST_CASE("systems that name one of a removed phase are refused at the next update") {
    World world;
    Schedule schedule{world};
    schedule.add_phase("p").add("a", [] {});
    schedule.add_phase("q").add("b", [] {}, {.after = "a"});
    schedule.update(0);
    schedule.remove_phase("p");
    CHECK(code_of([&] { schedule.update(0); }) == Errc::unknown_name);
}

TEST_CASE("alpha is that of the stepped phase that is left, and a world that is gone does not matter") {
    std::optional<World> world(std::in_place);
    Schedule schedule{*world};
    double alpha = 0;
    schedule.add_phase("half", {.step = 0.5});
    schedule.add_phase("quarter", {.step = 0.25});
    schedule.add_phase("draw").add("see", [&](const Time& time) { alpha = time.alpha; });
    schedule.update(0.125);
    CHECK(alpha == 0.5);
    schedule.remove_phase("quarter");
    schedule.update(0);
    CHECK(alpha == 0.25);
    world.reset();
    schedule.remove_phase("draw");
    CHECK(schedule.find_phase("draw") == nullptr);
}
