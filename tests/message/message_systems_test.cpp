// Guards messages as parameters of systems: order, places of readers, conflicts, reports, exceptions; and that the
// number of threads does not show.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/thrown.hpp"
#include "message/note_scene.hpp"
#include "support/fault_allocator.hpp"
#include "support/order_executor.hpp"
#include "support/thread_executor.hpp"

using namespace stoa;
using api_test::thrown_by;

namespace {

struct Hit {
    Entity target;
    int damage = 0;
};
struct Heal {
    Entity target;
    int points = 0;
};
struct Named {
    static constexpr Traits stoa_traits{.name = "net.Packet"};
};
struct Attack {
    Entity target;
};
struct Health {
    int points = 100;
};
struct Log {
    std::vector<std::string> lines;
};
struct Switch {};

bool lists(const std::vector<std::string>& names, const std::string& part) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return name.find(part) != std::string::npos; });
}

const SystemReport& report_of(const std::vector<SystemReport>& all, const std::string& name) {
    return *std::find_if(all.begin(), all.end(), [&](const SystemReport& report) { return report.name == name; });
}

void fight(Query<const Attack> attacks, Messages<Hit> hits) {
    attacks.each([&](const Attack& attack) { hits.send(Hit{attack.target, 5}); });
}
void bleed(Messages<const Hit> hits, Query<Health> health) {
    for (const Hit& hit : hits) health.fetch(hit.target, [&](Health& h) { h.points -= hit.damage; });
}

}  // namespace

TEST_CASE("a system sends, a later one reads in the same update") {
    World world;
    const Entity victim = world.spawn(Health{});
    world.spawn(Attack{victim});
    world.spawn(Attack{victim});
    Schedule schedule{world};
    schedule.add_phase("logic").add("fight", fight).add("bleed", bleed);
    schedule.update(0.1);
    CHECK(world.get<const Health>(victim).points == 90);
    world.send(Hit{victim, 40});
    schedule.update(0.1);
    CHECK(world.get<const Health>(victim).points == 40);
    world.check();
}

TEST_CASE("a reader before the sender in order sees its messages in the next update") {
    World world;
    const Entity victim = world.spawn(Health{});
    world.spawn(Attack{victim});
    Schedule schedule{world};
    schedule.add_phase("logic").add("bleed", bleed).add("fight", fight);
    schedule.update(0.1);
    CHECK(world.get<const Health>(victim).points == 100);
    schedule.update(0.1);
    CHECK(world.get<const Health>(victim).points == 95);
}

TEST_CASE("a system begins with what is sent after it was added") {
    World world;
    Schedule schedule{world};
    std::vector<int> seen;
    world.send(1);
    schedule.add_phase("logic").add("read", [&](Messages<const int> ints) {
        for (const int& value : ints) seen.push_back(value);
    });
    world.send(2);
    schedule.update(0.1);
    CHECK(seen == std::vector<int>{2});
}

TEST_CASE("a reader keeps its place while its system is disabled or skipped, and counts what it loses") {
    World world;
    Schedule schedule{world};
    std::vector<int> seen;
    std::size_t lost = 0;
    Phase& logic = schedule.add_phase("logic");
    logic.add("read", [&](Messages<const int> ints, Res<const Switch>) {
        lost = ints.lost();
        for (const int& value : ints) seen.push_back(value);
    });
    world.send(1);
    schedule.update(0.1);  // skipped: no resource
    world.set_resource(Switch{});
    schedule.update(0.1);
    CHECK(seen == std::vector<int>{1});
    logic.disable("read");
    world.send(2);
    schedule.update(0.1);
    world.send(3);
    logic.enable("read");
    schedule.update(0.1);
    CHECK(seen == std::vector<int>{1, 2, 3});
    CHECK(lost == 0);
    logic.disable("read");
    world.send(4);
    schedule.update(0.1);
    schedule.update(0.1);
    world.send(5);
    logic.enable("read");
    schedule.update(0.1);
    CHECK(seen == std::vector<int>{1, 2, 3, 5});
    CHECK(lost == 1);
}

TEST_CASE("the parameter has the verbs of a reader, by value and by reference") {
    World world;
    Schedule schedule{world};
    int runs = 0;
    schedule.add_phase("logic")
        .add("send",
             [](const Messages<int>& ints) {
                 ints.send(1);
                 ints.send(2);
             })
        .add("read", [&](Messages<const int>& ints) {
            ++runs;
            CHECK(ints.size() == 2);
            CHECK_FALSE(ints.empty());
            if (runs == 1) {
                CHECK(ints.read().size() == 2);
            } else if (runs == 2) {
                ints.clear();
            } else {
                for (const int& value : ints) {
                    CHECK(value == 1);
                    break;
                }
            }
            CHECK(ints.empty());
            CHECK(ints.read().empty());
            CHECK(ints.lost() == 0);
        });
    for (int i = 0; i < 3; ++i) schedule.update(0.1);
    CHECK(runs == 3);
}

