// Signals, watches and caches of filtered queries: structural changes are told at once, writes at the next read or
// flush, whatever the filter and whatever the components that it tests.
#include <doctest/doctest.h>

#include <stoa/stoa.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace stoa;

namespace {

struct Unit {
    int team = 0;
    int level = 0;
};
struct Place {
    int x = 0;
};
struct Tag {};
struct Burning {
    int heat = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Grave {
    int depth = 0;
    static constexpr Traits stoa_traits{.cleanup = true};
};
struct Painter {};

using Ids = std::vector<Entity>;

template <class List>
Ids ids_of(const List& list) {
    Ids out;
    for (const Entity entity : list) out.push_back(entity);
    return out;
}

// What the callbacks of a filtered query were told, as text: "+3 -4 ".
struct Told {
    template <class Filtered>
    explicit Told(const Filtered& query)
        : enters(query.on_enter([this](Entity entity) { log += '+' + std::to_string(entity.index()) + ' '; })),
          leaves(query.on_leave([this](Entity entity) { log += '-' + std::to_string(entity.index()) + ' '; })) {}

    std::string take() { return std::exchange(log, {}); }

    std::string log;
    Subscription enters;
    Subscription leaves;
};

}  // namespace

TEST_CASE("a cache of a filtered query follows writes and structure") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    auto reds = world.query<Unit>().where(by_team == 1);
    const Entity early = world.spawn(Unit{1});
    auto cache = reds.cache();
    auto sorted = reds.cache([](const Unit& a, const Unit& b) { return a.level > b.level; });
    CHECK(ids_of(cache) == Ids{early});

    const Entity a = world.spawn(Unit{1, 5});
    const Entity b = world.spawn(Unit{2, 7});
    CHECK(ids_of(cache) == Ids{early, a});
    world.get<Unit>(b).team = 1;
    CHECK(ids_of(cache) == Ids{early, a, b});
    CHECK(ids_of(sorted) == Ids{b, a, early});
    CHECK(ids_of(sorted.reversed()) == Ids{early, a, b});
    world.get<Unit>(a) = {1, 9};
    CHECK(ids_of(sorted) == Ids{a, b, early});
    world.get<Unit>(a) = {3, 9};
    CHECK(ids_of(sorted) == Ids{b, early});
    CHECK(cache.size() == 2);
    world.despawn(early);
    world.remove<Unit>(b);
    CHECK(cache.empty());
    CHECK(sorted.empty());
    int seen = 0;
    world.set(b, Unit{1, 2});
    sorted.each([&](const Unit& unit) { seen += unit.level; });
    CHECK(seen == 2);
}

TEST_CASE("a watch of a filtered query lists structure at once and writes at the next read") {
    World world;
    OrderedIndex<&Unit::level> by_level{world};
    const Entity old = world.spawn(Unit{0, 10});
    const Entity low = world.spawn(Unit{0, 1});
    auto watch = world.query<Unit>().where(by_level >= 5).watch();
    CHECK(watch.added().empty());

    world.get<Unit>(low).level = 6;
    CHECK(ids_of(watch.added()) == Ids{low});
    CHECK(watch.changed().empty());  // the write that made it pass belongs to the addition
    world.get<Unit>(low).level = 7;
    CHECK(ids_of(watch.changed()) == Ids{low});
    world.get<Unit>(old).level = 0;
    CHECK(ids_of(watch.removed()) == Ids{old});
    CHECK(ids_of(watch.changed()) == Ids{low});
    watch.clear();
    CHECK((watch.added().empty() && watch.removed().empty() && watch.changed().empty()));

    // Added and removed between two reads.
    const Entity brief = world.spawn(Unit{0, 8});
    world.despawn(brief);
    CHECK(ids_of(watch.added()) == Ids{brief});
    CHECK(ids_of(watch.removed()) == Ids{brief});
    // One that never passed, and one that was written to pass but gone before a read.
    world.despawn(world.spawn(Unit{0, 2}));
    const Entity never = world.spawn(Unit{0, 2});
    world.get<Unit>(never).level = 9;
    world.despawn(never);
    CHECK(watch.added().size() == 1);
    CHECK(watch.removed().size() == 1);
}

