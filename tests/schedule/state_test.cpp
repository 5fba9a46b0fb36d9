// Guards states: what a transition does and in which order, when it is made, what a throw leaves, and who may add one.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

using namespace stoa;

namespace {

enum class Mode { menu, play, over };
enum class Sound { on, off };

struct Card {
    int number = 0;
};

Errc code_of(auto&& f) {
    try {
        f();
    } catch (const Error& error) {
        return error.code();
    }
    return Errc::corrupt;
}

auto& mode_of(World& world) { return world.resource<State<Mode>>(); }

// Notes what happens to a state of three values.
struct Noted {
    World world;
    Schedule schedule{world};
    std::string seen;
    Phase& phase = schedule.add_phase("p");

    Noted() {
        schedule.add_state(Mode::menu);
        for (const Mode mode : {Mode::menu, Mode::play, Mode::over}) {
            const std::string name = std::to_string(static_cast<int>(mode));
            schedule.on_enter(mode, "enter " + name, [this, name] { seen += '+' + name; });
            schedule.on_exit(mode, "exit " + name, [this, name] { seen += '-' + name; });
        }
        phase.add("run", [this] { seen += '.'; });
    }
    std::string update() {
        seen.clear();
        schedule.update(1);
        return seen;
    }
};

}  // namespace

TEST_CASE(
    "the first value is entered in the first update, and a transition made in the update after it was asked for") {
    Noted noted;
    CHECK(mode_of(noted.world).now() == Mode::menu);
    noted.phase.update(1);
    CHECK(noted.seen == ".");
    CHECK(noted.update() == "+0.");
    CHECK(noted.update() == ".");
    mode_of(noted.world).next(Mode::play);
    CHECK(mode_of(noted.world).now() == Mode::menu);
    noted.phase.update(1);
    CHECK(mode_of(noted.world).now() == Mode::menu);
    CHECK(noted.update() == "-0+1.");
    CHECK(mode_of(noted.world).now() == Mode::play);
    CHECK(noted.update() == ".");
}

TEST_CASE("what is asked before the first update follows the entry of the first value") {
    Noted noted;
    mode_of(noted.world).next(Mode::over);
    CHECK(noted.update() == "+0-0+2.");
}

TEST_CASE("the last request wins, and the present value takes an earlier one back") {
    Noted noted;
    noted.update();
    mode_of(noted.world).next(Mode::play);
    mode_of(noted.world).next(Mode::over);
    CHECK(noted.update() == "-0+2.");
    mode_of(noted.world).next(Mode::play);
    mode_of(noted.world).next(Mode::over);
    CHECK(noted.update() == ".");
    mode_of(noted.world).next(Mode::over);
    CHECK(noted.update() == ".");
}

TEST_CASE("a paused schedule makes no transitions and keeps what was asked") {
    Noted noted;
    noted.schedule.set_paused(true);
    mode_of(noted.world).next(Mode::play);
    CHECK(noted.update().empty());
    noted.schedule.set_paused(false);
    CHECK(noted.update() == "+0-0+1.");
}

TEST_CASE("exit systems, flush, the new value, enter systems, flush; in order of addition") {
    World world;
    Schedule schedule{world};
    schedule.add_state(Mode::menu).add_state(Sound::on);
    std::string seen;
    const auto state = [&](Res<const State<Mode>> mode, Query<const Card> cards) {
        seen += std::to_string(static_cast<int>(mode->now())) + ':' + std::to_string(cards.count()) + ' ';
    };
    const auto spawn = [](Commands& later) { later.spawn(Card{}); };
    schedule.on_exit(Mode::menu, "a", state).on_exit(Mode::menu, "b", spawn).on_exit(Mode::menu, "c", state);
    schedule.on_enter(Mode::play, "d", state).on_enter(Mode::play, "e", spawn).on_enter(Mode::play, "f", state);
    schedule.on_enter(Sound::off, "g", [&](World& at) {
        at.spawn(Card{});
        seen += "sound " + std::to_string(at.size()) + ' ';
    });
    schedule.add_phase("p").add("h", state);
    schedule.update(0);
    seen.clear();
    world.resource<State<Sound>>().next(Sound::off);
    mode_of(world).next(Mode::play);
    schedule.update(0);
    CHECK(seen == "0:0 0:0 1:1 1:1 sound 3 1:3 ");
}