TEST_CASE("a system that is removed reads no more, and one that does not read loses") {
    World world;
    Schedule schedule{world};
    std::size_t lost = 0;
    Phase& logic = schedule.add_phase("logic");
    logic.add("idle", [&](Messages<const std::shared_ptr<int>> all) { lost = all.lost(); });
    const auto alive = std::make_shared<int>();
    world.send(alive);
    for (int i = 0; i < 3; ++i) schedule.update(0.1);
    CHECK(lost == 1);
    CHECK(alive.use_count() == 1);
    world.send(alive);
    logic.remove("idle");
    schedule.update(0.1);
    CHECK(alive.use_count() == 1);
    world.check();
}

TEST_CASE("a phase of its own rate ends no frame; several schedules each end frames") {
    World world;
    Schedule first{world};
    Schedule second{world};
    std::size_t seen = 0;
    Phase& slow = first.add_phase("slow");
    slow.add("read", [&](Messages<const int> ints) { seen += ints.read().size(); });
    slow.disable();
    world.send(1);
    slow.enable();
    slow.update(0.1);
    CHECK(seen == 1);
    MessageReader<int> reader{world};
    world.send(2);
    slow.update(0.1);
    slow.update(0.1);
    CHECK(reader.size() == 1);
    second.update(0.1);
    CHECK(reader.size() == 1);
    first.update(0.1);
    CHECK(reader.lost() == 1);
}

TEST_CASE("both forms of one type in one system are a conflict, and nothing is added") {
    World world;
    Schedule schedule{world};
    Phase& logic = schedule.add_phase("logic");
    const auto error = thrown_by([&] { logic.add("both", [](Messages<Hit>, Messages<const Hit>) {}); });
    REQUIRE(error);
    CHECK(error->code == Errc::conflict);
    CHECK(error->says("both"));
    CHECK(error->says("Messages<"));
    CHECK(error->says("Hit"));
    CHECK(api_test::throws(Errc::conflict, [&] { logic.add("other", [](Messages<const Hit>, Messages<Hit>) {}); }));
    logic.add("apart", [](Messages<Hit>, Messages<const Heal>, Res<Hit>, Query<Heal>) {});
    logic.add("twice", [](Messages<const Hit>, Messages<const Hit>) {});
    logic.add("alone", [](World& here, Messages<Hit> hits, Messages<const Heal>) {
        hits.send(Hit{});
        here.send(Heal{});
    });
    schedule.update(0.1);
    world.check();
}

TEST_CASE("reports name messages as systems do") {
    World world;
    Schedule schedule{world};
    schedule.add_phase("logic").add("fight", fight).add("bleed", bleed).add("net", [](Messages<Named>) {});
    const std::vector<SystemReport> all = schedule.report();
    CHECK(lists(report_of(all, "fight").writes, "Messages<"));
    CHECK(lists(report_of(all, "fight").writes, "Hit>"));
    CHECK(lists(report_of(all, "bleed").reads, "Hit>"));
    CHECK_FALSE(lists(report_of(all, "bleed").writes, "Hit>"));
    CHECK(report_of(all, "net").writes == std::vector<std::string>{"Messages<net.Packet>"});
    CHECK(schedule.explain().find("Messages<net.Packet>") != std::string::npos);
}

TEST_CASE("the schedule orders systems by what they send and read") {
    World world;
    Schedule schedule{world};
    schedule.add_phase("logic")
        .add("first", [](Messages<Hit>) {})
        .add("second", [](Messages<Hit>) {})
        .add("third", [](Messages<const Hit>) {})
        .add("fourth", [](Messages<const Hit>) {})
        .add("apart", [](Messages<Heal>) {});
    const std::string text = schedule.explain();
    const auto companions = [&](const std::string& name) {
        const std::size_t at = text.find("    " + name + ":");
        const std::size_t line = text.find("may overlap with ", at);
        return text.substr(line, text.find('\n', line) - line);
    };
    CHECK(companions("first") == "may overlap with apart");
    CHECK(companions("second") == "may overlap with apart");
    CHECK(companions("third") == "may overlap with fourth, apart");
}