TEST_CASE("clear takes the writes up to now as seen") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    const Entity e = world.spawn(Unit{2});
    auto watch = world.query<Unit>().where(by_team == 1).watch();
    world.get<Unit>(e).team = 1;
    watch.clear();
    CHECK(watch.added().empty());
    world.get<Unit>(e).team = 2;
    CHECK(ids_of(watch.removed()) == Ids{e});
}

TEST_CASE("lists that a filtered watch does not keep stay empty, and it still knows its members") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    const Entity e = world.spawn(Unit{2});
    auto watch = world.query<Unit>().where(by_team == 1).watch(WatchFor::removed);
    world.get<Unit>(e).team = 1;
    CHECK(watch.added().empty());
    world.despawn(e);
    CHECK(ids_of(watch.removed()) == Ids{e});
    CHECK(world.find_removed<Unit>(e)->team == 1);
}

TEST_CASE("watch_changes of a filtered query counts writes to members only") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    const Entity in = world.spawn(Unit{1}, Place{});
    const Entity out = world.spawn(Unit{2}, Place{});
    auto watch = world.query<Unit, Place>().where(by_team == 1).watch_changes<Place>();
    world.get<Place>(in).x = 3;
    world.get<Place>(out).x = 3;
    world.get<Unit>(in).level = 4;
    CHECK(ids_of(watch.changed()) == Ids{in});
}

TEST_CASE("signals: structure at once, writes at the next flush with the new values") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    auto reds = world.query<const Unit>().where(by_team == 1);
    std::string log;
    const Subscription in = reds.on_enter([&](Entity entity, const Unit& unit) {
        log += '+' + std::to_string(entity.index()) + ':' + std::to_string(unit.team) + ' ';
    });
    const Subscription out = reds.on_leave([&](Entity entity, const Unit& unit) {
        log += '-' + std::to_string(entity.index()) + ':' + std::to_string(unit.team) + ' ';
    });
    const auto take = [&] { return std::exchange(log, {}); };

    const Entity a = world.spawn(Unit{1});
    const Entity b = world.spawn(Unit{2});
    CHECK(take() == "+0:1 ");
    world.get<Unit>(a).team = 3;
    world.get<Unit>(b).team = 1;
    CHECK(take().empty());
    world.flush();
    CHECK(take() == "-0:3 +1:1 ");
    world.flush();
    CHECK(take().empty());
    world.despawn(b);
    CHECK(take() == "-1:1 ");
    // Written to pass and gone before a flush: nobody was told that it came.
    world.get<Unit>(a).team = 1;
    world.despawn(a);
    CHECK(take().empty());
    // Told that it came, written to fail, gone before a flush.
    const Entity c = world.spawn(Unit{1});
    world.get<Unit>(c).team = 2;
    world.remove<Unit>(c);
    CHECK(take() == "+1:1 -1:2 ");
    // There and back again between two flushes.
    const Entity d = world.spawn(Unit{1});
    take();
    world.get<Unit>(d).team = 2;
    world.get<Unit>(d).team = 1;
    world.flush();
    CHECK(take().empty());
}

TEST_CASE("on_enter of a filtered query is told of what passes already, on request") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    auto reds = world.query<const Unit>().where(by_team == 1);
    world.spawn(Unit{2});
    const Entity a = world.spawn(Unit{1});
    const Entity b = world.spawn(Unit{1});
    Ids told;
    const Subscription enters =
        reds.reversed().on_enter([&](Entity entity) { told.push_back(entity); }, Existing::told);
    CHECK(told == Ids{b, a});
    world.flush();
    CHECK(told.size() == 2);
    const Entity c = world.spawn(Unit{1});
    CHECK(told == Ids{b, a, c});
}

TEST_CASE("a flush tells all leaves first, then by index, then in order of subscription") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    std::vector<Entity> all(4);
    world.spawn_many(std::span{all}, Unit{0});
    for (std::size_t i = 0; i < all.size(); ++i) world.get<Unit>(all[i]).team = i < 2 ? 1 : 2;
    std::string log;
    const auto tell = [&log](const char* who) {
        return [&log, who](Entity entity) { log += who + std::to_string(entity.index()) + ' '; };
    };
    auto reds = world.query<Unit>().where(by_team == 1);
    auto blues = world.query<Unit>().where(by_team == 2);
    const Subscription s1 = blues.on_enter(tell("b+"));
    const Subscription s2 = reds.on_enter(tell("r+"));
    const Subscription s3 = reds.on_leave(tell("r-"));
    const Subscription s4 = blues.on_leave(tell("b-"));
    const Subscription s5 = blues.on_enter(tell("B+"));
    for (const Entity e : {all[3], all[2], all[1], all[0]}) world.get<Unit>(e).team = 3 - world.get<const Unit>(e).team;
    world.flush();
    CHECK(log == "r-0 r-1 b-2 b-3 b+0 B+0 b+1 B+1 r+2 r+3 ");
}

