// Or: a filter over filters. Its cases; that it works where its parts do: in every walk, in signals, watches, caches
// and filtered queries, and in the access sets of systems. oracle_test.cpp and tracking_oracle_test.cpp compare it with
// models.
#include <doctest/doctest.h>

#include <span>
#include <stoa/stoa.hpp>
#include <string>
#include <vector>

using namespace stoa;

namespace {

struct A {
    int value = 0;
};
struct B {
    int value = 0;
};
struct C {
    int value = 0;
};
struct S {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Grave {
    static constexpr Traits stoa_traits{.cleanup = true};
};
struct Painter {};

using Ids = std::vector<Entity>;

template <class... Terms>
Ids found(const Query<Terms...>& query) {
    Ids out;
    query.collect(out);
    return out;
}

template <class... Terms>
constexpr std::size_t alternatives = detail::Term<Or<Terms...>>::alternative_count;

// Conditions multiply only where a filter has several.
static_assert(alternatives<With<A>, With<B>, Without<C>> == 3);
static_assert(alternatives<With<A, B>, With<C>> == 4);
static_assert(alternatives<With<A, B>, Without<C, S>> == 8);
static_assert(alternatives<AnyOf<A, B>, Lacks<C, S>> == 4);
static_assert(alternatives<Or<With<A>, With<B>>, Or<Changed<A>>> == 3);
static_assert(alternatives<With<A>, With<>> == 0);  // With<> holds always

}  // namespace

TEST_CASE("an Or matches what one of its filters matches, in each kind of walk") {
    World world;
    const Entity a = world.spawn(A{1});
    const Entity b = world.spawn(B{2});
    const Entity both = world.spawn(A{3}, B{4});
    const Entity c = world.spawn(C{5});
    const Entity s = world.spawn(C{6}, S{7});
    CHECK(found(world.query<Or<With<A>, With<B>>>()) == Ids{a, b, both});
    CHECK(found(world.query<Or<With<A, B>, With<S>>>()) == Ids{both, s});
    CHECK(found(world.query<Or<Without<A, B>, With<B>>>()) == Ids{b, both, c, s});
    CHECK(found(world.query<Or<With<A>, Or<With<S>, Lacks<C>>>>()) == Ids{a, b, both, s});
    CHECK(found(world.query<C, Or<With<S>, With<A>>>()) == Ids{s});

    auto query = world.query<Maybe<A>, Or<With<A>, With<S>>>();
    CHECK(found(query.reversed()) == Ids{s, both, a});
    CHECK(query.count() == 3);
    CHECK(query.contains(s));
    CHECK(!query.contains(c));
    CHECK(query.first() == a);
    Ids ranged;
    for (auto [e, value] : query) ranged.push_back(e);
    CHECK(ranged == Ids{a, both, s});
    CHECK(query.fetch(s, [](A* value) { CHECK(value == nullptr); }));
    Ids chunks;
    query.each_chunk(
        [&](std::span<const Entity> ids, std::span<A>) { chunks.insert(chunks.end(), ids.begin(), ids.end()); });
    CHECK(chunks == Ids{a, both, s});
    std::size_t rows = 0;
    world.query<Or<With<A>, With<B>>>().each_table([&](TableRows& table) { rows += table.size(); });
    CHECK(rows == 3);
    CHECK(world.query<Or<With<A>, With<S>>>().add_all<C>() == 2);
    CHECK(world.query<Or<With<A>, With<B>>, Without<C>>().despawn_all() == 1);
    CHECK(!world.alive(b));
}

TEST_CASE("an Or of changes selects rows in which one has changed since the last walk of the handle") {
    World world;
    Ids ids(300);
    world.spawn_many(std::span{ids}, A{}, B{});
    const Entity only_a = world.spawn(A{});
    const Entity neither = world.spawn(C{});
    auto query = world.query<Or<Changed<A>, Changed<B>>>();
    CHECK(found(query).size() == 301);
    CHECK(query.empty());
    world.get<A>(ids[7]).value = 1;
    world.get<B>(ids[200]).value = 1;
    world.get<A>(only_a).value = 1;
    world.get<C>(neither).value = 1;
    auto copy = query;
    CHECK(query.count() == 3);
    CHECK(query.contains(ids[200]));
    CHECK(!query.contains(ids[8]));
    CHECK(found(query) == Ids{ids[7], ids[200], only_a});
    CHECK(query.empty());
    CHECK(found(copy.reversed()) == Ids{only_a, ids[200], ids[7]});
    world.set(only_a, B{});
    CHECK(found(query) == Ids{only_a});
    world.query<A>().each([](A&) {});
    CHECK(found(query).size() == 301);
}

TEST_CASE("an Or mixes changes with the presence of components, in tables and sparse") {
    World world;
    const Entity a = world.spawn(A{});
    const Entity tagged = world.spawn(A{}, C{});
    const Entity loose = world.spawn(A{}, S{});
    auto query = world.query<const A, Or<Changed<A>, With<C>, Changed<S>>>();
    CHECK(found(query).size() == 3);
    CHECK(found(query) == Ids{tagged});
    world.get<S>(loose).value = 1;
    CHECK(found(query) == Ids{loose, tagged});  // it shares the first table
    static_cast<void>(world.get<A>(a));
    CHECK(found(query) == Ids{a, tagged});
    auto added = world.query<Or<Added<C>, Added<S>>, Changed<A>>();
    CHECK(found(added) == Ids{loose, tagged});
    world.add<S>(a);
    CHECK(found(added).empty());
    world.add<C>(a);
    static_cast<void>(world.get<A>(a));
    static_cast<void>(world.get<A>(loose));
    CHECK(found(added) == Ids{a});
}

TEST_CASE("the rows that an Or of changes visits can be written, and walks nest") {
    World world;
    Ids ids(200);
    world.spawn_many(std::span{ids}, A{}, B{});
    auto query = world.query<A, Or<Changed<A>, Changed<B>>>();
    auto inner = query;
    CHECK(found(query).size() == 200);
    CHECK(found(inner).size() == 200);
    for (const Entity e : {ids[1], ids[70], ids[199]}) world.get<B>(e).value = 1;
    Ids outer_walk;
    query.each([&](Entity e, A& value) {
        value.value = 2;
        outer_walk.push_back(e);
        found(inner);
    });
    CHECK(outer_walk == Ids{ids[1], ids[70], ids[199]});
    CHECK(found(query).empty());
}

TEST_CASE("signals, watches and caches of a query with an Or follow its membership") {
    World world;
    auto query = world.query<Maybe<const A>, Or<With<A, B>, With<S>>>();
    int in = 0;
    int out = 0;
    const Subscription enters = query.on_enter([&] { ++in; });
    const Subscription leaves = query.on_leave([&] { ++out; });
    auto watch = query.watch();
    auto cache = query.cache();
    const Entity e = world.spawn(A{});
    CHECK(in == 0);
    world.set(e, B{});
    CHECK(in == 1);
    world.set(e, S{});
    world.remove<B>(e);
    CHECK(in == 1);
    CHECK(out == 0);
    CHECK(cache.size() == 1);
    CHECK(watch.added().size() == 1);
    CHECK(watch.changed().empty());
    world.get<A>(e).value = 4;
    CHECK(watch.changed().size() == 1);
    world.remove<S>(e);
    CHECK(out == 1);
    CHECK(watch.removed().size() == 1);
    CHECK(world.find_removed<S>(e) != nullptr);
    CHECK(cache.empty());
    world.check();
}

TEST_CASE("an Or in families, of ghosts, and beside filters on fields") {
    World world;
    OrderedIndex<&A::value> by_value{world};
    world.spawn(A{1});
    const Entity big = world.spawn(A{5}, B{});
    world.spawn(A{6});
    CHECK(world.query<const A, Or<With<B>, With<S>>>().where(by_value > 2).single() == big);
    auto changed = world.query<const A, Or<Changed<A>, Changed<B>>>();
    found(changed);
    world.get<B>(big).value = 2;
    CHECK(changed.where(by_value > 2).count() == 1);
    CHECK(changed.where(by_value < 2).empty());

    auto family = world.query<Or<With<A>, With<B>>, Needs<Painter>>();
    CHECK(found(family).empty());
    world.set_resource(Painter{});
    CHECK(found(family).size() == 3);

    const Entity ghost = world.spawn(Grave{}, C{});
    world.despawn(ghost);
    CHECK(found(world.query<Or<With<Grave>, With<S>>>()) == Ids{ghost});
    CHECK(found(world.query<Or<Without<Grave>, With<S>>>()).size() == 3);
}

TEST_CASE("systems whose queries an Or keeps apart may overlap, and what it tracks counts as read") {
    World world;
    Schedule schedule{world};
    Phase& phase = schedule.add_phase("logic");
    phase.add("writes_a", [](Query<A, Or<With<B>, With<C>>>) {});
    phase.add("others", [](Query<A, Without<B, C>>) {});
    phase.add("reads_changes", [](Query<Or<Changed<A>, Changed<S>>>) {});
    schedule.update(0.1);
    const SystemReport report = schedule.report().at(2);
    REQUIRE(report.name == "reads_changes");
    CHECK(report.reads.size() == 2);
    CHECK(report.writes.empty());
    const std::string text = schedule.explain();
    CHECK(text.find("may overlap with others") != std::string::npos);
    CHECK(text.find("may overlap with writes_a") != std::string::npos);
    CHECK(text.find("with reads_changes") == std::string::npos);
}