TEST_CASE("what a system has sent before it throws stands") {
    World world;
    Schedule schedule{world};
    MessageReader<int> reader{world};
    schedule.add_phase("logic").add("throw", [](Messages<int> ints) {
        ints.send(1);
        throw std::runtime_error("no");
    });
    CHECK_THROWS_AS(schedule.update(0.1), std::runtime_error);
    CHECK(reader.size() == 1);
    world.check();
}

TEST_CASE("a parameter of one's own says that it reads and sends messages") {
    World world;
    detail::AccessSet reads(detail::store_of(world, "test"));
    detail::AccessSet sends(detail::store_of(world, "test"));
    Access reading = reads.recorder();
    reading.reads_messages<Hit>();
    Access sending = sends.recorder();
    sending.sends_messages<Hit>().reads_messages<Heal>();
    CHECK(reads.clashes(sends));
    CHECK_FALSE(reads.clashes(reads));
    CHECK(sends.clashes(sends));
}

TEST_CASE("an end of a frame that does not count makes nothing older") {
    World world;
    MessageReader<int> slow{world};
    MessageReader<int> other{world};
    world.send(1);
    for (int i = 0; i < 10; ++i) {
        detail::MessagesAccess::exempt(slow);
        world.end_frame();
        world.send(2);
    }
    CHECK(slow.lost() == 0);
    CHECK(slow.size() == 11);
    CHECK(other.lost() == 9);
    world.end_frame();  // counts
    CHECK(slow.size() == 11);
    world.end_frame();
    CHECK(slow.lost() == 11);
    world.check();
}

TEST_CASE("a schedule may outlive the world of its readers") {
    std::optional<World> world{std::in_place};
    Schedule schedule{*world};
    schedule.add_phase("logic").add("read", bleed).add("send", fight);
    world->send(Hit{});
    world.reset();
    CHECK(api_test::throws(Errc::world_gone, [&] { schedule.update(0.1); }));
}

TEST_CASE("inside par_each of a system nothing is sent") {
    World world;
    for (int i = 0; i < 1000; ++i) world.spawn(Health{});
    support::ThreadExecutor threads(2);
    Schedule schedule{world, threads};
    schedule.add_phase("logic").add("send", [&](Query<const Health> health, Messages<Hit> hits) {
        hits.send(Hit{});
        health.par_each(threads, [&](const Health&) { hits.send(Hit{}); });
    });
    MessageReader<Hit> reader{world};
    CHECK(api_test::throws(Errc::conflict, [&] { schedule.update(0.1); }));
    CHECK(reader.size() == 1);
}

TEST_CASE("the order in which jobs run does not show in messages") {
    message_test::NoteScene serial(nullptr, 2000);
    using support::OrderExecutor;
    OrderExecutor first(OrderExecutor::Order::first), last(OrderExecutor::Order::last);
    OrderExecutor random(OrderExecutor::Order::random);
    message_test::NoteScene scenes[] = {{&first, 2000}, {&last, 2000}, {&random, 2000}};
    for (int frame = 0; frame < 20; ++frame) {
        serial.update();
        for (message_test::NoteScene& scene : scenes) {
            scene.update();
            REQUIRE(scene.fingerprint() == serial.fingerprint());
            scene.world().check();
        }
    }
    CHECK(last.runs > 0);
    CHECK(serial.fingerprint()[2] != 0);
}

TEST_CASE("frames of systems with messages allocate nothing") {
    message_test::NoteScene scene(nullptr, 200);
    for (int i = 0; i < 20; ++i) scene.update();
    const std::uint64_t before = stoa_test::allocations_of_thread();
    for (int i = 0; i < 20; ++i) scene.update();
    CHECK(stoa_test::allocations_of_thread() == before);
}

TEST_CASE("a reader in a stepped phase loses nothing while its time has not come") {
    World world;
    Schedule schedule{world};
    int in_steps = 0;
    int in_frames = 0;
    schedule.add_phase("steps", {.step = 1.0}).add("read", [&](Messages<const Hit> hits) {
        for (const Hit& hit : hits) in_steps += hit.damage;
    });
    schedule.add_phase("frames").add("read too", [&](Messages<const Hit> hits) {
        for (const Hit& hit : hits) in_frames += hit.damage;
    });
    for (int frame = 0; frame < 20; ++frame) {
        world.send(Hit{{}, 1});
        schedule.update(0.125);
    }
    CHECK(in_frames == 20);
    CHECK(in_steps == 16);  // after the 8th and the 16th update, all that was sent before
    schedule.phase("steps").disable();
    for (int frame = 0; frame < 3; ++frame) schedule.update(0.125);
    schedule.phase("steps").enable();
    for (int frame = 0; frame < 4; ++frame) schedule.update(0.125);
    CHECK(in_steps == 16);  // a phase that is held up loses what is unread, as any reader does
}
