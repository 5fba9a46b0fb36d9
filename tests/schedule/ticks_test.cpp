// Guards what systems spend of the 32 bits of a tick: as many moments as they look for changes, and what readers are
// told meanwhile and after the ticks have wrapped around.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include "support/order_executor.hpp"

using namespace stoa;
using support::OrderExecutor;

namespace {

struct Score {
    int value = 0;
};
struct Loose {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Place {
    int x = 0;
};

std::uint64_t moment(World& world) { return stoa::detail::store_of(world, "test").clock().moment(); }

std::uint64_t ticks_of_update(World& world, Schedule& schedule) {
    const std::uint64_t before = moment(world);
    schedule.update(0);
    return moment(world) - before;
}

constexpr int settled = 1100;  // updates: from then on a system has as many moments as it has ever used

}  // namespace

TEST_CASE("a system that writes and never looks for changes spends one tick, others one more for each look") {
    World world;
    world.spawn(Score{}, Place{});
    auto captured = world.query<const Score, Changed<Score>>();
    Schedule schedule{world};
    Phase& phase = schedule.add_phase("p");
    for (int i = 0; i < 100; ++i)
        phase.add("write " + std::to_string(i), [](Query<Score> all) { all.each([](Score& s) { ++s.value; }); });
    for (int i = 0; i < settled; ++i) schedule.update(0);
    CHECK(ticks_of_update(world, schedule) == 100 + 2);
    phase.disable("write 7");
    CHECK(ticks_of_update(world, schedule) == 99 + 2);
    phase.add("look", [](Query<const Score, Changed<Score>> changed) { changed.each([](const Score&) {}); });
    phase.add("captured", [&] {
        for (int i = 0; i < 5; ++i) captured.each([](const Score&) {});
    });
    phase.add("skipped", [](Populated<const Loose>) {});
    phase.add("alone", [](World& at) { at.query<Score>().each([](Score& s) { ++s.value; }); });
    for (int i = 0; i < settled; ++i) schedule.update(0);
    CHECK(ticks_of_update(world, schedule) == 99 + 2 + 6 + 1 + 4);
}

TEST_CASE("a system that begins to look late misses nothing, and is told exactly what changed from its next run on") {
    std::vector<std::size_t> serially;
    for (const bool threads : {false, true}) {
        World world;
        const Entity own = world.spawn(Score{});
        const Entity others = world.spawn(Score{});
        OrderExecutor executor(OrderExecutor::Order::last);
        std::optional<Schedule> schedule;
        threads ? schedule.emplace(world, executor) : schedule.emplace(world);
        auto changed = world.query<const Score, Changed<Score>>();
        HashIndex<&Score::value> by_value{world};
        bool looks = false;
        std::vector<std::size_t> seen;
        int number = 1;
        schedule->add_phase("p")
            .add("other", [&](Query<Score> all) { all.fetch(others, [&](Score& s) { s.value = -number; }); })
            .add("look",
                 [&](Query<Score> all) {
                     ++number;
                     all.fetch(own, [&](Score& s) { s.value = number; });
                     if (!looks) return;
                     for (int i = 0; i < 4; ++i) {
                         seen.push_back(0);
                         changed.each([&](const Score&) { ++seen.back(); });
                         REQUIRE(by_value.find(number) == own);
                         if (i == 1) continue;
                         all.fetch(own, [&](Score& s) { s.value = ++number; });
                         REQUIRE(by_value.find(number) == own);
                     }
                 })
            .add("nothing", [](Query<Place>) {});
        for (int i = 0; i < settled; ++i) schedule->update(0);
        looks = true;
        changed.each([](const Score&) {});
        schedule->update(0);
        CHECK(seen[0] == 2);
        CHECK(seen[1] >= 1);  // its own write, and at worst some again
        CHECK(seen[3] >= 1);
        if (!threads) serially = seen;
        CHECK(seen == serially);
        for (int i = 0; i < 3; ++i) {
            seen.clear();
            schedule->update(0);
            CHECK(seen == std::vector<std::size_t>{2, 1, 0, 1});
        }
    }
}

TEST_CASE("neighbours in the order never share a moment: what is written after a look is told at the next one") {
    World world;
    world.spawn(Score{}, Place{});
    OrderExecutor executor(OrderExecutor::Order::last);
    Schedule schedule{world, executor};
    std::vector<std::size_t> seen;
    const auto look = [&](Query<const Score, Changed<Score>> changed) {
        seen.push_back(0);
        changed.each([&](const Score&) { ++seen.back(); });
    };
    const auto write = [](Query<Score> all) { all.each([](Score& s) { ++s.value; }); };
    schedule.add_phase("p").add("a", look).add("b", look).add("c", write).add("d", [](Query<Place>) {});
    for (int i = 0; i < settled + 20; ++i) {
        seen.clear();
        schedule.update(0);
        REQUIRE(seen == std::vector<std::size_t>{1, 1});
    }
}

TEST_CASE("Changed and Added tell the same after all ticks have passed, however long ago a row was written") {
    // Sweeps happen on the way, as they would: no step is longer than what lies between two of them.
    constexpr std::uint64_t step = std::uint64_t{1} << 28;
    World world;
    std::vector<Entity> ids;
    for (int i = 0; i < 200; ++i) ids.push_back(world.spawn(Score{}, Loose{}));
    auto changed = world.query<const Score, Changed<Score>>();
    auto added = world.query<const Score, Added<Score>>();
    auto loose = world.query<const Loose, Changed<Loose>>();
    auto loose_added = world.query<const Loose, Added<Loose>>();
    HashIndex<&Score::value> by_value{world};
    const auto look = [](auto& query) {
        std::size_t found = 0;
        query.each([&](const auto&) { ++found; });
        return found;
    };
    const auto check = [&](std::size_t written, std::size_t arrived) {
        CHECK(look(changed) == written);
        CHECK(look(added) == arrived);
        CHECK(look(loose) == written);
        CHECK(look(loose_added) == arrived);
    };
    check(200, 200);
    for (int lap = 1; lap <= 40; ++lap) {  // ten times 2^30
        CAPTURE(lap);
        stoa::detail::store_of(world, "test").clock().advance_by(step);
        check(0, 0);
        const Entity entity = ids[static_cast<std::size_t>(lap)];  // each is written once: all others grow old
        world.get<Score>(entity).value = lap;
        world.get<Loose>(entity).value = lap;
        const Entity fresh = world.spawn(Score{-lap}, Loose{});
        CHECK(by_value.find(lap) == entity);
        CHECK(by_value.find(-lap) == fresh);
        check(2, 1);
        check(0, 0);
        world.check();
    }
}

TEST_CASE("who has not looked for 2^30 ticks is told of everything again, and misses nothing") {
    constexpr std::uint64_t step = std::uint64_t{1} << 28;
    World world;
    for (int i = 0; i < 50; ++i) world.spawn(Score{});
    const Entity written = world.query<Score>().first();
    auto changed = world.query<const Score, Changed<Score>>();
    changed.each([](const Score&) {});
    for (int i = 0; i < 3; ++i) stoa::detail::store_of(world, "test").clock().advance_by(step);
    CHECK(changed.count() == 0);
    world.get<Score>(written).value = 1;
    CHECK(changed.count() == 1);
    for (int i = 0; i < 37; ++i) {
        stoa::detail::store_of(world, "test").clock().advance_by(step);
        CHECK(changed.contains(written));
    }
    CHECK(changed.count() == 50);
    changed.each([](const Score&) {});
    CHECK(changed.count() == 0);
}
