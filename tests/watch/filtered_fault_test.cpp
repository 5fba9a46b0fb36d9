// Memory that runs out, and keys whose comparison throws, under signals, watches and caches of filtered queries. What
// is made is made wholly or not at all; nothing is told twice, and what a failure left out is told by the next try.
#include "allocation_loop.hpp"

#include <doctest/doctest.h>

#include <stoa/stoa.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <set>
#include <span>
#include <utility>
#include <vector>

using namespace stoa;
using stoa_test::AllocationFaults;
using stoa_test::FaultMode;
using stoa_test::loop_allocations;

namespace {

struct Box {
    int size = 0;
};
struct Place {
    int x = 0;
};
struct Loose {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};

// Every comparison may throw at its turn.
struct Key {
    int value = 0;

    friend bool operator<(const Key& a, const Key& b) {
        use();
        return a.value < b.value;
    }
    friend bool operator==(const Key& a, const Key& b) {
        use();
        return a.value == b.value;
    }
    static void use() {
        if (armed > 0 && --armed == 0) throw 1;
    }
    static inline int armed = 0;
};
struct Holder {
    Key key;
};

}  // namespace

template <>
struct std::hash<Key> {
    std::size_t operator()(const Key& key) const {
        Key::use();
        return static_cast<std::size_t>(key.value % 2);
    }
};

namespace {

using Ids = std::vector<Entity>;
using Members = std::set<Entity>;

// Follows a filtered query by everything that there is, and knows who is a member from each.
template <class Filtered>
struct Followed {
    explicit Followed(Filtered filtered)
        : query(std::move(filtered)),
          enters(query.on_enter([this](Entity e) { log.emplace_back(true, e); })),
          leaves(query.on_leave([this](Entity e) { log.emplace_back(false, e); })),
          watch(query.watch()),
          cache(query.cache()) {
        Ids before;
        query.collect(before);
        log.reserve(10'000);  // a callback that runs out of memory would be another matter
        told = listed = Members(before.begin(), before.end());
    }
    Followed(const Followed&) = delete;
    Followed& operator=(const Followed&) = delete;

    // After a flush everybody knows the same.
    void check(World& world) {
        world.flush();
        Ids now;
        query.ordered().collect(now);
        const Members members(now.begin(), now.end());
        bool twice = false;
        for (const auto& [came, e] : log) twice |= came ? !told.insert(e).second : told.erase(e) == 0;
        log.clear();
        CHECK(!twice);
        CHECK(told == members);
        for (const Entity e : watch.removed()) listed.erase(e);
        for (const Entity e : watch.added()) {
            if (members.contains(e)) listed.insert(e);
        }
        CHECK(listed == members);
        Ids cached;
        cache.collect(cached);
        CHECK(cached == now);
        world.check();
    }

    Filtered query;
    Members told;
    Members listed;
    std::vector<std::pair<bool, Entity>> log;
    Subscription enters;
    Subscription leaves;
    decltype(std::declval<Filtered>().watch()) watch;
    decltype(std::declval<Filtered>().cache()) cache;
};
template <class Filtered>
Followed(Filtered) -> Followed<Filtered>;

struct Scene {
    World world;
    HashIndex<&Box::size> by_size{world};
    OrderedIndex<&Loose::value> by_value{world};
    Entity passing = world.spawn(Box{1}, Place{});
    Entity failing = world.spawn(Box{0}, Place{});
    Entity bare = world.spawn(Place{});
    Entity loose = world.spawn(Place{}, Loose{5});
    Followed<Filtered<Box>> boxes{world.query<Box>().where(by_size == 1)};
    Followed<Filtered<Place>> either{world.query<Place>().where(by_size == 1 || by_value > 3)};