TEST_CASE("what is recorded is applied at a transition without systems too") {
    World world;
    Schedule schedule{world};
    schedule.add_state(Mode::menu);
    std::size_t cards = 0;
    schedule.add_phase("p").add("count", [&](Query<const Card> all) { cards = all.count(); });
    world.commands().spawn(Card{});
    schedule.update(0);
    CHECK(cards == 1);
    mode_of(world).next(Mode::play);
    world.commands().spawn(Card{});
    schedule.update(0);
    CHECK(cards == 2);
}

TEST_CASE("a request made inside transitions is taken at the next update") {
    World world;
    Schedule schedule{world};
    schedule.add_state(Mode::menu).add_state(Sound::on);
    std::string seen;
    schedule.on_enter(Mode::menu, "first", [&](Res<State<Mode>> mode) { seen += 'm', mode->next(Mode::play); });
    schedule.on_exit(Mode::menu, "leave", [&](Res<State<Sound>> sound, Res<State<Mode>> mode) {
        seen += 'l';
        sound->next(Sound::off);
        mode->next(Mode::menu);  // the value that it still has
    });
    schedule.on_enter(Mode::play, "play", [&] { seen += 'p'; });
    schedule.on_enter(Sound::off, "off", [&] { seen += 'o'; });
    schedule.update(0);
    CHECK(seen == "m");
    schedule.update(0);
    CHECK(seen == "mlp");
    CHECK(world.resource<const State<Sound>>().now() == Sound::on);
    schedule.update(0);
    CHECK(seen == "mlpmo");
    CHECK(mode_of(world).now() == Mode::menu);
}

TEST_CASE("transitions have the time of the whole update") {
    World world;
    Schedule schedule{world};
    std::vector<Time> seen;
    Phase& stepped = schedule.add_phase("p", {.step = 1});
    schedule.add_state(Mode::menu).on_enter(Mode::menu, "see", [&](const Time& time) { seen.push_back(time); });
    stepped.update(3);
    schedule.update(0.25);
    REQUIRE(seen.size() == 1);
    CHECK(seen[0].delta == 0.25);
    CHECK(seen[0].elapsed == 0.25);
    CHECK(seen[0].frame == 1);
    CHECK(seen[0].alpha == 0);
}

TEST_CASE("a throw drops the request; once the value has changed, it stays so") {
    Noted noted;
    bool fail = true;
    const auto failing = [&] {
        if (fail) throw std::runtime_error("no");
    };
    SUBCASE("exit") {
        noted.schedule.on_exit(Mode::menu, "fail", failing);
        noted.update();
        mode_of(noted.world).next(Mode::play);
        CHECK_THROWS_AS(noted.update(), std::runtime_error);
        CHECK(noted.seen == "-0");
        CHECK(mode_of(noted.world).now() == Mode::menu);
        CHECK(noted.update() == ".");
        fail = false;
        mode_of(noted.world).next(Mode::play);
        CHECK(noted.update() == "-0+1.");
    }
    SUBCASE("enter") {
        noted.schedule.on_enter(Mode::play, "fail", failing);
        noted.update();
        mode_of(noted.world).next(Mode::play);
        CHECK_THROWS_AS(noted.update(), std::runtime_error);
        CHECK(noted.seen == "-0+1");
        CHECK(mode_of(noted.world).now() == Mode::play);
        CHECK(noted.update() == ".");
    }
    SUBCASE("the first value") {
        noted.schedule.on_enter(Mode::menu, "fail", failing);
        CHECK_THROWS_AS(noted.update(), std::runtime_error);
        CHECK(noted.update() == ".");
    }
    SUBCASE("requests of other states stay") {
        noted.schedule.on_exit(Mode::menu, "fail", failing);
        noted.schedule.add_state(Sound::on).on_enter(Sound::off, "off", [&] { noted.seen += 's'; });
        noted.update();
        mode_of(noted.world).next(Mode::play);
        noted.world.resource<State<Sound>>().next(Sound::off);
        CHECK_THROWS_AS(noted.update(), std::runtime_error);
        CHECK(noted.update() == "s.");
    }
}

