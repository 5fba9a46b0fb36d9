// Brute force: random filters over all subsets of eight components, table and sparse, against a plain loop over has(),
// with structural changes and collected tables in between; and that equal queries share their state.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <stoa/stoa.hpp>
#include <vector>

#include "support/random.hpp"

using namespace stoa;

namespace {

template <int I>
struct Table {
    int value = I;
};
template <int I>
struct Sparse {
    int value = I;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Tag {};

using A = Table<0>;
using B = Table<1>;
using C = Table<2>;
using D = Table<3>;
using S = Sparse<0>;
using T = Sparse<1>;
using U = Sparse<2>;

// One query beside the condition that it stands for.
struct Case {
    std::function<std::vector<Entity>(World&)> matches;
    std::function<bool(const World&, Entity)> expected;
};

template <class... Terms>
Case make_case(std::function<bool(const World&, Entity)> expected) {
    return {[](World& world) {
                std::vector<Entity> out;
                const auto query = world.query<Terms...>();
                query.collect(out);
                std::size_t walked = 0;
                query.each([&](EntityRef, auto&&...) { ++walked; });
                REQUIRE(walked == out.size());
                REQUIRE(query.count() == out.size());
                REQUIRE(query.empty() == out.empty());
                for (const Entity e : out) REQUIRE(query.contains(e));
                return out;
            },
            std::move(expected)};
}

std::vector<Case> cases() {
    std::vector<Case> all;
    all.push_back(make_case<>([](const World&, Entity) { return true; }));
    all.push_back(make_case<A>([](const World& w, Entity e) { return w.has<A>(e); }));
    all.push_back(make_case<const A, B>([](const World& w, Entity e) { return w.has<A, B>(e); }));
    all.push_back(make_case<B, Without<A>>([](const World& w, Entity e) { return w.has<B>(e) && !w.has<A>(e); }));
    all.push_back(make_case<Without<A, B>>([](const World& w, Entity e) { return !w.has_any<A, B>(e); }));
    all.push_back(make_case<S>([](const World& w, Entity e) { return w.has<S>(e); }));
    all.push_back(make_case<S, const T>([](const World& w, Entity e) { return w.has<S, T>(e); }));
    all.push_back(make_case<A, S>([](const World& w, Entity e) { return w.has<A, S>(e); }));
    all.push_back(make_case<A, Without<S>>([](const World& w, Entity e) { return w.has<A>(e) && !w.has<S>(e); }));
    all.push_back(
        make_case<S, Without<T, A>>([](const World& w, Entity e) { return w.has<S>(e) && !w.has_any<T, A>(e); }));
    all.push_back(make_case<AnyOf<A, B>>([](const World& w, Entity e) { return w.has_any<A, B>(e); }));
    all.push_back(make_case<AnyOf<A, S>>([](const World& w, Entity e) { return w.has_any<A, S>(e); }));
    all.push_back(
        make_case<C, AnyOf<S, T>>([](const World& w, Entity e) { return w.has<C>(e) && w.has_any<S, T>(e); }));
    all.push_back(make_case<AnyOf<A, B>, AnyOf<T, U>, Without<Tag>>(
        [](const World& w, Entity e) { return w.has_any<A, B>(e) && w.has_any<T, U>(e) && !w.has<Tag>(e); }));
    all.push_back(make_case<Lacks<A, B>>([](const World& w, Entity e) { return !w.has<A, B>(e); }));
    all.push_back(make_case<C, Lacks<A, S>, AnyOf<B, T>>(
        [](const World& w, Entity e) { return w.has<C>(e) && !w.has<A, S>(e) && w.has_any<B, T>(e); }));
    all.push_back(
        make_case<Lacks<S, T>, Without<U>>([](const World& w, Entity e) { return !w.has<S, T>(e) && !w.has<U>(e); }));
    all.push_back(
        make_case<Or<With<A, B>, Without<C>>>([](const World& w, Entity e) { return w.has<A, B>(e) || !w.has<C>(e); }));
    all.push_back(make_case<D, Or<With<A, S>, Without<B, T>, AnyOf<C, U>>>([](const World& w, Entity e) {
        return w.has<D>(e) && (w.has<A, S>(e) || !w.has_any<B, T>(e) || w.has_any<C, U>(e));
    }));
    all.push_back(make_case<Or<Or<With<S>, Lacks<A, B>>, Or<With<T, Tag>>>, Or<With<A>, Without<A>>>(
        [](const World& w, Entity e) { return w.has<S>(e) || !w.has<A, B>(e) || w.has<T, Tag>(e); }));
    all.push_back(make_case<Maybe<const A>, Or<With<S, T>, With<T, U>, With<U, S>>>(
        [](const World& w, Entity e) { return w.has<S>(e) + w.has<T>(e) + w.has<U>(e) >= 2; }));
    all.push_back(make_case<Or<With<A>, Tag>, Without<B>>(
        [](const World& w, Entity e) { return w.has_any<A, Tag>(e) && !w.has<B>(e); }));
    all.push_back(make_case<Tag, Maybe<A>, Maybe<const S>>([](const World& w, Entity e) { return w.has<Tag>(e); }));
    all.push_back(make_case<With<A, Tag>, D>([](const World& w, Entity e) { return w.has<A, D, Tag>(e); }));
    all.push_back(
        make_case<U, With<D>, Without<B>>([](const World& w, Entity e) { return w.has<U, D>(e) && !w.has<B>(e); }));
    return all;
}

template <class X>
void flip(World& world, Entity e) {
    if (!world.remove<X>(e)) world.add<X>(e);
}

void change(World& world, std::vector<Entity>& ids, stoa_test::Random& random) {
    const std::uint32_t kind = random.below(20);
    if (ids.empty() || kind < 3) {
        ids.push_back(world.spawn());
        return;
    }
    const std::size_t at = random.below(static_cast<std::uint32_t>(ids.size()));
    const Entity e = ids[at];
    switch (kind) {
        case 3:
            world.despawn(e);
            ids[at] = ids.back();
            ids.pop_back();
            return;
        case 4:
            if (random.below(8) == 0) world.shrink_to_fit();
            return;
        case 5:
        case 6:
            return flip<A>(world, e);
        case 7:
        case 8:
            return flip<B>(world, e);
        case 9:
        case 10:
            return flip<C>(world, e);
        case 11:
        case 12:
            return flip<D>(world, e);
        case 13:
        case 14:
            return flip<S>(world, e);
        case 15:
        case 16:
            return flip<T>(world, e);
        case 17:
            return flip<U>(world, e);
        default:
            return flip<Tag>(world, e);
    }
}

}  // namespace

TEST_CASE("every query agrees with a plain loop over all entities, after random changes") {
    const std::vector<Case> all = cases();
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        CAPTURE(seed);
        stoa_test::Random random(seed);
        World world;
        std::vector<Entity> ids;
        for (int step = 0; step < 1500; ++step) {
            change(world, ids, random);
            if (step % 15 != 0) continue;
            CAPTURE(step);
            for (std::size_t i = 0; i < all.size(); ++i) {
                CAPTURE(i);
                std::vector<Entity> expected;
                for (const Entity e : ids) {
                    if (all[i].expected(world, e)) expected.push_back(e);
                }
                std::vector<Entity> found = all[i].matches(world);
                std::sort(expected.begin(), expected.end());
                std::sort(found.begin(), found.end());
                REQUIRE(found == expected);
            }
        }
        world.check();
    }
}