    void check() {
        boxes.check(world);
        either.check(world);
    }
};

}  // namespace

TEST_CASE("subscribing to, watching and caching a filtered query without memory") {
    const std::vector<std::function<void(Scene&)>> makers{
        [](Scene& s) { auto made = s.either.query.on_enter([kept = std::make_shared<int>(1)] {}); },
        [](Scene& s) { auto made = s.either.query.on_leave([] {}); },
        [](Scene& s) { auto made = s.either.query.watch(); },
        [](Scene& s) { auto made = s.boxes.query.watch_changes<Box>(); },
        [](Scene& s) { auto made = s.either.query.cache(); },
        [](Scene& s) {
            auto made = s.boxes.query.cache<Box>(
                [kept = std::make_shared<int>(1)](const Box& a, const Box& b) { return a.size < b.size; });
        },
    };
    for (std::size_t maker = 0; maker < makers.size(); ++maker) {
        CAPTURE(maker);
        for (const FaultMode mode : {FaultMode::once, FaultMode::persistent}) {
            loop_allocations([&](std::uint64_t nth) {
                Scene scene;
                bool fired = false;
                {
                    AllocationFaults faults(nth, mode);
                    try {
                        makers[maker](scene);
                    } catch (const std::bad_alloc&) {
                    }
                    fired = faults.fired();
                }
                scene.world.spawn(Box{1});
                scene.world.get<Box>(scene.failing).size = 1;
                scene.check();
                return !fired;
            });
        }
    }
}

TEST_CASE("changes, writes, reads and flushes without memory: nothing is lost and nothing told twice") {
    const std::vector<std::function<void(Scene&)>> verbs{
        [](Scene& s) { s.world.spawn(Box{1}, Place{}); },
        [](Scene& s) { s.world.spawn_many(3000, Box{1}, Place{}); },
        [](Scene& s) { s.world.set(s.bare, Box{1}); },
        [](Scene& s) { s.world.set(s.bare, Loose{7}); },
        [](Scene& s) { s.world.remove<Box>(s.passing); },
        [](Scene& s) { s.world.remove<Loose>(s.loose); },
        [](Scene& s) { s.world.despawn(s.passing); },
        [](Scene& s) { s.world.clear(); },
        [](Scene& s) { s.world.get<Box>(s.failing).size = 1, s.world.flush(); },
        [](Scene& s) { s.world.get<Box>(s.passing).size = 3, static_cast<void>(s.boxes.watch.removed()); },
        [](Scene& s) { s.world.get<Box>(s.passing).size = 3, static_cast<void>(s.boxes.cache.size()); },
        [](Scene& s) { s.world.get<Loose>(s.loose).value = 0, s.either.watch.clear(); },
    };
    for (std::size_t verb = 0; verb < verbs.size(); ++verb) {
        CAPTURE(verb);
        for (const FaultMode mode : {FaultMode::once, FaultMode::persistent}) {
            loop_allocations([&](std::uint64_t nth) {
                Scene scene;
                bool fired = false;
                {
                    AllocationFaults faults(nth, mode);
                    try {
                        verbs[verb](scene);
                    } catch (const std::bad_alloc&) {
                    }
                    fired = faults.fired();
                }
                // A watch that was cleared has dropped what it listed.
                Ids listed;
                scene.either.query.collect(listed);
                if (verb == 11) scene.either.listed = Members(listed.begin(), listed.end());
                scene.check();
                return !fired;
            });
        }
    }
}

namespace {

// Does something with a comparison that throws at the n-th call, for every n, and then lets everybody catch up.
template <class Index, class Verb>
void throw_everywhere(Verb&& verb) {
    for (int at = 1;; ++at) {
        CAPTURE(at);
        World world;
        Index index{world};
        Ids ids(12);
        world.spawn_many(std::span{ids}, Holder{}, Place{});
        for (std::size_t i = 0; i < ids.size(); ++i) world.get<Holder>(ids[i]).key.value = static_cast<int>(i % 4);
        Followed followed(world.query<Place>().where(index == Key{1} || index.in({Key{3}, Key{7}})));
        Key::armed = at;
        try {
            verb(world, ids, followed);
        } catch (int) {
        }
        const bool ended = Key::armed > 0;
        Key::armed = 0;
        followed.check(world);
        if (ended) return;
    }
}

}  // namespace

TEST_CASE_TEMPLATE("a comparison that throws: the verb is done, and who missed it is told by the next try", Index,
                   HashIndex<&Holder::key>, OrderedIndex<&Holder::key>) {
    throw_everywhere<Index>([](World& world, Ids&, auto&) { world.spawn(Place{}, Holder{Key{1}}); });
    throw_everywhere<Index>([](World& world, Ids& ids, auto&) { world.remove<Holder>(ids[1]); });
    throw_everywhere<Index>([](World& world, Ids& ids, auto&) { world.despawn(ids[1]); });
    throw_everywhere<Index>([](World& world, Ids& ids, auto&) {
        for (const Entity e : ids) world.get<Holder>(e).key.value = (world.get<const Holder>(e).key.value + 1) % 4;
        world.flush();
    });
    throw_everywhere<Index>([](World& world, Ids& ids, auto& followed) {
        for (const Entity e : ids) world.get<Holder>(e).key.value = 1;
        static_cast<void>(followed.watch.added());
        for (const Entity e : ids) world.get<Holder>(e).key.value = 0;
        static_cast<void>(followed.cache.size());
        static_cast<void>(followed.watch.added());
    });
    throw_everywhere<Index>([](World&, Ids&, auto& followed) {
        auto watch = followed.query.watch();
        const Subscription subscription = followed.query.on_enter([] {});
        auto cache = followed.query.cache();
        static_cast<void>(cache.size());
    });
}

TEST_CASE("a verb does not throw what a comparison throws; a flush and a read do") {
    World world;
    HashIndex<&Holder::key> index{world};
    const Entity e = world.spawn(Place{}, Holder{Key{1}});
    auto query = world.query<Place>().where(index == Key{1});
    auto watch = query.watch();
    int told = 0;
    const Subscription enters = query.on_enter([&] { ++told; });
    Key::armed = 1;
    CHECK_NOTHROW(world.spawn(Place{}, Holder{Key{1}}));
    CHECK(Key::armed == 0);
    CHECK(watch.added().size() == 1);
    world.flush();
    CHECK(told == 1);
    world.get<Holder>(e).key.value = 2;
    Key::armed = 1;
    CHECK_THROWS_AS(world.flush(), int);
    world.get<Holder>(e).key.value = 3;
    Key::armed = 1;
    CHECK_THROWS_AS(static_cast<void>(watch.removed()), int);
    CHECK(watch.removed().size() == 1);
}

TEST_CASE("a comparison may read the watch and the cache that call it") {
    static std::function<void()> inside;
    struct Curious {
        int value = 0;
        bool operator==(const Curious& other) const {
            if (inside) inside();
            return value == other.value;
        }
        bool operator<(const Curious& other) const {
            if (inside) inside();
            return value < other.value;
        }
    };
    struct Owner {
        Curious key;
    };
    World world;
    OrderedIndex<&Owner::key> index{world};
    Ids ids(20);
    world.spawn_many(std::span{ids}, Owner{});
    auto query = world.query<Owner>().where(index >= Curious{5});
    auto watch = query.watch();
    auto cache = query.cache();
    for (std::size_t i = 0; i < ids.size(); ++i) world.get<Owner>(ids[i]).key.value = static_cast<int>(i);
    inside = [&] {
        static_cast<void>(watch.added());
        static_cast<void>(watch.changed());
        static_cast<void>(cache.size());
        CHECK_THROWS_AS(world.despawn(ids[0]), Error);
    };
    CHECK(watch.added().size() == 15);
    CHECK(cache.size() == 15);
    inside = nullptr;
}
