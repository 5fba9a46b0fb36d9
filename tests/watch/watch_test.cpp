// Watches: what is in which list, and how long.
#include <doctest/doctest.h>

#include <stoa/stoa.hpp>

#include <algorithm>
#include <optional>
#include <type_traits>
#include <vector>

using namespace stoa;

namespace {

struct Box {
    int size = 0;
};
struct Place {
    int x = 0;
};
struct Other {
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

using Ids = std::vector<Entity>;

Ids ids(std::span<const Entity> list) {
    Ids all(list.begin(), list.end());
    std::sort(all.begin(), all.end());
    return all;
}

using BoxWatch = Watch<Box>;
static_assert(!std::is_copy_constructible_v<BoxWatch> && std::is_nothrow_move_constructible_v<BoxWatch>);

}  // namespace

TEST_CASE("what matched before watching began is in no list") {
    World world;
    world.spawn(Box{});
    world.spawn(Box{}, Loose{});
    auto boxes = world.query<Box>().watch();
    auto loose = world.query<Loose>().watch();
    CHECK(boxes.added().empty());
    CHECK(boxes.changed().empty());
    CHECK(boxes.removed().empty());
    CHECK(loose.added().empty());
    CHECK(loose.changed().empty());
}

TEST_CASE("added, removed and changed, each entity at most once, until they are cleared") {
    World world;
    const Entity old = world.spawn(Box{}, Place{});
    auto boxes = world.query<Box, const Place>().watch();
    const Entity e = world.spawn(Box{}, Place{});
    CHECK(ids(boxes.added()) == Ids{e});
    world.remove<Box>(e);
    world.add<Box>(e);
    world.remove<Box>(e);
    world.add<Box>(e);
    CHECK(ids(boxes.added()) == Ids{e});
    CHECK(ids(boxes.removed()) == Ids{e});
    world.get<Box>(old).size = 1;
    world.get<Place>(old).x = 1;
    CHECK(ids(boxes.changed()) == Ids{old});
    world.get<Box>(old).size = 2;
    CHECK(ids(boxes.changed()) == Ids{old});
    boxes.clear();
    CHECK(boxes.added().empty());
    CHECK(boxes.removed().empty());
    CHECK(boxes.changed().empty());
    world.get<Box>(old).size = 3;
    CHECK(ids(boxes.changed()) == Ids{old});
}

TEST_CASE("added and removed in between: in both lists, and not in the results") {
    World world;
    auto query = world.query<Box>();
    auto boxes = query.watch();
    const Entity e = world.spawn(Box{});
    world.despawn(e);
    CHECK(ids(boxes.added()) == Ids{e});
    CHECK(ids(boxes.removed()) == Ids{e});
    CHECK(query.empty());
}

TEST_CASE("entities that take the same index in turn are different entities") {
    World world;
    auto boxes = world.query<Box>().watch();
    Ids all;
    for (int i = 0; i < 300; ++i) {
        all.push_back(world.spawn(Box{}));
        world.get<Box>(all.back()).size = 1;
        world.despawn(all.back());
    }
    CHECK(all[0].index() == all[299].index());
    CHECK(Ids(boxes.added().begin(), boxes.added().end()) == all);
    CHECK(Ids(boxes.removed().begin(), boxes.removed().end()) == all);
    CHECK(Ids(boxes.changed().begin(), boxes.changed().end()) == all);
}

TEST_CASE("replacing is a change, not an addition; adding what is there is neither") {
    World world;
    const Entity e = world.spawn(Box{}, Loose{});
    auto boxes = world.query<Box, Loose>().watch();
    world.add<Box, Loose>(e);
    CHECK(boxes.changed().empty());
    world.set(e, Box{2});
    CHECK(ids(boxes.changed()) == Ids{e});
    boxes.clear();
    world.emplace<Loose>(e, 3);
    CHECK(ids(boxes.changed()) == Ids{e});
    CHECK(boxes.added().empty());
    CHECK(boxes.removed().empty());
}

TEST_CASE("an addition is not a change, whichever way it came; a write after it is") {
    World world;
    auto boxes = world.query<Box, Maybe<Loose>>().watch();
    Ids all{world.spawn(Box{}), world.spawn<Box>(), world.spawn(Box{}, Loose{})};
    const Entity bare = world.spawn();
    world.emplace<Box>(bare, 1);
    all.push_back(bare);
    all.push_back(world.clone(bare));
    all.push_back(world.table<Box>().spawn([](Box& box) { box.size = 4; }));
    const Entity set = world.spawn(Place{});
    world.set(set, Box{}, Tag{});
    all.push_back(set);
    Ids many(5);
    world.spawn_many(std::span{many}, Box{});
    all.insert(all.end(), many.begin(), many.end());
    CHECK(boxes.changed().empty());
    CHECK(ids(boxes.added()) == ids(all));
    world.get<Box>(many[2]).size = 5;
    CHECK(ids(boxes.changed()) == Ids{many[2]});
    CHECK(ids(boxes.added()) == ids(all));
    boxes.clear();
    CHECK(boxes.changed().empty());
}

TEST_CASE("a callback that writes what it was told of: a write after the addition") {
    World world;
    auto query = world.query<Box>();
    const Subscription in = query.on_enter([](Box& box) { box.size = 7; });
    auto boxes = query.watch();
    const Entity e = world.spawn(Box{});
    CHECK(ids(boxes.changed()) == Ids{e});
}

TEST_CASE("lists have an arrival before callbacks hear of it, and a departure after them") {
    World world;
    auto query = world.query<Box>();
    auto boxes = query.watch();
    auto cache = query.cache();
    const Subscription in = query.on_enter([&](Entity e) { CHECK(ids(boxes.added()) == Ids{e}); });
    const Subscription out = query.on_leave([&](Box& box) {
        CHECK(boxes.removed().empty());
        CHECK(cache.size() == 1);
        box.size = 7;
    });
    const Entity e = world.spawn(Box{});
    boxes.clear();
    SUBCASE("despawned") { world.despawn(e); }
    SUBCASE("removed") { world.remove<Box>(e); }
    SUBCASE("cleared") { world.clear(); }
    CHECK(ids(boxes.removed()) == Ids{e});
    CHECK(ids(boxes.changed()) == Ids{e});  // what the callback wrote before the end
    CHECK(cache.size() == 0);
}

TEST_CASE("a removed entity stays in the lists that it is in; a change before the end counts") {
    World world;
    const Entity e = world.spawn(Box{}, Loose{});
    auto boxes = world.query<Box, Loose>().watch();
    const Entity fresh = world.spawn(Box{}, Loose{});
    world.get<Loose>(e).value = 1;
    world.despawn(e);
    world.despawn(fresh);
    CHECK(ids(boxes.changed()) == Ids{e});
    CHECK(ids(boxes.added()) == Ids{fresh});
    CHECK(ids(boxes.removed()) == ids(Ids{e, fresh}));
}

TEST_CASE("an optional component: writes, its coming, and a write before it goes") {
    World world;
    const Entity e = world.spawn(Box{}, Loose{});
    const Entity bare = world.spawn(Box{});
    auto boxes = world.query<Box, Maybe<Loose>>().watch();
    auto narrow = world.query<Box, AnyOf<Loose, Place>>().watch_changes<Loose>();
    world.get<Loose>(e).value = 1;
    world.set(e, Place{});
    world.remove<Loose>(e);
    CHECK(ids(boxes.changed()) == Ids{e});
    CHECK(ids(narrow.changed()) == Ids{e});
    world.set(bare, Loose{});
    CHECK(ids(boxes.changed()) == ids(Ids{e, bare}));
    boxes.clear();
    world.remove<Loose>(bare);
    CHECK(boxes.changed().empty());
    CHECK(boxes.added().empty());
    CHECK(boxes.removed().empty());
}

TEST_CASE("writes to other components do not count, nor those that are narrowed away") {
    World world;
    const Entity e = world.spawn(Box{}, Place{}, Other{}, Loose{});
    auto all = world.query<Box, const Place, With<Loose>>().watch();
    auto narrow = world.query<Box, const Place, With<Loose>>().watch_changes<Box>();
    auto filter = world.query<Box, With<Loose>>().watch_changes<Loose>();
    world.get<Other>(e).x = 1;
    world.get<Loose>(e).value = 1;
    CHECK(all.changed().empty());
    CHECK(ids(filter.changed()) == Ids{e});
    world.get<Place>(e).x = 1;
    CHECK(ids(all.changed()) == Ids{e});
    CHECK(narrow.changed().empty());
    world.get<Box>(e).size = 1;
    CHECK(ids(narrow.changed()) == Ids{e});
    world.set(e, Tag{});
    narrow.clear();
    CHECK(narrow.changed().empty());
}

TEST_CASE("reading is no change; a const term of a watched query may still be written elsewhere") {
    World world;
    const Entity e = world.spawn(Box{});
    auto query = world.query<const Box>();
    auto boxes = query.watch();
    query.each([](const Box&) {});
    static_cast<void>(world.get<const Box>(e));
    world.query<Mut<Box>>().each([](Mut<Box> m) { static_cast<void>(m->size); });
    CHECK(boxes.changed().empty());
    world.query<Mut<Box>>().each([](Mut<Box> m) { m.write().size = 1; });
    CHECK(ids(boxes.changed()) == Ids{e});
    boxes.clear();
    world.query<Box>().each([](Box&) {});
    CHECK(ids(boxes.changed()) == Ids{e});
}

TEST_CASE("what is not watched for is not listed") {
    World world;
    auto query = world.query<Box>();
    auto added = query.watch(WatchFor::added);
    auto removed = query.watch(WatchFor::removed);
    auto changed = query.watch(WatchFor::changed);
    auto moving = query.watch(WatchFor::added | WatchFor::removed);
    const Entity e = world.spawn(Box{});
    world.get<Box>(e).size = 1;
    world.despawn(e);
    CHECK((added.added().size() == 1 && added.removed().empty() && added.changed().empty()));
    CHECK((removed.added().empty() && removed.removed().size() == 1 && removed.changed().empty()));
    CHECK((changed.added().empty() && changed.removed().empty() && changed.changed().size() == 1));
    CHECK((moving.added().size() == 1 && moving.removed().size() == 1 && moving.changed().empty()));
}

TEST_CASE("each watch has lists of its own") {
    World world;
    auto query = world.query<Box>();
    auto first = query.watch();
    const Entity a = world.spawn(Box{});
    auto second = query.watch();
    const Entity b = world.spawn(Box{});
    first.clear();
    world.get<Box>(a).size = 1;
    CHECK(first.added().empty());
    CHECK(ids(second.added()) == Ids{b});
    CHECK(ids(first.changed()) == Ids{a});
    first.clear();
    CHECK(ids(second.changed()) == Ids{a});
}

TEST_CASE("watching inside a walk, and reading the lists inside one") {
    World world;
    const Entity a = world.spawn(Box{});
    const Entity b = world.spawn(Box{});
    std::optional<BoxWatch> boxes;
    auto query = world.query<Box>();
    query.each([&](Entity, Box&) {
        if (!boxes) boxes.emplace(query.watch());
    });
    boxes->clear();
    query.each_until([&](Entity e, Box& box) {
        box.size = 1;
        CHECK(ids(boxes->changed()) == Ids{a});
        return e == a;
    });
    CHECK(ids(boxes->changed()) == Ids{a});
    CHECK(boxes->added().empty());
    CHECK(world.alive(b));
}

TEST_CASE("ghosts: leaving by despawn, and entering as a ghost") {
    World world;
    auto graves = world.query<Grave>().watch();
    auto boxes = world.query<Box>().watch();
    auto haunted = world.query<Grave, Without<Box>>().watch();
    const Entity e = world.spawn(Box{}, Grave{});
    world.despawn(e);
    CHECK(ids(boxes.removed()) == Ids{e});
    CHECK(graves.removed().empty());
    CHECK(ids(haunted.added()) == Ids{e});
    world.get<Grave>(e).value = 3;
    CHECK(ids(graves.changed()) == Ids{e});
    CHECK(ids(haunted.changed()) == Ids{e});
    world.remove<Grave>(e);
    CHECK(ids(graves.removed()) == Ids{e});
    CHECK(ids(haunted.removed()) == Ids{e});
}

TEST_CASE("lists survive the end of a frame; values of what was removed are readable until then") {
    World world;
    auto added = world.query<Place>().watch(WatchFor::added | WatchFor::changed);
    auto boxes = world.query<Box, Maybe<Loose>, Tag, With<Other>>().watch(WatchFor::removed);
    const Entity e = world.spawn(Box{3}, Loose{4}, Tag{}, Other{5}, Place{6});
    world.despawn(e);
    REQUIRE(ids(boxes.removed()) == Ids{e});
    REQUIRE(world.find_removed<Box>(e) != nullptr);
    CHECK(world.find_removed<Box>(e)->size == 3);
    CHECK(world.find_removed<Loose>(e)->value == 4);
    CHECK(world.find_removed<Tag>(e) != nullptr);
    CHECK(world.find_removed<Other>(e)->x == 5);
    CHECK(world.find_removed<Place>(e) == nullptr);  // nobody watches for its removal
    world.end_frame();
    CHECK(world.find_removed<Box>(e) == nullptr);
    CHECK(ids(boxes.removed()) == Ids{e});
    CHECK(ids(added.added()) == Ids{e});
}

TEST_CASE("recorded commands are listed when they are applied") {
    World world;
    auto boxes = world.query<Box>().watch();
    Commands& later = world.commands();
    const Entity e = later.spawn(Box{});
    later.set(e, Box{2});
    later.add<Place>(e);
    CHECK(boxes.added().empty());
    world.flush();
    CHECK(ids(boxes.added()) == Ids{e});
    boxes.clear();
    later.set(e, Box{3});
    world.flush();
    CHECK(ids(boxes.changed()) == Ids{e});
    later.remove<Place>(e);
    later.despawn(e);
    world.flush();
    CHECK(ids(boxes.removed()) == Ids{e});
}

TEST_CASE("watches move, and end in any order with their world") {
    std::optional<World> world(std::in_place);
    auto boxes = world->query<Box>().watch();
    const Entity e = world->spawn(Box{});
    BoxWatch moved = std::move(boxes);
    CHECK(ids(moved.added()) == Ids{e});
    CHECK(boxes.added().empty());  // NOLINT: moved-from is empty
    CHECK(boxes.changed().empty());
    boxes.clear();
    World elsewhere = std::move(*world);
    elsewhere.spawn(Box{});
    CHECK(moved.added().size() == 2);
    {
        auto gone = elsewhere.query<Box, Maybe<Loose>>().watch();
        elsewhere.spawn(Box{});
    }
    elsewhere.spawn(Box{}, Loose{});
    moved = elsewhere.query<Box>().watch();
    elsewhere.spawn(Box{});
    CHECK(moved.added().size() == 1);
    { const World ended = std::move(elsewhere); }
    CHECK(moved.added().empty());
    CHECK(moved.removed().empty());
    CHECK(moved.changed().empty());
    moved.clear();
    BoxWatch empty;
    CHECK(empty.added().empty());
    CHECK(empty.changed().empty());
}

TEST_CASE("a component holds a watch of its own world") {
    struct Holder {
        Watch<Box, Maybe<Loose>> watch;
    };
    World world;
    world.spawn(Holder{world.query<Box, Maybe<Loose>>().watch()});
    world.spawn(Box{});
    const Entity e = world.spawn(Holder{world.query<Box, Maybe<Loose>>().watch()});
    world.despawn(e);
    world.spawn(Box{});
    world.query<Holder>().each([](Holder& holder) { CHECK(holder.watch.added().size() == 2); });
}

TEST_CASE("long lists and many clears") {
    World world;
    auto boxes = world.query<Box>().watch();
    for (int round = 0; round < 200; ++round) {
        Ids made(static_cast<std::size_t>(round) * 7 % 500);
        world.spawn_many(std::span{made}, Box{});
        for (std::size_t i = 0; i < made.size(); i += 2) world.get<Box>(made[i]).size = 1;
        CHECK(boxes.added().size() == made.size());
        CHECK(boxes.changed().size() == (made.size() + 1) / 2);
        world.query<Box>().despawn_all();
        CHECK(boxes.removed().size() == made.size());
        boxes.clear();
    }
}