TEST_CASE("in_state: a condition of systems and of phases") {
    World world;
    Schedule schedule{world};
    std::string seen;
    const Condition playing = in_state(Mode::play);
    schedule.add_phase("p")
        .add("a", [&] { seen += 'a'; }, {.when = playing})
        .add("b", [&] { seen += 'b'; }, {.when = !playing});
    schedule.add_phase("q", {.when = in_state(Mode::play) || in_state(Mode::over)}).add("c", [&] { seen += 'c'; });
    schedule.update(0);
    CHECK(seen == "b");  // without a state
    seen.clear();
    schedule.add_state(Mode::menu);
    schedule.update(0);
    CHECK(seen == "b");
    CHECK(schedule.report()[0].why_not.find("in_state(") != std::string::npos);
    CHECK(schedule.report()[0].why_not.find("Mode 1)") != std::string::npos);
    seen.clear();
    mode_of(world).next(Mode::play);
    schedule.update(0);
    CHECK(seen == "ac");
    seen.clear();
    mode_of(world).next(Mode::over);
    schedule.update(0);
    CHECK(seen == "bc");
}

TEST_CASE("a system asks, and now() stays until the transition; changed() sees it") {
    World world;
    Schedule schedule{world};
    schedule.add_state(Mode::menu);
    std::string seen;
    Phase& phase = schedule.add_phase("p");
    phase.add("quit", [](Res<State<Mode>> mode) { mode->next(Mode::over); }, {.when = once()});
    phase.add("menu", [&] { seen += 'm'; }, {.when = in_state(Mode::menu)});
    phase.add("changed", [&] { seen += 'c'; }, {.when = changed<State<Mode>>()});
    schedule.update(0);
    CHECK(seen == "mc");
    schedule.update(0);
    CHECK(seen == "mcc");
    schedule.update(0);
    CHECK(seen == "mcc");
}

TEST_CASE("a second state of a type in one world is refused, and systems of a state that is not there") {
    World world;
    std::optional<Schedule> schedule(std::in_place, world);
    Schedule other{world};
    CHECK(code_of([&] { schedule->on_enter(Mode::menu, "a", [] {}); }) == Errc::missing_resource);
    CHECK(code_of([&] { schedule->on_exit(Mode::menu, "a", [] {}); }) == Errc::missing_resource);
    schedule->add_state(Mode::menu);
    CHECK(code_of([&] { schedule->add_state(Mode::play); }) == Errc::duplicate_name);
    CHECK(code_of([&] { other.add_state(Mode::play); }) == Errc::duplicate_name);
    CHECK(code_of([&] { other.on_enter(Mode::menu, "a", [] {}); }) == Errc::missing_resource);
    CHECK(mode_of(world).now() == Mode::menu);
    schedule.reset();
    CHECK(!world.has_resource<State<Mode>>());
    other.add_state(Mode::play);
    CHECK(mode_of(world).now() == Mode::play);
}

TEST_CASE("names of transition systems are unique in the schedule, and report lists them") {
    World world;
    Schedule schedule{world};
    Phase& phase = schedule.add_phase("p").add("a", [] {});
    schedule.add_state(Mode::menu).on_enter(Mode::menu, "b", [](Res<const State<Mode>>) {});
    CHECK(code_of([&] { schedule.on_exit(Mode::menu, "a", [] {}); }) == Errc::duplicate_name);
    CHECK(code_of([&] { schedule.on_exit(Mode::menu, "b", [] {}); }) == Errc::duplicate_name);
    CHECK(code_of([&] { phase.add("b", [] {}); }) == Errc::duplicate_name);
    schedule.update(0);
    const std::vector<SystemReport> report = schedule.report();
    REQUIRE(report.size() == 2);
    CHECK(report[0].name == "b");
    CHECK(report[0].ran);
    CHECK(report[0].phase.find("on_enter(") == 0);
    CHECK(report[0].reads.size() == 1);
    CHECK(schedule.explain().find("on_enter(") != std::string::npos);
    phase.add("c", [] {}, {.after = "b"});
    schedule.update(0);
    phase.add("d", [] {}, {.before = "b"});
    CHECK(code_of([&] { schedule.update(0); }) == Errc::cycle);
}