TEST_CASE("every kind of flush tells of writes, before it applies its commands") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    Told told(world.query<Unit>().where(by_team == 1));
    const Entity e = world.spawn(Unit{0});
    Commands own{world};
    world.get<Unit>(e).team = 1;
    own.despawn(e);
    own.flush();
    CHECK(told.take() == "+0 -0 ");
    const Entity f = world.spawn(Unit{0});
    world.get<Unit>(f).team = 1;
    world.end_frame();
    CHECK(told.take() == "+0 ");
    // A command that overwrites is a write: the next flush tells it.
    world.commands().set(f, Unit{0});
    world.flush();
    CHECK(told.take().empty());
    world.flush();
    CHECK(told.take() == "-0 ");
}

TEST_CASE("systems write, and the flush after their phase tells") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    Told told(world.query<Unit>().where(by_team == 1));
    auto cache = world.query<Unit>().where(by_team == 1).cache();
    world.spawn_many(3, Unit{0});
    Schedule schedule{world};
    int runs = 0;
    schedule.add_phase("logic").add("write", [&runs](Query<Unit> units) {
        ++runs;
        units.each([&](Entity e, Unit& unit) { unit.team = static_cast<int>(e.index()) % 3 == runs % 3; });
    });
    schedule.update(1);
    CHECK(told.take() == "+1 ");
    CHECK(cache.size() == 1);
    schedule.update(1);
    CHECK(told.take() == "-1 +2 ");
    CHECK(cache.size() == 1);
}

TEST_CASE("a filter on a component that is not in the query: getting and losing it is structural") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    auto places = world.query<Place>().where(by_team == 1);
    Told told(places);
    auto watch = places.watch();
    auto cache = places.cache();
    const Entity e = world.spawn(Place{});
    CHECK(told.take().empty());
    CHECK(cache.empty());
    world.set(e, Unit{1});
    CHECK(told.take() == "+0 ");
    CHECK(ids_of(watch.added()) == Ids{e});
    CHECK(ids_of(cache) == Ids{e});
    world.add<Tag>(e);  // moves it, and concerns nobody
    CHECK(told.take().empty());
    world.remove<Unit>(e);
    CHECK(told.take() == "-0 ");
    CHECK(ids_of(watch.removed()) == Ids{e});
    CHECK(cache.empty());
    world.set(e, Unit{2});
    CHECK(told.take().empty());
    world.despawn(e);
    CHECK(told.take().empty());
    const Entity both = world.spawn(Place{}, Unit{1});
    CHECK(told.take() == "+0 ");
    world.remove<Place, Unit>(both);
    CHECK(told.take() == "-0 ");
}

TEST_CASE("a filter on a sparse component that is not in the query") {
    World world;
    OrderedIndex<&Burning::heat> by_heat{world};
    auto hot = world.query<Place>().where(by_heat > 10);
    Told told(hot);
    auto watch = hot.watch();
    auto cache = hot.cache();
    const Entity e = world.spawn(Place{});
    world.set(e, Burning{20});
    CHECK(told.take() == "+0 ");
    world.get<Burning>(e).heat = 3;
    world.flush();
    CHECK(told.take() == "-0 ");
    world.get<Burning>(e).heat = 30;
    CHECK(cache.size() == 1);
    world.flush();
    CHECK(told.take() == "+0 ");
    world.remove<Burning>(e);
    CHECK(told.take() == "-0 ");
    CHECK(cache.empty());
    CHECK(ids_of(watch.removed()) == Ids{e});
    world.emplace<Burning>(e, 40);
    CHECK(told.take() == "+0 ");
    world.query<Burning>().remove_all<Burning>();
    CHECK(told.take() == "-0 ");
}

