// Signals: when they fire, in which order, with what, and what callbacks may do.
#include "base/thrown.hpp"

#include <doctest/doctest.h>

#include <stoa/stoa.hpp>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

using namespace stoa;
using api_test::throws;

namespace {

struct Box {
    int size = 0;
};
struct Place {
    int x = 0;
};
struct Tag {};
struct Loose {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Grave {
    int value = 0;
    static constexpr Traits stoa_traits{.cleanup = true};
};
struct Painter {};
struct Level {};

using Ids = std::vector<Entity>;

static_assert(!std::is_copy_constructible_v<Subscription> && std::is_nothrow_move_constructible_v<Subscription>);
static_assert(std::is_nothrow_move_assignable_v<Subscription> && std::is_nothrow_default_constructible_v<Subscription>);

}  // namespace

TEST_CASE("signals fire at once, in both directions, with readable components") {
    World world;
    auto query = world.query<Box, const Place>();
    std::string log;
    const Subscription in = query.on_enter([&](Entity e, const Box& box, const Place& place) {
        CHECK(world.alive(e));
        CHECK(query.contains(e));
        log.append("+").append(std::to_string(box.size)).append(std::to_string(place.x));
    });
    const Subscription out = query.on_leave([&](Entity e, const Box& box, const Place& place) {
        CHECK(world.alive(e));
        CHECK(query.contains(e));
        CHECK(world.get<const Box>(e).size == box.size);
        log.append("-").append(std::to_string(box.size)).append(std::to_string(place.x));
    });
    const Entity e = world.spawn(Box{1}, Place{2});
    CHECK(log == "+12");
    world.set(e, Box{3});
    CHECK(log == "+12");
    world.remove<Place>(e);
    CHECK(log == "+12-32");
    world.set(e, Place{4});
    CHECK(log == "+12-32+34");
    world.despawn(e);
    CHECK(log == "+12-32+34-34");
}

TEST_CASE("what matched before is not told") {
    World world;
    world.spawn(Box{});
    int calls = 0;
    const Subscription in = world.query<Box>().on_enter([&] { ++calls; });
    CHECK(calls == 0);
}

TEST_CASE("on_enter with Existing::told is told of what matches already, in walk order, then as usual") {
    World world;
    const Entity second = world.spawn(Box{2}, Tag{});
    const Entity first = world.spawn(Box{1}, Place{});
    const Entity third = world.spawn(Box{3}, Tag{});
    world.spawn(Place{});
    auto query = world.query<const Box>();
    Ids walked;
    query.collect(walked);
    REQUIRE(walked == Ids{second, third, first});
    Ids told;
    const auto tell = [&](Entity e, const Box& box) {
        CHECK(world.get<const Box>(e).size == box.size);
        told.push_back(e);
    };
    {
        const Subscription in = query.on_enter(tell, Existing::told);
        CHECK(told == walked);
        const Entity fourth = world.spawn(Box{4});
        CHECK(told == Ids{second, third, first, fourth});
        world.despawn(fourth);
    }
    told.clear();
    const Subscription backward = query.reversed().on_enter(tell, Existing::told);
    CHECK(told == Ids{first, third, second});
    told.clear();
    const Subscription by_index = query.ordered().on_enter(tell, Existing::told);
    CHECK(told == Ids{second, first, third});
    told.clear();
    const Subscription untold = query.on_enter(tell, Existing::untold);
    CHECK(told.empty());
}

TEST_CASE("existing matches with sparse components and ghosts are told, and what f takes as const is not changed") {
    World world;
    const Entity loose = world.spawn(Box{}, Loose{1});
    world.spawn(Box{});
    const Entity ghost = world.spawn(Grave{7});
    world.despawn(ghost);
    auto changed = world.query<Changed<Loose>>();
    changed.each([] {});
    Ids told;
    const Subscription a =
        world.query<Loose>().on_enter([&](Entity e, const Loose&) { told.push_back(e); }, Existing::told);
    const Subscription b =
        world.query<const Grave>().on_enter([&](Entity e, const Grave&) { told.push_back(e); }, Existing::told);
    CHECK(told == Ids{loose, ghost});
    CHECK(changed.empty());
}

TEST_CASE("while existing matches are told the structure is locked, and everything else works") {
    World world;
    world.spawn_many(3, Box{1});
    auto query = world.query<Box>();
    int calls = 0;
    std::vector<Subscription> nested;
    const Subscription in = query.on_enter(
        [&](Entity e, Box& box) {
            ++calls;
            box.size = 2;
            CHECK(throws(Errc::locked, [&] { world.spawn(Box{}); }));
            world.commands().despawn(e);
            nested.push_back(query.on_enter([&] { calls += 100; }));
        },
        Existing::told);
    CHECK(calls == 3);
    CHECK(!query.each_until([](const Box& box) { return box.size != 2; }));
    world.spawn(Box{});
    CHECK(calls == 304);
    CHECK(world.flush().applied == 4);
    CHECK(query.empty());
}

TEST_CASE("a callback that throws while it is told of existing matches is not subscribed") {
    World world;
    const Entity first = world.spawn(Box{1});
    world.spawn(Box{2});
    auto query = world.query<Box>();
    Ids told;
    const auto kept = std::make_shared<int>(0);
    CHECK_THROWS_AS(static_cast<void>(query.on_enter(
                        [&, kept](Entity e) {
                            told.push_back(e);
                            throw std::runtime_error("stop");
                        },
                        Existing::told)),
                    std::runtime_error);
    CHECK(told == Ids{first});
    CHECK(kept.use_count() == 1);
    world.spawn(Box{3});
    CHECK(told.size() == 1);
    world.check();
}

TEST_CASE("a subscription that is told of existing matches inside a change is not told of the change again") {
    World world;
    auto query = world.query<Box>();
    Ids told;
    Subscription inner;
    const Subscription outer = query.on_enter([&] {
        if (!inner) inner = query.on_enter([&](Entity e) { told.push_back(e); }, Existing::told);
    });
    Ids made(3);
    world.spawn_many(std::span{made}, Box{});
    CHECK(told == made);
    const Entity next = world.spawn(Box{});
    made.push_back(next);
    CHECK(told == made);
}

TEST_CASE("a family is told of existing matches while it is active, each once") {
    World world;
    Ids made(3);
    world.spawn_many(std::span{made}, Box{});
    auto family = world.query<Box, Needs<Painter>>();
    Ids told;
    const Subscription idle = family.on_enter([&](Entity e) { told.push_back(e); }, Existing::told);
    CHECK(told.empty());
    world.set_resource(Painter{});
    CHECK(told == made);

    told.clear();
    const Subscription restarts = family.on_enter(
        [&](Entity e) {
            told.push_back(e);
            if (told.size() != 1) return;
            world.remove_resource<Painter>();
            world.set_resource(Painter{});  // tells the other callback
        },
        Existing::told);
    CHECK(told.size() == 6);
    CHECK(told.front() == made[0]);
    CHECK(Ids(told.end() - 2, told.end()) == Ids{made[1], made[2]});

    told.clear();
    const Subscription ends = family.on_enter(
        [&](Entity e) {
            told.push_back(e);
            world.remove_resource<Painter>();
        },
        Existing::told);
    CHECK(told == Ids{made[0]});
}

TEST_CASE("on_enter with Existing::told in a world without signals is an error, and tells nothing") {
    World world{WorldOptions{.signals = false}};
    world.spawn(Box{});
    int calls = 0;
    CHECK(throws(Errc::signals_off,
                 [&] { static_cast<void>(world.query<Box>().on_enter([&] { ++calls; }, Existing::told)); }));
    CHECK(calls == 0);
}

TEST_CASE("every shape of a callback") {
    World world;
    auto query = world.query<Box, Maybe<Place>, Tag>();
    int calls = 0;
    std::vector<Subscription> all;
    all.push_back(query.on_enter([&](Entity, Box&, Place*) { calls += 1; }));
    all.push_back(query.on_enter([&](Entity, const Box&, const Place* place) { calls += place == nullptr ? 10 : 0; }));
    all.push_back(query.on_enter([&](EntityRef ref, const Box&, const Place*) { calls += ref.has<Tag>() ? 100 : 0; }));
    all.push_back(query.on_enter([&](const Box& box, const Place*) { calls += box.size; }));
    all.push_back(query.on_enter([&](Entity) { calls += 10000; }));
    all.push_back(query.on_enter([&](EntityRef) { calls += 100000; }));
    all.push_back(query.on_enter([&] { calls += 1000000; }));
    all.push_back(query.on_enter([&](Entity, const auto& box, auto*) { calls += 10000 * box.size; }));
    all.push_back(query.on_enter([&, n = 0](Box box, const Place*) mutable { calls += ++n * 10000 * box.size; }));
    world.spawn(Box{1000}, Tag{});
    CHECK(calls == 1111111 - 0 + 20000000);
}

namespace {

int free_calls = 0;
void count_free(Entity, const Box&) { ++free_calls; }

struct Counter {
    int* calls;
    void operator()(Entity) { ++*calls; }
};

}  // namespace

TEST_CASE("functions, function objects and move-only callables") {
    World world;
    auto query = world.query<Box>();
    int calls = 0;
    free_calls = 0;
    const Subscription first = query.on_enter(count_free);
    const Subscription second = query.on_enter(&count_free);
    const Subscription third = query.on_enter(Counter{&calls});
    const Counter named{&calls};
    const Subscription fourth = query.on_enter(named);
    const Subscription fifth = query.on_enter([kept = std::make_unique<int>(7), &calls] { calls += *kept; });
    world.spawn(Box{});
    CHECK(free_calls == 2);
    CHECK(calls == 9);
}

TEST_CASE("a component of type Entity is taken by reference, the id by value") {
    World world;
    const Entity target = world.spawn();
    auto query = world.query<const Entity>();
    Entity id;
    Entity component;
    const Subscription a = query.on_enter([&](Entity e) { id = e; });
    const Subscription b = query.on_enter([&](const Entity& e) { component = e; });
    const Subscription c = query.on_enter([&](Entity e, const Entity& held) { CHECK((e == id && held == target)); });
    const Entity made = world.spawn(Entity(target));
    CHECK(id == made);
    CHECK(component == target);
}

TEST_CASE("what a callback takes as const does not count as changed") {
    World world;
    auto query = world.query<Box, Maybe<Place>, Mut<Loose>>();
    auto boxes = world.query<Changed<Box>>();
    auto places = world.query<Changed<Place>>();
    auto loose = world.query<Changed<Loose>>();
    const auto walk_all = [&] {
        Ids found;
        boxes.collect(found);
        places.collect(found);
        loose.collect(found);
    };
    const Entity e = world.spawn(Box{}, Place{}, Loose{});
    walk_all();
    SUBCASE("all const") {
        const Subscription out = query.on_leave([](Entity, const Box&, const Place*, const Loose&) {});
        world.remove<Tag>(e);
        walk_all();
        world.set(e, Tag{});
        walk_all();
        auto tagged = world.query<Box, Maybe<Place>, Mut<Loose>, Without<Tag>>();
        const Subscription in = tagged.on_enter([](const Box&, const Place*, const Loose&) {});
        world.remove<Tag>(e);
        CHECK(boxes.empty());
        CHECK(places.empty());
        CHECK(loose.empty());
    }
    SUBCASE("one by one") {
        world.set(e, Tag{});
        walk_all();
        auto tagged = world.query<Box, Maybe<Place>, Mut<Loose>, Without<Tag>>();
        const Subscription in = tagged.on_enter([](const Box&, Place* place, Mut<Loose> m) {
            place->x = 1;
            if (m->value == 5) m.write();
        });
        world.remove<Tag>(e);
        CHECK(boxes.empty());
        CHECK(places.count() == 1);
        CHECK(loose.empty());
    }
    SUBCASE("written") {
        world.set(e, Tag{});
        walk_all();
        auto tagged = world.query<Box, Maybe<Place>, Mut<Loose>, Without<Tag>>();
        const Subscription in = tagged.on_enter([](Entity, Box& box, Place*, Mut<Loose> m) {
            box.size = 9;
            m.write().value = 4;
        });
        world.remove<Tag>(e);
        CHECK(boxes.count() == 1);
        CHECK(places.count() == 1);
        CHECK(loose.count() == 1);
        CHECK(world.get<const Box>(e).size == 9);
    }
}

TEST_CASE("subscribers are told in order of subscription, also across queries") {
    World world;
    std::string log;
    std::vector<Subscription> all;
    const auto add = [&](auto query, char name) {
        all.push_back(query.on_enter([&log, name] { log += name; }));
        all.push_back(query.on_leave([&log, name] { log += static_cast<char>(name - 'a' + 'A'); }));
    };
    add(world.query<Box>(), 'a');
    add(world.query<Place>(), 'b');
    add(world.query<Box>(), 'c');
    add(world.query<Box, Place>(), 'd');
    add(world.query<Place>(), 'e');
    add(world.query<>(), 'f');
    const Entity e = world.spawn(Place{}, Box{});
    CHECK(log == "abcdef");
    log.clear();
    world.despawn(e);
    CHECK(log == "ABCDEF");
    log.clear();
    all[0] = Subscription{};
    add(world.query<const Box>(), 'g');
    world.spawn(Box{}, Place{});
    CHECK(log == "bcdefg");
}

TEST_CASE("one that leaves a query and enters another: first the departures") {
    World world;
    std::string log;
    const Subscription in = world.query<Box, Tag>().on_enter([&] { log += "+tagged"; });
    const Subscription out = world.query<Box, Without<Tag>>().on_leave([&] { log += "-bare"; });
    const Entity e = world.spawn(Box{});
    world.add<Tag>(e);
    CHECK(log == "-bare+tagged");
}

TEST_CASE("a subscription ends with its handle, or stays when released") {
    World world;
    auto query = world.query<Box>();
    int first = 0;
    int second = 0;
    {
        Subscription a = query.on_enter([&] { ++first; });
        CHECK(a);
        query.on_enter([&] { ++second; }).release();
        world.spawn(Box{});
        Subscription b = std::move(a);
        CHECK_FALSE(a);  // NOLINT: moved-from is empty
        world.spawn(Box{});
        a = std::move(b);
        world.spawn(Box{});
        a.release();
        CHECK_FALSE(a);
        a = query.on_enter([&] { first += 100; });
    }
    world.spawn(Box{});
    CHECK(first == 4);
    CHECK(second == 4);
    Subscription empty;
    CHECK_FALSE(empty);
    empty.release();
}

TEST_CASE("a callback may unsubscribe itself: then it is not called again") {
    World world;
    auto query = world.query<Box>();
    auto alive = std::make_shared<int>(0);
    Subscription self;
    int after = 0;
    self = query.on_enter([&, alive] {
        ++*alive;
        self = Subscription{};
        ++*alive;  // its captures are still there
    });
    const Subscription other = query.on_enter([&] { ++after; });
    world.spawn(Box{});
    CHECK(alive.use_count() == 1);
    world.spawn(Box{});
    CHECK(*alive == 2);
    CHECK(after == 2);
    world.spawn_many(3, Box{});
    CHECK(after == 5);
}

TEST_CASE("a callback may unsubscribe others, before and after itself, and they are not called") {
    World world;
    auto query = world.query<Box>();
    int first = 0;
    int last = 0;
    Subscription a = query.on_enter([&] { ++first; });
    Subscription c;
    const Subscription b = query.on_enter([&] {
        a = Subscription{};
        c = Subscription{};
    });
    c = query.on_enter([&] { ++last; });
    world.spawn_many(2, Box{});
    CHECK(first == 1);
    CHECK(last == 0);
}

TEST_CASE("an unsubscribed callback ends after the change, and its end may unsubscribe more") {
    World world;
    auto query = world.query<Box>();
    struct Chain {
        Subscription next;
        bool* ended;
        explicit Chain(Subscription held, bool* flag) : next(std::move(held)), ended(flag) {}
        Chain(Chain&& other) noexcept : next(std::move(other.next)), ended(std::exchange(other.ended, nullptr)) {}
        ~Chain() {
            if (ended != nullptr) *ended = true;
        }
    };
    bool ended = false;
    int inner = 0;
    Subscription outer;
    outer = query.on_enter([&, chain = Chain(query.on_enter([&] { ++inner; }), &ended)] {
        outer = Subscription{};
        CHECK_FALSE(ended);
    });
    world.spawn(Box{});
    CHECK(ended);
    world.spawn(Box{});
    CHECK(inner == 1);
}

TEST_CASE("who subscribes during a change is told of the next one") {
    World world;
    auto query = world.query<Box>();
    std::vector<Subscription> all;
    int late = 0;
    bool done = false;
    const Subscription first = query.on_enter([&] {
        if (std::exchange(done, true)) return;
        for (int i = 0; i < 100; ++i) all.push_back(query.on_enter([&] { ++late; }));
        all.push_back(world.query<Box, Without<Place>>().on_enter([&] { ++late; }));
    });
    world.spawn_many(5000, Box{});
    CHECK(late == 0);
    world.spawn(Box{});
    CHECK(late == 101);
}

TEST_CASE("callbacks may make queries, write, and use resources; structure is locked") {
    World world;
    world.set_resource(Level{});
    const Entity other = world.spawn(Box{}, Loose{});
    int asked = 0;
    const auto look = [&](Entity e, const Box&) {
        ++asked;
        CHECK(throws(Errc::locked, [&] { world.spawn(); }));
        CHECK(throws(Errc::locked, [&] { world.spawn(Box{}); }));
        CHECK(throws(Errc::locked, [&] { world.spawn_many(2, Box{}); }));
        CHECK(throws(Errc::locked, [&] { world.despawn(e); }));
        CHECK(throws(Errc::locked, [&] { world.add<Tag>(e); }));
        CHECK(throws(Errc::locked, [&] { world.set(e, Loose{}); }));
        CHECK(throws(Errc::locked, [&] { world.remove<Box>(e); }));
        CHECK(throws(Errc::locked, [&] { world.remove<Loose>(other); }));
        CHECK(throws(Errc::locked, [&] { world.remove_all(e); }));
        CHECK(throws(Errc::locked, [&] { world.clone(e); }));
        CHECK(throws(Errc::locked, [&] { world.clear(); }));
        CHECK(throws(Errc::locked, [&] { world.query<Box>().despawn_all(); }));
        world.set(e, Box{8});
        world.emplace<Loose>(other, 4);
        world.copy(other, other);
        CHECK_FALSE(world.remove<Tag>(e));
        CHECK(world.query<const Box, Without<Level>>().count() >= 1);
        int seen = 0;
        world.query<const Box, Changed<Box>>().each([&](const Box&) { ++seen; });
        CHECK(seen >= 1);
        world.set_resource(Painter{});
        world.remove_resource<Painter>();
    };
    const Subscription in = world.query<Box>().on_enter(look);
    const Subscription out = world.query<Box>().on_leave(look);
    const Entity e = world.spawn(Box{1});
    world.remove<Box>(e);
    world.set(e, Box{2});
    world.despawn(e);
    CHECK(asked == 4);
    world.check();
    world.spawn();  // and unlocked afterwards
}

TEST_CASE("callbacks record commands: in a flush they run in that flush, else in the next one") {
    World world;
    auto query = world.query<Box, Without<Tag>>();
    std::string log;
    const Subscription in = query.on_enter([&](Entity e) {
        log += "+";
        world.commands().add<Tag>(e);
    });
    const Subscription out = query.on_leave([&] { log += "-"; });
    const Entity a = world.spawn(Box{});
    CHECK(log == "+");
    CHECK_FALSE(world.has<Tag>(a));
    CHECK(throws(Errc::locked, [&] {
        const Subscription flushing = query.on_enter([&] { world.flush(); });
        world.spawn(Box{});
    }));
    world.flush();
    CHECK(world.has<Tag>(a));
    CHECK(log == "++--");
    const Entity b = world.commands().spawn(Box{});
    world.flush();
    CHECK(world.has<Tag>(b));
    CHECK(log == "++--+-");
}

TEST_CASE("many recorded edits of one entity are told one by one where someone listens") {
    World world;
    const Entity e = world.spawn(Place{});
    std::string log;
    const Subscription in =
        world.query<Box>().on_enter([&](const Box& box) { log.append("+").append(std::to_string(box.size)); });
    const Subscription out =
        world.query<Box>().on_leave([&](const Box& box) { log.append("-").append(std::to_string(box.size)); });
    Commands& later = world.commands();
    later.set(e, Box{1});
    later.remove<Box>(e);
    later.set(e, Box{2});
    later.add<Tag>(e);
    later.set(e, Box{3});
    later.despawn(e);
    world.flush();
    CHECK(log == "+1-1+2-3");
}

TEST_CASE("a set of what is present inside a callback does not end the change that is told") {
    World world;
    std::string log;
    const Entity other = world.spawn(Loose{1}, Box{});
    const Subscription out = world.query<Box, Without<Tag>>().on_leave([&](Entity e) {
        world.set(e, Box{5}, Loose{6});
        world.set(other, Loose{2});
        world.emplace<Loose>(other).value = 3;
        log += "-";
    });
    const Subscription in = world.query<Box, Tag, Loose>().on_enter([&](Entity e) {
        CHECK(world.has<Tag>(e));
        log += "+";
    });
    const Entity e = world.spawn(Box{}, Loose{});
    world.add<Tag>(e);
    CHECK(log == "-+");
}

TEST_CASE("a throw: the change stands, later subscribers are not told, the caller hears of it") {
    World world;
    auto query = world.query<Box>();
    int first = 0;
    int last = 0;
    bool armed = true;
    const Subscription a = query.on_enter([&] { ++first; });
    const Subscription b = query.on_enter([&] {
        if (armed) throw std::runtime_error("no boxes");
    });
    const Subscription c = query.on_enter([&] { ++last; });
    const Subscription d = query.on_leave([&](Entity) {
        if (armed) throw 7;
    });
    const Subscription f = query.on_leave([&](Entity) { ++last; });
    auto watch = query.watch();
    auto cache = query.cache();

    CHECK_THROWS_AS(world.spawn(Box{}), std::runtime_error);
    CHECK(world.size() == 1);
    CHECK(query.count() == 1);
    CHECK(first == 1);
    CHECK(last == 0);
    const Entity e = query.single();
    CHECK_THROWS_AS(world.remove<Box>(e), int);
    CHECK_FALSE(world.has<Box>(e));
    CHECK_THROWS_AS(world.set(e, Box{}), std::runtime_error);
    CHECK_THROWS_AS(world.despawn(e), int);
    CHECK(world.size() == 0);
    CHECK_THROWS_AS(world.spawn_many(4, Box{}), std::runtime_error);
    CHECK(query.count() == 4);
    CHECK(first == 3);
    CHECK_THROWS_AS(world.clear(), int);
    CHECK(world.size() == 0);
    CHECK(last == 0);
    // Lists are no subscribers: nothing is lost.
    CHECK(watch.added().size() == 5);
    CHECK(watch.removed().size() == 5);
    CHECK(cache.empty());
    world.check();

    armed = false;
    world.spawn(Box{});
    CHECK(first == 4);
    CHECK(last == 1);
    CHECK(cache.size() == 1);
}

TEST_CASE("a throw inside a bulk change: what came before it stands") {
    World world;
    auto query = world.query<Box>();
    world.spawn_many(5, Box{});
    int left = 0;
    const Subscription out = query.on_leave([&] {
        if (++left == 3) throw std::runtime_error("three");
    });
    CHECK_THROWS_AS(query.despawn_all(), std::runtime_error);
    CHECK(world.size() == 2);
    CHECK(query.despawn_all() == 2);
    world.check();
}

TEST_CASE("signals can be switched off; watches and caches work on") {
    World world(WorldOptions{.signals = false});
    auto query = world.query<Box, Needs<Level>>();
    CHECK(throws(Errc::signals_off, [&] { query.on_enter([] {}).release(); }));
    CHECK(throws(Errc::signals_off, [&] { query.on_leave([] {}).release(); }));
    CHECK(throws(Errc::signals_off, [&] { query.on_activate([] {}).release(); }));
    CHECK(throws(Errc::signals_off, [&] { query.on_deactivate([] {}).release(); }));
    const auto thrown = api_test::thrown_by([&] { query.on_enter([] {}).release(); });
    REQUIRE(thrown);
    CHECK(thrown->says("on_enter"));
    CHECK(thrown->says("watch()"));
    auto watch = query.watch();
    auto cache = query.cache();
    world.spawn(Box{});
    CHECK(watch.added().size() == 1);
    CHECK(cache.size() == 1);
}

TEST_CASE("the end of a world tells nobody") {
    int calls = 0;
    Subscription kept;
    {
        World world;
        auto query = world.query<Box>();
        kept = query.on_leave([&] { ++calls; });
        query.on_leave([&] { ++calls; }).release();
        world.spawn_many(3, Box{});
        world.spawn(Box{}, Loose{}, Grave{});
    }
    CHECK(calls == 0);
    CHECK_FALSE(kept);
}

TEST_CASE("subscriptions and worlds end in any order") {
    auto captured = std::make_shared<int>(0);
    SUBCASE("the world first") {
        Subscription held;
        {
            World world;
            held = world.query<Box>().on_enter([captured] {});
            world.query<Box>().on_enter([captured] {}).release();
        }
        CHECK(captured.use_count() == 2);
        Subscription moved = std::move(held);
        moved.release();
        CHECK(captured.use_count() == 1);
    }
    SUBCASE("a callback holds subscriptions to the same world") {
        {
            World world;
            auto query = world.query<Box>();
            Subscription inner = query.on_enter([captured] {});
            auto innermost = std::make_shared<Subscription>(query.on_leave([captured] {}));
            query.on_enter([captured, innermost, held = std::move(inner)] {}).release();
            query.on_enter([captured, innermost] {}).release();
            world.spawn(Box{});
        }
        CHECK(captured.use_count() == 1);
    }
    SUBCASE("a component and a resource hold subscriptions") {
        struct Holder {
            Subscription held;
        };
        {
            World world;
            auto query = world.query<Holder>();
            world.set_resource(Holder{query.on_leave([captured] { ++*captured; })});
            const Entity e = world.spawn(Holder{query.on_leave([captured] { ++*captured; })});
            world.spawn(Holder{query.on_enter([captured] {})});
            world.despawn(e);
            CHECK(*captured == 2);
        }
        CHECK(captured.use_count() == 1);
        CHECK(*captured == 2);
    }
    SUBCASE("a moved world") {
        World world;
        const Subscription held = world.query<Box>().on_enter([captured] { ++*captured; });
        World moved = std::move(world);
        moved.spawn(Box{});
        CHECK(*captured == 1);
        world = World();
        world.spawn(Box{});
        CHECK(*captured == 1);
    }
    SUBCASE("a query of a world that is gone") {
        std::optional<World> world(std::in_place);
        auto query = world->query<Box>();
        world.reset();
        CHECK(throws(Errc::world_gone, [&] { query.on_enter([] {}).release(); }));
        CHECK(throws(Errc::world_gone, [&] { static_cast<void>(query.watch()); }));
        CHECK(throws(Errc::world_gone, [&] { static_cast<void>(query.cache()); }));
    }
}

TEST_CASE("a component that drops a subscription in its destructor, in the middle of a change") {
    World world;
    struct Dropper {
        std::shared_ptr<Subscription> other;
        ~Dropper() {
            if (other) *other = Subscription{};
        }
        Dropper(std::shared_ptr<Subscription> held) : other(std::move(held)) {}
        Dropper(Dropper&&) noexcept = default;
        Dropper& operator=(Dropper&&) noexcept = default;
    };
    auto other = std::make_shared<Subscription>();
    int calls = 0;
    *other = world.query<Box, Without<Dropper>>().on_enter([&] { ++calls; });
    const Subscription after = world.query<Box, Without<Dropper>>().on_enter([&] { calls += 10; });
    const Entity e = world.spawn(Box{}, Dropper(other));
    world.remove<Dropper>(e);
    CHECK(calls == 10);
    world.check();
}

TEST_CASE("families: activation before the entities enter, deactivation after they left") {
    World world;
    auto family = world.query<const Box, Needs<Painter, Level>>();
    std::string log;
    std::vector<Subscription> all;
    all.push_back(family.on_enter([&](const Box& box) {
        CHECK(world.has_resource<Painter, Level>());
        log.append("+").append(std::to_string(box.size));
    }));
    all.push_back(family.on_leave([&](const Box& box) {
        CHECK(world.has_resource<Painter, Level>());
        CHECK(family.active());
        log.append("-").append(std::to_string(box.size));
    }));
    all.push_back(family.on_activate([&] { log += "A"; }));
    all.push_back(family.on_deactivate([&] {
        CHECK(family.active());
        log += "D";
    }));
    auto watch = family.watch();
    world.spawn(Box{1});
    world.spawn(Box{2});
    CHECK(log.empty());
    CHECK(watch.added().size() == 2);  // membership does not depend on resources
    world.set_resource(Painter{});
    CHECK(log.empty());
    world.set_resource(Level{});
    CHECK(log == "A+1+2");
    world.set_resource(Level{});
    CHECK(log == "A+1+2");
    world.spawn(Box{3});
    CHECK(log == "A+1+2+3");
    world.remove_resource<Painter>();
    CHECK(log == "A+1+2+3-1-2-3D");
    CHECK_FALSE(family.active());
    world.remove_resource<Level>();
    world.clear();
    CHECK(log == "A+1+2+3-1-2-3D");
    CHECK(watch.added().size() == 3);
    CHECK(watch.removed().size() == 3);
}

TEST_CASE("families: a throw reaches the caller, the resource comes and goes all the same") {
    World world;
    auto family = world.query<const Box, Needs<Painter>>();
    world.spawn_many(3, Box{});
    int calls = 0;
    const Subscription in = family.on_enter([&] {
        if (++calls == 2) throw std::runtime_error("two");
    });
    const Subscription out = family.on_leave([&] { throw std::runtime_error("out"); });
    CHECK_THROWS_AS(world.set_resource(Painter{}), std::runtime_error);
    CHECK(calls == 2);
    CHECK(world.has_resource<Painter>());
    CHECK_THROWS_AS(world.remove_resource<Painter>(), std::runtime_error);
    CHECK_FALSE(world.has_resource<Painter>());
}

TEST_CASE("families: a callback may take the resource away, and unsubscribe") {
    World world;
    auto family = world.query<const Box, Needs<Painter>>();
    world.spawn_many(3, Box{});
    std::string log;
    Subscription in;
    in = family.on_enter([&] {
        log += "+";
        world.remove_resource<Painter>();
        in = Subscription{};
    });
    const Subscription on = family.on_activate([&] { log += "A"; });
    const Subscription off = family.on_deactivate([&] { log += "D"; });
    world.set_resource(Painter{});
    CHECK(log == "A+D");
    world.set_resource(Painter{});
    CHECK(log == "A+DA");
    world.remove_resource<Painter>();
    CHECK(log == "A+DAD");
}