TEST_CASE("hooks of transition systems, and the end of a schedule whose world is gone") {
    struct Hooked {
        std::string& seen;
        void update() {}
        void on_added(World&) { seen += 'a'; }
        void on_enabled(World&) { seen += 'e'; }
        void on_disabled(World&) { seen += 'd'; }
        void on_removed(World& world) { seen += world.has_resource<State<Mode>>() ? 'r' : '?'; }
    };
    std::string seen;
    std::optional<World> world(std::in_place);
    {
        Schedule schedule{*world};
        schedule.add_state(Mode::menu).on_exit(Mode::menu, "hooked", Hooked{seen});
        CHECK(seen == "ae");
    }
    CHECK(seen == "aedr");
    Schedule schedule{*world};
    schedule.add_state(Mode::menu);
    world.reset();
    CHECK(code_of([&] { schedule.update(0); }) == Errc::world_gone);
    CHECK(code_of([&] { schedule.add_state(Sound::on); }) == Errc::world_gone);
}

TEST_CASE("a schedule that runs accepts no states, and a state that was removed makes no transitions") {
    World world;
    Schedule schedule{world};
    schedule.add_state(Mode::menu);
    int exits = 0;
    schedule.on_exit(Mode::menu, "leave", [&](World& at) {
        ++exits;
        CHECK(code_of([&] { schedule.add_state(Sound::on); }) == Errc::locked);
        CHECK(code_of([&] { schedule.on_enter(Mode::over, "x", [] {}); }) == Errc::locked);
        at.remove_resource<State<Mode>>();
    });
    schedule.update(0);
    mode_of(world).next(Mode::play);
    schedule.update(0);
    schedule.update(0);
    CHECK(exits == 1);
}

TEST_CASE("values of any copyable type with ==") {
    struct Level {
        std::string name;
        bool operator==(const Level&) const = default;
    };
    World world;
    Schedule schedule{world};
    std::string seen;
    schedule.add_state(Level{"one"}).add_state(std::string("text")).add_state(true);
    schedule.on_enter(Level{"two"}, "two", [&] { seen += '2'; }).on_exit(Level{"one"}, "one", [&] { seen += '1'; });
    schedule.on_enter(false, "false", [&] { seen += 'f'; });
    schedule.update(0);
    world.resource<State<Level>>().next(Level{"two"});
    world.resource<State<bool>>().next(false);
    schedule.update(0);
    CHECK(seen == "12f");
    CHECK(world.resource<const State<Level>>().now().name == "two");
}

TEST_CASE("random requests, against a naive model of two states") {
    std::mt19937 random{11};
    World world;
    Schedule schedule{world};
    std::string seen, expected;
    schedule.add_state(0).add_state(Mode::menu);
    for (int value = 0; value < 4; ++value) {
        const auto letter = static_cast<char>('a' + value);
        schedule.on_enter(value, std::string("enter ") + letter, [&, letter] { seen += letter; });
        if (value != 2)
            schedule.on_exit(value, std::string("exit ") + letter, [&, letter] { seen += letter, seen += '-'; });
    }
    for (const Mode mode : {Mode::menu, Mode::over})
        schedule.on_enter(mode, std::to_string(static_cast<int>(mode)),
                          [&, mode] { seen += static_cast<char>('0' + static_cast<int>(mode)); });
    int number = 0, mode = 0;
    expected = "a0";
    for (int update = 0; update < 500; ++update) {
        std::optional<int> next_number, next_mode;
        for (auto asks = random() % 3; asks > 0; --asks) {
            next_number = static_cast<int>(random() % 4);
            world.resource<State<int>>().next(*next_number);
        }
        if (random() % 3 == 0) {
            next_mode = static_cast<int>(random() % 3);
            mode_of(world).next(static_cast<Mode>(*next_mode));
        }
        if (next_number && *next_number != number) {
            if (number != 2) expected += std::string{static_cast<char>('a' + number), '-'};
            number = *next_number;
            expected += static_cast<char>('a' + number);
        }
        if (next_mode && *next_mode != mode) {
            mode = *next_mode;
            if (mode != 1) expected += static_cast<char>('0' + mode);
        }
        schedule.update(0);
        REQUIRE(seen == expected);
        seen.clear();
        expected.clear();
    }
}