TEST_CASE("filters over several indexes") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    OrderedIndex<&Place::x> by_x{world};
    auto query = world.query<>();
    Told either(query.where(by_team == 1 || by_x > 5));
    Told both(query.where(by_team == 1 && by_x > 5));
    Told none(query.where(!(by_team == 1 || by_x > 5)));
    const Entity e = world.spawn(Unit{1});
    CHECK(either.take() == "+0 ");
    CHECK(both.take().empty());
    world.set(e, Place{9});
    CHECK(either.take().empty());  // it passes for a second reason
    CHECK(both.take() == "+0 ");
    CHECK(none.take().empty());
    world.remove<Unit>(e);
    CHECK(either.take().empty());
    CHECK(both.take() == "-0 ");
    world.set(e, Unit{2});
    world.get<Place>(e).x = 0;
    world.flush();
    CHECK(either.take() == "-0 ");
    CHECK(none.take() == "+0 ");
    world.get<Unit>(e).team = 1;
    world.flush();
    CHECK(either.take() == "+0 ");
    CHECK(none.take() == "-0 ");
    // Both reasons go in one change.
    world.get<Place>(e).x = 7;
    world.flush();
    CHECK(both.take() == "+0 ");
    world.remove<Unit, Place>(e);
    CHECK(either.take() == "-0 ");
    CHECK(both.take() == "-0 ");
}

TEST_CASE("replacing one tested component by another") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    OrderedIndex<&Burning::heat> by_heat{world};
    Told told(world.query<Place>().where(by_team == 1));
    Told hot(world.query<Place>().where(by_heat > 5));
    const Entity e = world.spawn(Place{}, Unit{1});
    CHECK(told.take() == "+0 ");
    world.replace<Unit>(e, Burning{9});
    CHECK(told.take() == "-0 ");
    CHECK(hot.take() == "+0 ");
    world.replace<Burning>(e, Unit{1});
    CHECK(told.take() == "+0 ");
    CHECK(hot.take() == "-0 ");
}

TEST_CASE("ghosts: a filter on a cleanup component") {
    World world;
    OrderedIndex<&Grave::depth> by_depth{world};
    HashIndex<&Unit::team> by_team{world};
    auto graves = world.query<Grave>();
    Told deep(graves.where(by_depth > 3));
    Told reds(graves.where(by_depth > 3, by_team == 1));
    const Entity e = world.spawn(Grave{5}, Unit{1});
    CHECK(deep.take() == "+0 ");
    CHECK(reds.take() == "+0 ");
    world.despawn(e);
    CHECK(deep.take().empty());
    CHECK(reds.take() == "-0 ");
    world.get<Grave>(e).depth = 1;
    world.flush();
    CHECK(deep.take() == "-0 ");
    world.remove<Grave>(e);
    CHECK(deep.take().empty());
}

TEST_CASE("a filtered family: active or not, its members are known") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    auto reds = world.query<Unit, Needs<Painter>>().where(by_team == 1);
    std::string log;
    const Subscription on = reds.on_activate([&] { log += "on "; });
    const Subscription off = reds.on_deactivate([&] { log += "off "; });
    Told told(reds);
    const Entity a = world.spawn(Unit{1});
    const Entity b = world.spawn(Unit{2});
    const Entity c = world.spawn(Unit{1});
    CHECK(told.take().empty());
    world.get<Unit>(b).team = 1;
    world.get<Unit>(c).team = 2;
    world.flush();
    CHECK(told.take().empty());
    world.set_resource(Painter{});
    CHECK(std::exchange(log, {}) == "on ");
    CHECK(told.take() == "+0 +1 ");
    world.get<Unit>(a).team = 2;
    world.flush();
    CHECK(told.take() == "-0 ");
    world.remove_resource<Painter>();
    CHECK(told.take() == "-1 ");
    CHECK(log == "off ");
    CHECK(reds.cache().size() == 1);
}

TEST_CASE("bulk spawns and clear") {
    World world;
    OrderedIndex<&Unit::level> by_level{world};
    auto high = world.query<Unit>().where(by_level >= 6);
    int in = 0;
    int out = 0;
    const Subscription enters = high.on_enter([&] { ++in; });
    const Subscription leaves = high.on_leave([&] { ++out; });
    auto watch = high.watch();
    auto cache = high.cache();
    std::vector<Unit> units(5000);
    for (std::size_t i = 0; i < units.size(); ++i) units[i].level = static_cast<int>(i % 10);
    std::vector<Entity> ids(units.size());
    world.spawn_columns(std::span{ids}, std::span{units});
    CHECK(in == 2000);
    CHECK(watch.added().size() == 2000);
    CHECK(cache.size() == 2000);
    world.query<Unit>().each([](Unit& unit) { unit.level += 1; });
    world.flush();
    CHECK(in == 2500);
    CHECK(out == 0);
    CHECK(watch.added().size() == 2500);
    high.despawn_all();
    CHECK(out == 2500);
    world.clear();
    CHECK(out == 2500);
    CHECK(watch.removed().size() == 2500);
    CHECK(cache.empty());
}

