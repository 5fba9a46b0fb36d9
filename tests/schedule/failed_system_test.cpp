// Guards that what a system, its condition or its commands throw through an update names the system.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "support/order_executor.hpp"

using namespace stoa;

namespace {

enum class Mode { menu, play };

struct Value {
    int number = 0;
};

// What an update throws: the code and the sentence of an Error.
struct Failure {
    Errc code = Errc::corrupt;
    std::string sentence;
};

Failure failure_of(auto&& f) {
    try {
        f();
    } catch (const Error& error) {
        return {error.code(), error.what()};
    }
    return {};
}

void fail_with_error(const World& world) { (void)world.resource<const Value>(); }

}  // namespace

TEST_CASE("an Error of a system has its code, and its name in front of the sentence") {
    World world;
    Schedule schedule{world};
    const std::string plain = failure_of([&] { fail_with_error(world); }).sentence;
    Phase& phase = schedule.add_phase("p").add("good", [] {}).add("bad", fail_with_error);
    CHECK(schedule.failed_system().empty());
    const Failure failure = failure_of([&] { schedule.update(0); });
    CHECK(failure.code == Errc::missing_resource);
    CHECK(failure.sentence == "in system 'bad': " + plain);
    CHECK(schedule.failed_system() == "bad");
    world.set_resource(Value{});
    schedule.update(0);
    CHECK(schedule.failed_system().empty());
    world.remove_resource<Value>();
    CHECK(failure_of([&] { phase.update(0); }).sentence == failure.sentence);
    CHECK(schedule.failed_system() == "bad");
    phase.remove("bad");
    CHECK(schedule.failed_system() == "bad");
    phase.update(0);
    CHECK(schedule.failed_system().empty());
}

TEST_CASE("another exception passes as it is") {
    World world;
    Schedule schedule{world};
    schedule.add_phase("p").add("a system with a name that is not short at all", [] { throw 7; });
    CHECK_THROWS_AS(schedule.update(0), int);
    CHECK(schedule.failed_system() == "a system with a name that is not short at all");
}

TEST_CASE("a condition counts as its system, that of a phase does not") {
    World world;
    Schedule schedule{world};
    const Condition failing{[](const World& at) { return at.resource<const Value>().number == 0; }};
    Phase& phase = schedule.add_phase("p").add("held", [] {}, {.when = failing});
    CHECK(failure_of([&] { schedule.update(0); }).sentence.find("in system 'held': ") == 0);
    CHECK(schedule.failed_system() == "held");
    phase.remove("held");
    schedule.add_phase("q", {.when = failing}).add("x", [] {});
    const Failure failure = failure_of([&] { schedule.update(0); });
    CHECK(failure.code == Errc::missing_resource);
    CHECK(failure.sentence.find("in system") == std::string::npos);
    CHECK(schedule.failed_system().empty());
}

TEST_CASE("commands count as their system, at the end of a phase and at a sync point") {
    for (const bool sync : {false, true}) {
        World world;
        Schedule schedule{world};
        const auto enter = world.query<const Value>().on_enter([&](Entity, const Value& value) {
            if (value.number == 2) (void)world.resource<const std::string>();
        });
        Phase& phase = schedule.add_phase("p");
        phase.add("first", [](Commands& later) { later.spawn(Value{1}); });
        phase.add("second", [](Commands& later) { later.spawn(Value{2}); });
        if (sync) phase.sync().add("third", [] {});
        const Failure failure = failure_of([&] { schedule.update(0); });
        CHECK(failure.code == Errc::missing_resource);
        CHECK(failure.sentence.find("in system 'second': ") == 0);
        CHECK(schedule.failed_system() == "second");
    }
}

TEST_CASE("commands of the world are no system's") {
    World world;
    Schedule schedule{world};
    const auto enter = world.query<const Value>().on_enter([&] { (void)world.resource<const std::string>(); });
    schedule.add_phase("p").add("a", [] {});
    world.commands().spawn(Value{});
    const Failure failure = failure_of([&] { schedule.update(0); });
    CHECK(failure.code == Errc::missing_resource);
    CHECK(failure.sentence.find("in system") == std::string::npos);
    CHECK(schedule.failed_system().empty());
}

TEST_CASE("systems of transitions are named too, and the first one in order on any executor") {
    World world;
    support::OrderExecutor executor{support::OrderExecutor::Order::first};
    Schedule schedule{world, executor};
    schedule.add_state(Mode::menu).on_enter(Mode::menu, "enter", fail_with_error);
    Phase& phase = schedule.add_phase("p");
    for (int i = 0; i < 8; ++i) phase.add(std::to_string(i), fail_with_error);
    CHECK(failure_of([&] { schedule.update(0); }).sentence.find("in system 'enter': ") == 0);
    CHECK(schedule.failed_system() == "enter");
    CHECK(failure_of([&] { schedule.update(0); }).sentence.find("in system '") == 0);
    CHECK(!schedule.failed_system().empty());
}
