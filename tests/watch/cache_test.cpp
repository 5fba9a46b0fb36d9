// Caches: always current, in order, locked while walked.
#include "base/thrown.hpp"

#include <doctest/doctest.h>

#include <stoa/stoa.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

using namespace stoa;
using api_test::throws;

namespace {

struct Health {
    float points = 0;
};
struct Name {
    int number = 0;
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

/// Calls something when it ends.
struct Reader {
    std::function<void()>* read;
    explicit Reader(std::function<void()>* call) : read(call) {}
    Reader(Reader&& other) noexcept : read(std::exchange(other.read, nullptr)) {}
    Reader& operator=(Reader&& other) noexcept {
        std::swap(read, other.read);
        return *this;
    }
    ~Reader() {
        if (read != nullptr) (*read)();
    }
};

using Ids = std::vector<Entity>;

bool weaker(const Health& a, const Health& b) { return a.points < b.points; }

template <class Cache>
Ids all(const Cache& cache) {
    Ids out;
    for (const Entity e : cache) out.push_back(e);
    return out;
}

}  // namespace

TEST_CASE("a cache lists the matches by entity index, and follows every change") {
    World world;
    const Entity a = world.spawn(Health{});
    const Entity b = world.spawn();
    const Entity c = world.spawn(Health{}, Tag{});
    auto cache = world.query<Health>().cache();
    CHECK(cache.size() == 2);
    CHECK(all(cache) == Ids{a, c});
    world.set(b, Health{});
    CHECK(all(cache) == Ids{a, b, c});
    world.despawn(a);
    CHECK(all(cache) == Ids{b, c});
    const Entity again = world.spawn(Health{});
    CHECK(again.index() == a.index());
    CHECK(all(cache) == Ids{again, b, c});
    world.despawn(again);
    const Entity bare = world.spawn();
    CHECK(bare.index() == a.index());
    CHECK(all(cache) == Ids{b, c});
    world.remove<Health>(c);
    world.clear();
    CHECK(cache.empty());
}

TEST_CASE("a sorted cache: by the comparison, ties by index; it sorts again when a key changes") {
    World world;
    const Entity a = world.spawn(Health{3});
    const Entity b = world.spawn(Health{1}, Tag{});
    const Entity c = world.spawn(Health{3});
    const Entity d = world.spawn(Health{2});
    auto cache = world.query<const Health>().cache<Health>(weaker);
    CHECK(all(cache) == Ids{b, d, a, c});
    world.get<Health>(b).points = 9;
    CHECK(all(cache) == Ids{d, a, c, b});
    world.set(c, Health{0});
    CHECK(all(cache) == Ids{c, d, a, b});
    world.query<Health>().each([](Entity, Health& health) { health.points = -health.points; });
    CHECK(all(cache) == Ids{b, a, d, c});
    world.query<Mut<Health>>().fetch(c, [](Mut<Health> m) { m.write().points = -5; });
    CHECK(all(cache) == Ids{b, c, a, d});
    world.query<Health>().set_all(Health{1});
    CHECK(all(cache) == Ids{a, b, c, d});
    CHECK(all(cache.reversed()) == Ids{d, c, b, a});
    CHECK(all(cache.reversed().reversed()) == Ids{a, b, c, d});
    const Entity e = world.spawn(Health{0});
    CHECK(all(cache) == Ids{e, a, b, c, d});
}

TEST_CASE("the key of a sorted cache is taken from the parameters of the comparison") {
    World world;
    const Entity a = world.spawn(Health{3}, Loose{1});
    const Entity b = world.spawn(Health{1}, Loose{2});
    auto query = world.query<const Health, const Loose>();
    static_assert(std::is_same_v<decltype(query.cache(weaker)), decltype(query.cache<Health>(weaker))>);
    struct Stronger {
        bool operator()(Health x, const Health& y) noexcept { return x.points > y.points; }
    };
    const std::function<bool(const Loose&, const Loose&)> by_loose = [](const Loose& x, const Loose& y) {
        return x.value < y.value;
    };
    auto weakest = query.cache(weaker);
    auto strongest = query.cache(Stronger{});
    auto loosest = query.cache(by_loose);
    auto named = query.cache<Loose>([](const auto& x, const auto& y) { return x.value > y.value; });
    CHECK(all(weakest) == Ids{b, a});
    CHECK(all(strongest) == Ids{a, b});
    CHECK(all(loosest) == Ids{a, b});
    CHECK(all(named) == Ids{b, a});
    world.set(b, Health{9}, Loose{0});
    CHECK(all(weakest) == Ids{a, b});
    CHECK(all(strongest) == Ids{b, a});
    CHECK(all(loosest) == Ids{b, a});
    CHECK(all(named) == Ids{a, b});
}

TEST_CASE("a key in a sparse component, in a filter, and of a ghost") {
    World world;
    const Entity a = world.spawn(Loose{2}, Grave{1}, Health{});
    const Entity b = world.spawn(Loose{1}, Grave{2}, Health{});
    auto loose = world.query<Health, With<Loose>>().cache<Loose>(
        [](const Loose& x, const Loose& y) { return x.value < y.value; });
    auto graves =
        world.query<const Grave>().cache<Grave>([](const Grave& x, const Grave& y) { return x.value > y.value; });
    CHECK(all(loose) == Ids{b, a});
    CHECK(all(graves) == Ids{b, a});
    world.get<Loose>(a).value = 0;
    CHECK(all(loose) == Ids{a, b});
    world.despawn(b);
    CHECK(all(loose) == Ids{a});
    CHECK(all(graves) == Ids{b, a});
    world.get<Grave>(b).value = 0;
    CHECK(all(graves) == Ids{a, b});
    int sum = 0;
    graves.each([&](Entity, const Grave& grave) { sum = sum * 10 + grave.value; });
    CHECK(sum == 10);
}

TEST_CASE("each, each_until and collect give what the terms give") {
    World world;
    for (int i = 0; i < 6; ++i) world.spawn(Health{static_cast<float>(5 - i)}, Name{i});
    auto cache = world.query<Name, const Health, Maybe<Loose>>().cache<Health>(weaker);
    std::vector<int> order;
    cache.each([&](const Name& name, const Health&, Loose* none) {
        CHECK(none == nullptr);
        order.push_back(name.number);
    });
    CHECK(order == std::vector<int>{5, 4, 3, 2, 1, 0});
    order.clear();
    CHECK(cache.each_until([&](EntityRef ref, Name& name, const Health&, Loose*) {
        CHECK(ref.alive());
        order.push_back(name.number);
        return name.number == 3;
    }));
    CHECK(order == std::vector<int>{5, 4, 3});
    CHECK_FALSE(cache.each_until([](Name&, const Health&, Loose*) { return false; }));
    Ids out{Entity{}};
    cache.reversed().collect(out);
    CHECK(out.size() == 7);
    CHECK(world.get<const Name>(out[1]).number == 0);
}

TEST_CASE("writing while walking: the list stays for this walk, and the next one sees it") {
    World world;
    for (int i = 0; i < 5; ++i) world.spawn(Health{static_cast<float>(i)});
    auto cache = world.query<Health>().cache<Health>(weaker);
    Ids before = all(cache);
    Ids seen;
    cache.each([&](Entity e, Health& health) {
        health.points = -health.points;
        seen.push_back(e);
        CHECK(cache.size() == 5);
        CHECK(all(cache) == before);  // a walk in a walk
    });
    CHECK(seen == before);
    std::reverse(before.begin(), before.end());
    CHECK(all(cache) == before);
}

TEST_CASE("what a walk over a const term reads does not count as changed") {
    World world;
    world.spawn(Health{1});
    auto changes = world.query<const Health, Changed<Health>>();
    Ids found;
    changes.collect(found);
    auto cache = world.query<const Health>().cache<Health>(weaker);
    cache.each([](const Health&) {});
    CHECK(changes.empty());
    auto writing = world.query<Health>().cache();
    writing.each([](const Health&) {});
    CHECK(changes.count() == 1);
}

TEST_CASE("structure is locked while a cache is walked, and not afterwards") {
    World world;
    const Entity a = world.spawn(Health{});
    auto cache = world.query<Health>().cache();
    int turns = 0;
    cache.each([&](Entity e, Health&) {
        ++turns;
        CHECK(throws(Errc::locked, [&] { world.despawn(e); }));
    });
    for (const Entity e : cache) {
        ++turns;
        CHECK(throws(Errc::locked, [&] { world.add<Tag>(e); }));
        break;
    }
    CHECK_THROWS_AS(cache.each([](Health&) { throw std::runtime_error("stop"); }), std::runtime_error);
    CHECK(turns == 2);
    world.despawn(a);
    CHECK(cache.empty());
}

TEST_CASE("structure is locked inside a comparison") {
    World world;
    for (int i = 0; i < 4; ++i) world.spawn(Health{static_cast<float>(i)});
    int tried = 0;
    auto cache = world.query<Health>().cache<Health>([&](const Health& a, const Health& b) {
        ++tried;
        CHECK(throws(Errc::locked, [&] { world.spawn(); }));
        return a.points < b.points;
    });
    CHECK(cache.size() == 4);
    CHECK(tried > 0);
    world.spawn();
}

TEST_CASE("only what changed is compared") {
    World world;
    Ids made(1000);
    world.spawn_many(std::span{made}, Health{});
    for (std::size_t i = 0; i < made.size(); ++i) world.get<Health>(made[i]).points = static_cast<float>(i);
    int compared = 0;
    auto cache = world.query<Health>().cache<Health>([&](const Health& a, const Health& b) {
        ++compared;
        return a.points < b.points;
    });
    CHECK(cache.size() == 1000);
    compared = 0;
    CHECK(cache.size() == 1000);
    CHECK(compared == 0);
    world.get<Health>(made[500]).points = 3;
    CHECK(all(cache)[4] == made[500]);
    CHECK(compared <= 30);
}

TEST_CASE("a comparison that throws changes nothing, and the next read tries again") {
    World world;
    for (int i = 0; i < 8; ++i) world.spawn(Health{static_cast<float>(i)});
    bool armed = false;
    int count = 0;
    auto cache = world.query<Health>().cache<Health>([&](const Health& a, const Health& b) {
        if (armed && ++count == 5) throw std::runtime_error("no order");
        return a.points < b.points;
    });
    const Ids before = all(cache);
    armed = true;
    const Entity late = world.spawn(Health{-1});
    for (const Entity e : before) world.get<Health>(e).points *= -1;
    CHECK_THROWS_AS(static_cast<void>(cache.size()), std::runtime_error);
    CHECK(cache.size() == 9);
    Ids expected(before.rbegin(), before.rend());
    expected.insert(expected.end() - 1, late);
    std::stable_sort(expected.begin(), expected.end(), [&](Entity a, Entity b) {
        const float x = world.get<const Health>(a).points;
        const float y = world.get<const Health>(b).points;
        return x != y ? x < y : a < b;
    });
    CHECK(all(cache) == expected);
}

TEST_CASE("an inconsistent comparison spoils the order and nothing else") {
    World world;
    unsigned noise = 1;
    auto random = world.query<Health>().cache<Health>([&](const Health&, const Health&) {
        noise = noise * 1664525 + 1013904223;
        return noise >> 31 != 0;
    });
    auto always = world.query<Health>().cache<Health>([](const Health&, const Health&) { return true; });
    auto with_nan = world.query<Health>().cache<Health>(weaker);
    Ids made;
    for (int i = 0; i < 300; ++i) {
        made.push_back(world.spawn(Health{i % 7 == 0 ? std::nanf("") : static_cast<float>(i % 50)}));
        if (i % 11 == 0) {
            for (std::size_t k = 0; k < made.size(); k += 5) world.get<Health>(made[k]).points = static_cast<float>(i);
            CHECK(random.size() == made.size());
            CHECK(always.size() == made.size());
            CHECK(with_nan.size() == made.size());
        }
    }
    for (const auto* cache : {&random, &always, &with_nan}) {
        Ids found = all(*cache);
        std::sort(found.begin(), found.end());
        CHECK(found == made);
    }
}

TEST_CASE("a comparison may read the cache that it sorts") {
    World world;
    for (int i = 0; i < 4; ++i) world.spawn(Health{static_cast<float>(i)});
    std::optional<Cache<Health>> cache;
    std::size_t seen = 99;
    cache = world.query<Health>().cache<Health>([&](const Health& a, const Health& b) {
        seen = cache->size();
        return a.points < b.points;
    });
    CHECK(cache->size() == 4);
    CHECK(seen == 0);
}

TEST_CASE("caches are current inside signals, in both directions") {
    World world;
    auto query = world.query<Health>();
    auto cache = query.cache();
    const auto agrees = [&](Entity e) {
        Ids expected;
        query.ordered().collect(expected);
        CHECK(all(cache) == expected);
        CHECK(std::find(expected.begin(), expected.end(), e) != expected.end());
    };
    const Subscription before_in = query.on_enter(agrees);
    const Subscription before_out = query.on_leave(agrees);
    Ids made(4);
    world.spawn_many(std::span{made}, Health{});
    CHECK(cache.size() == 4);
    world.remove<Health>(made[0]);
    CHECK(cache.size() == 3);
    world.set(made[0], Health{});
    CHECK(cache.size() == 4);
    world.despawn(made[1]);
    CHECK(cache.size() == 3);
    query.despawn_all();
    CHECK(cache.empty());
    world.spawn_many(std::span{made}, Health{});
    world.clear();
    CHECK(cache.empty());
    world.check();
}

TEST_CASE("a cache read in the destructor of a component, in the middle of a change") {
    World world;
    std::optional<Cache<const Health, Without<Reader>>> cache;
    std::vector<std::size_t> sizes;
    std::function<void()> read = [&] { sizes.push_back(cache->size()); };
    cache = world.query<const Health, Without<Reader>>().cache();
    const Entity e = world.spawn(Health{}, Reader(&read));
    CHECK(cache->empty());
    world.remove<Reader>(e);
    CHECK(sizes == std::vector<std::size_t>{1});
    CHECK(cache->size() == 1);
    world.spawn(Health{}, Reader(&read));
    world.clear();
    CHECK(cache->empty());
    cache.reset();
}

TEST_CASE("a family that is not active is not walked; its size is membership") {
    World world;
    auto cache = world.query<Health, Needs<Painter>>().cache();
    world.spawn(Health{});
    CHECK(cache.size() == 1);
    CHECK(all(cache).empty());
    int calls = 0;
    cache.each([&](Health&) { ++calls; });
    CHECK(calls == 0);
    world.set_resource(Painter{});
    cache.each([&](Health&) { ++calls; });
    CHECK(calls == 1);
}

TEST_CASE("handles share a list, are copied and moved, and outlive their world") {
    auto captured = std::make_shared<int>(1);
    std::optional<World> world(std::in_place);
    auto cache = world->query<Health>().cache<Health>(
        [captured](const Health& a, const Health& b) { return a.points < b.points; });
    world->spawn(Health{});
    auto copy = cache;
    auto reversed = cache.reversed();
    auto moved = std::move(cache);
    CHECK(cache.empty());  // NOLINT: moved-from is empty
    CHECK(all(cache).empty());
    cache = copy;
    copy = world->query<Health>().cache();
    CHECK(captured.use_count() == 2);
    CHECK(cache.size() == 1);
    CHECK(copy.size() == 1);
    world.reset();
    CHECK(captured.use_count() == 2);
    CHECK(cache.empty());
    CHECK(all(reversed).empty());
    cache.each([](Health&) { FAIL("nothing is left"); });
    cache = copy;
    moved = copy;
    reversed = copy;
    CHECK(captured.use_count() == 1);
}

TEST_CASE("the last handle may be dropped inside a walk") {
    World world;
    world.spawn_many(5, Health{});
    std::optional<Cache<Health>> cache = world.query<Health>().cache();
    int turns = 0;
    cache->each([&](Health&) {
        cache.reset();
        ++turns;
    });
    CHECK(turns == 5);
    world.spawn(Health{});
}

TEST_CASE("many changes between two reads: the list is made anew") {
    World world;
    auto cache = world.query<Health>().cache<Health>(weaker);
    CHECK(cache.empty());
    Ids made(5000);
    world.spawn_many(std::span{made}, Health{});
    for (std::size_t i = 0; i < made.size(); i += 3) world.despawn(made[i]);
    for (std::size_t i = 1; i < made.size(); i += 3)
        world.get<Health>(made[i]).points = static_cast<float>(i * 7919 % 1000);
    Ids expected;
    world.query<Health>().ordered().collect(expected);
    std::stable_sort(expected.begin(), expected.end(), [&](Entity a, Entity b) {
        return world.get<const Health>(a).points < world.get<const Health>(b).points;
    });
    CHECK(all(cache) == expected);
}