TEST_CASE("more changed keys than a log keeps") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    std::vector<Entity> ids(200'000);
    world.spawn_many(std::span{ids}, Unit{0});
    auto reds = world.query<Unit>().where(by_team == 1);
    int told = 0;
    const Subscription enters = reds.on_enter([&] { ++told; });
    auto cache = reds.cache();
    auto watch = reds.watch();
    CHECK(cache.empty());
    world.query<Unit>().each([](Entity e, Unit& unit) { unit.team = e.index() % 2 == 0; });
    world.flush();
    CHECK(told == 100'000);
    CHECK(cache.size() == 100'000);
    CHECK(watch.added().size() == 100'000);
}

TEST_CASE("callbacks at a flush may drop, subscribe, write and record") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    auto reds = world.query<Unit>().where(by_team == 1);
    std::vector<Entity> ids(3);
    world.spawn_many(std::span{ids}, Unit{0});
    int first = 0;
    int second = 0;
    int late = 0;
    Subscription once;
    Subscription other;
    Subscription added;
    once = reds.on_enter([&](Entity e) {
        ++first;
        other = {};
        once = {};
        added = reds.on_enter([&] { ++late; });
        world.get<Unit>(ids[1]).team = 0;
        world.commands().despawn(e);
    });
    other = reds.on_enter([&] { ++second; });
    for (const Entity e : ids) world.get<Unit>(e).team = 1;
    CHECK(world.flush().applied == 1);
    CHECK(first == 1);
    CHECK(second == 0);
    CHECK(late == 0);
    CHECK(!world.alive(ids[0]));
    world.flush();
    CHECK(late == 0);
    world.get<Unit>(ids[1]).team = 1;
    world.flush();
    CHECK(late == 1);
    world.check();
}

TEST_CASE("structure is locked in the callbacks of a flush, and a throw reaches its caller") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    auto reds = world.query<Unit>().where(by_team == 1);
    const Entity a = world.spawn(Unit{0});
    const Entity b = world.spawn(Unit{0});
    int later = 0;
    const Subscription bad = reds.on_enter([&](Entity e) { world.despawn(e); });
    const Subscription good = reds.on_enter([&] { ++later; });
    world.get<Unit>(a).team = 1;
    world.get<Unit>(b).team = 1;
    world.commands().spawn(Unit{5});
    CHECK_THROWS_AS(world.flush(), Error);
    CHECK(later == 0);
    CHECK(world.size() == 2);  // as after every throw in a flush, the rest of it is dropped
    world.flush();
    CHECK(later == 0);  // the members have changed all the same
    int left = 0;
    const Subscription leaves = reds.on_leave([&] { ++left; });
    world.despawn(a);
    CHECK(left == 1);
    world.check();
}

TEST_CASE("a callback that throws leaves the members of others right") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    auto reds = world.query<Unit>().where(by_team == 1);
    bool armed = false;
    const Subscription bad_in = reds.on_enter([&] {
        if (armed) throw 1;
    });
    const Subscription bad_out = reds.on_leave([&] {
        if (armed) throw 1;
    });
    Told told(reds);
    const Entity e = world.spawn(Unit{1});
    CHECK(told.take() == "+0 ");
    armed = true;
    CHECK_THROWS_AS(world.despawn(e), int);
    CHECK(told.take().empty());
    CHECK_THROWS_AS(world.spawn(Unit{1}), int);
    armed = false;
    CHECK(told.take().empty());
    world.flush();
    CHECK(told.take().empty());
    world.spawn(Unit{1});
    CHECK(told.take() == "+1 ");
    world.clear();
    CHECK(told.take().size() == 6);
}