TEST_CASE("equal queries share their state in any order of terms, and however they use a component") {
    World world;
    static_cast<void>(world.query<A, const B, Without<C>>());
    const std::size_t before = world.stats().queries;
    static_cast<void>(world.query<Without<C>, B, A>());
    static_cast<void>(world.query<With<A, B>, Without<C>>());
    static_cast<void>(world.query<A, B, Maybe<D>, Without<C>>());
    CHECK(world.stats().queries == before);
    static_cast<void>(world.query<A, B>());
    CHECK(world.stats().queries == before + 1);
    static_cast<void>(world.query<A, Or<With<B>>>());
    static_cast<void>(world.query<A, Or<With<B>, With<B, C>>, With<B>, Or<With<D>, With<>>>());
    CHECK(world.stats().queries == before + 2);
    static_cast<void>(world.query<A, AnyOf<B, C>>());
    static_cast<void>(world.query<A, Or<With<C>, With<B>>>());
    static_cast<void>(world.query<A, Or<With<B>, Or<With<C>, With<B>>>>());
    CHECK(world.stats().queries == before + 3);
    static_cast<void>(world.query<Or<Changed<A>, Changed<B>>>());
    static_cast<void>(world.query<Or<Changed<B>, Changed<A>>, AnyOf<A, B>>());
    CHECK(world.stats().queries == before + 4);
    static_cast<void>(world.query<Or<Changed<A>, Added<B>>>());
    CHECK(world.stats().queries == before + 5);
    static_cast<void>(world.query<Changed<A>>());
    static_cast<void>(world.query<Or<Changed<A>, Changed<A>>, A>());
    CHECK(world.stats().queries == before + 6);
}

TEST_CASE("a table that comes after the query is seen, and one that was collected is gone") {
    World world;
    auto query = world.query<const A>();
    CHECK(query.count() == 0);
    const Entity e = world.spawn(A{}, D{});
    CHECK(query.count() == 1);
    world.despawn(e);
    world.shrink_to_fit();
    CHECK(query.count() == 0);
    world.spawn(A{}, B{});
    world.spawn(A{}, D{});
    CHECK(query.count() == 2);
}