TEST_CASE("subscribing and watching inside a change") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    auto reds = world.query<Unit>().where(by_team == 1);
    const Entity a = world.spawn(Unit{1});
    const Entity b = world.spawn(Unit{1});
    Subscription inner;
    std::string log;
    Watch<Unit> watch;
    const Subscription outer = reds.on_leave([&](Entity) {
        if (inner) return;
        inner = reds.on_leave([&](Entity e) { log += std::to_string(e.index()) + ' '; });
        watch = reds.watch();
    });
    SUBCASE("of one entity") {
        world.remove<Unit>(a);
        CHECK(log.empty());
        CHECK(watch.removed().empty());
        world.set(a, Unit{2});
        world.remove<Unit>(a);
        CHECK(log.empty());  // it was no member since
        world.despawn(b);
        CHECK(log == "1 ");
        CHECK(ids_of(watch.removed()) == Ids{b});
    }
    SUBCASE("of many") {
        world.clear();
        CHECK(log.empty());
        const Entity next = world.spawn(Unit{1});
        CHECK(ids_of(watch.added()) == Ids{next});
        world.spawn(Unit{2});
        world.clear();
        CHECK(log == std::to_string(next.index()) + ' ');
        CHECK(ids_of(watch.removed()) == Ids{next});
    }
    SUBCASE("an unsettled watch that is read") {
        world.remove<Unit>(a);
        world.get<Unit>(b).team = 2;
        CHECK(watch.removed().empty());  // it begins with this read
        world.get<Unit>(b).team = 1;
        CHECK(ids_of(watch.added()) == Ids{b});
    }
}

TEST_CASE("a watch that is read inside a signal waits with writes") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    auto reds = world.query<Unit>().where(by_team == 1);
    std::vector<Entity> ids(3);
    world.spawn_many(std::span{ids}, Unit{1});
    auto watch = reds.watch();
    std::size_t seen = 0;
    const Subscription leaves = world.query<Unit>().on_leave([&] { seen += watch.added().size(); });
    for (const Entity e : ids) world.get<Unit>(e).level = 3;
    world.get<Unit>(ids[1]).team = 0;
    world.clear();
    CHECK(seen == 0);
    CHECK(ids_of(watch.removed()) == ids);
    CHECK(watch.added().empty());
}

TEST_CASE("reads inside walks: keys that the walk writes take effect at the latest after it") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    auto reds = world.query<Unit>().where(by_team == 1);
    std::vector<Entity> ids(300);
    world.spawn_many(std::span{ids}, Unit{0});
    auto cache = reds.cache();
    auto watch = reds.watch();
    CHECK(cache.empty());
    for (auto [e, unit] : world.query<Unit>()) {
        static_cast<void>(cache.size());
        static_cast<void>(watch.added());
        unit.team = e.index() % 3 == 0;
        static_cast<void>(cache.size());
        static_cast<void>(watch.added());
        if (e.index() % 2 == 0) unit.team = 1 - unit.team;
    }
    Ids expected;
    reds.ordered().collect(expected);
    CHECK(ids_of(cache) == expected);
    Ids members;
    for (const Entity e : ids) {
        const bool came = std::count(watch.added().begin(), watch.added().end(), e) != 0;
        const bool went = std::count(watch.removed().begin(), watch.removed().end(), e) != 0;
        if (came && !went) members.push_back(e);
    }
    for (const Entity e : members) CHECK(world.get<const Unit>(e).team == 1);
    // The list stays as it is while it is walked.
    std::size_t visited = 0;
    cache.each([&](Unit& unit) {
        unit.team = 2;
        ++visited;
    });
    CHECK(visited == expected.size());
    CHECK(cache.empty());
}

TEST_CASE("what a value was when the structure changed may differ from what an index has read") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    auto reds = world.query<Unit, Without<Tag>>().where(by_team == 1);
    const Entity e = world.spawn(Unit{1});
    Told told(reds);
    auto watch = reds.watch();
    auto cache = reds.cache();
    CHECK(cache.size() == 1);
    world.add<Tag>(e);
    world.get<Unit>(e).team = 2;
    world.remove<Tag>(e);  // fails now
    world.get<Unit>(e).team = 1;
    CHECK(cache.size() == 1);
    CHECK(told.take() == "-0 ");
    world.flush();
    CHECK(told.take() == "+0 ");
    CHECK(ids_of(watch.added()) == Ids{e});
}

TEST_CASE("a filter that all entities pass, and copies in another order") {
    World world;
    HashIndex<&Unit::team> by_team{world};
    auto all = world.query<Unit>().where();
    Told told(all);
    auto watch = all.watch();
    auto cache = all.cache();
    const Entity e = world.spawn(Unit{1});
    CHECK(told.take() == "+0 ");
    CHECK(watch.added().size() == 1);
    CHECK(cache.size() == 1);
    auto reds = world.query<Unit>().where(by_team == 1).reversed().cache();
    CHECK(ids_of(reds) == Ids{e});
}

TEST_CASE("lifetimes: the index, the filter and the world may end first, and a world may move") {
    std::optional<World> world(std::in_place);
    std::optional<HashIndex<&Unit::team>> by_team(std::in_place, *world);
    auto reds = std::make_unique<decltype(world->query<Unit>().where(*by_team == 1))>(
        world->query<Unit>().where(*by_team == 1));
    auto told = std::make_unique<Told>(*reds);
    auto watch = reds->watch();
    auto cache = reds->cache();
    reds->on_enter([kept = std::make_shared<int>(1)] {}).release();
    reds.reset();
    by_team.reset();
    World moved = std::move(*world);
    world.reset();
    const Entity e = moved.spawn(Unit{1});
    CHECK(told->take() == "+0 ");
    moved.get<Unit>(e).team = 2;
    CHECK(cache.empty());
    CHECK(ids_of(watch.removed()) == Ids{e});
    moved.flush();
    CHECK(told->take() == "-0 ");
    moved = World{};
    CHECK(cache.empty());
    CHECK(watch.added().empty());
    CHECK(watch.changed().empty());
    watch.clear();
    CHECK(!told->enters);
}

TEST_CASE("signals of a filtered query need a world with signals; watches and caches do not") {
    World world{WorldOptions{.signals = false}};
    HashIndex<&Unit::team> by_team{world};
    auto reds = world.query<Unit>().where(by_team == 1);
    CHECK_THROWS_AS(static_cast<void>(reds.on_enter([] {})), Error);
    auto watch = reds.watch();
    auto cache = reds.cache();
    world.spawn(Unit{1});
    CHECK(watch.added().size() == 1);
    CHECK(cache.size() == 1);
}

TEST_CASE("texts, floating point and NaN") {
    struct Name {
        std::string text;
    };
    struct Heat {
        float value = 0;
    };
    World world;
    HashIndex<&Name::text> by_name{world};
    OrderedIndex<&Name::text> names{world};
    OrderedIndex<&Heat::value> by_heat{world};
    HashIndex<&Heat::value> heats{world};
    auto query = world.query<Name, Heat>();
    Told equal(query.where(by_name == "Argo"));
    Told range(query.where(names.between("B", "D")));
    Told hot(query.where(by_heat >= 1.5f));
    Told not_zero(query.where(heats != 0.0f));
    Told not_low(query.where(!(by_heat < 1.0f)));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Entity e = world.spawn(Name{"Argo"}, Heat{nan});
    CHECK(equal.take() == "+0 ");
    CHECK(range.take().empty());
    CHECK(hot.take().empty());
    CHECK(not_zero.take() == "+0 ");
    CHECK(not_low.take() == "+0 ");
    world.get<Name>(e).text = "Cutter, a ship with a long name";
    world.get<Heat>(e).value = -0.0f;
    world.flush();
    CHECK(equal.take() == "-0 ");
    CHECK(range.take() == "+0 ");
    CHECK(not_zero.take() == "-0 ");
    CHECK(not_low.take() == "-0 ");
    world.get<Heat>(e).value = 1.5f;
    world.despawn(e);
    CHECK(hot.take().empty());
    world.spawn(Name{"D"}, Heat{1.5f});
    CHECK(hot.take() == "+0 ");
    CHECK(range.take() == "-0 +0 ");
}

TEST_CASE("keys beyond the range of the key type") {
    struct Small {
        std::uint8_t value = 0;
    };
    World world;
    OrderedIndex<&Small::value> index{world};
    Told above(world.query<Small>().where(index > 300));
    Told below(world.query<Small>().where(index < 300));
    Told least(world.query<Small>().where(index >= -5));
    Told equal(world.query<Small>().where(index == 300));
    Told other(world.query<Small>().where(index != 300));
    world.spawn(Small{7});
    CHECK(above.take().empty());
    CHECK(below.take() == "+0 ");
    CHECK(least.take() == "+0 ");
    CHECK(equal.take().empty());
    CHECK(other.take() == "+0 ");
}
