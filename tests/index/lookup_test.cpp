// What an index finds: keys of every kind, every way to write a value, every way to lose it, and the ends of worlds and
// indexes.
#include "support/build_kind.hpp"
#include "support/fault_allocator.hpp"

#include <doctest/doctest.h>

#include <stoa/stoa.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

using namespace stoa;

namespace {

enum class Team : std::uint8_t { red, blue };
enum Rank { low, high };
struct Unit {
    Team team = Team::red;
    int level = 0;
    bool armed = false;
    Rank rank = low;
    unsigned char small = 0;
    std::int64_t wide = 0;
    double heat = 0;
    Entity target = {};
    const int* where = nullptr;
    char code[4] = {};
    const char* label = nullptr;

    int doubled() const noexcept { return 2 * level; }
};
struct Name {
    std::string text;
};
struct Point {
    int x = 0, y = 0;
    friend bool operator==(const Point&, const Point&) = default;
    friend auto operator<=>(const Point&, const Point&) = default;
};
struct Loose {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Grave {
    int value = 0;
    static constexpr Traits stoa_traits{.cleanup = true};
};
struct Fixed {
    explicit Fixed(int number) : value(number) {}
    Fixed(const Fixed&) = delete;
    Fixed& operator=(const Fixed&) = delete;
    int value;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Other {};

constexpr int tens(const Unit& unit) { return unit.level / 10; }
std::tuple<Team, int, std::string> triple(const Unit& unit) {
    return {unit.team, unit.level, unit.armed ? "armed" : "bare"};
}

template <class Index, class Key>
std::vector<Entity> all_of(const Index& index, const Key& key) {
    std::vector<Entity> found;
    index.each(key, [&](Entity entity) { found.push_back(entity); });
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

template <>
struct std::hash<Point> {
    std::size_t operator()(const Point& point) const { return static_cast<std::size_t>(point.x * 31 + point.y); }
};

TEST_CASE("a member of any kind is a key") {
    World world;
    static const int place = 0;
    HashIndex<&Unit::team> team{world};
    HashIndex<&Unit::armed> armed{world};
    HashIndex<&Unit::rank> rank{world};
    HashIndex<&Unit::small> small{world};
    HashIndex<&Unit::wide> wide{world};
    HashIndex<&Unit::target> target{world};
    HashIndex<&Unit::where> where{world};
    HashIndex<&Unit::code> code{world};
    HashIndex<&Unit::label> label{world};
    const Entity a = world.spawn(Unit{Team::blue, 1, true, high, 44, -1, 0, {}, &place, {'a', 'b', 'c', 'd'}, "label"});
    const Entity b = world.spawn(Unit{.target = a});
    CHECK(team.find(Team::blue) == a);
    CHECK(armed.find(true) == a);
    CHECK(rank.find(high) == a);
    CHECK(small.find(44) == a);
    CHECK(wide.find(-1) == a);
    CHECK(target.find(a) == b);
    CHECK(target.find(Entity{}) == a);
    CHECK(where.find(&place) == a);
    CHECK(code.find("abcd") == a);
    CHECK(code.find("") == b);
    CHECK(label.find("label") == a);
    CHECK(label.find("") == b);  // null is the empty text
}

TEST_CASE("a number that the key cannot hold is found nowhere, and is not taken for another one") {
    World world;
    HashIndex<&Unit::small> small{world};
    OrderedIndex<&Unit::small> order{world};
    world.spawn(Unit{.small = 44});
    world.spawn(Unit{.small = 255});
    CHECK(small.count(300) == 0);  // 300 - 256 is 44
    CHECK(small.count(-1) == 0);
    CHECK(small.count(255LL) == 1);
    const auto all = world.query<Unit>();
    CHECK(all.where(order < 300).count() == 2);
    CHECK(all.where(order > 300).count() == 0);
    CHECK(all.where(order > -1).count() == 2);
    CHECK(all.where(order <= -1).count() == 0);
    CHECK(all.where(order.between(-5, 44)).count() == 1);
    CHECK(all.where(order.between(45, 1000)).count() == 1);
    CHECK(all.where(!(order > 300)).count() == 2);
    CHECK(all.where(order != 300).count() == 2);
}

TEST_CASE("not a number equals nothing, and minus zero equals zero") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    World world;
    HashIndex<&Unit::heat> hash{world};
    OrderedIndex<&Unit::heat> order{world};
    const Entity odd = world.spawn(Unit{.heat = nan});
    const Entity zero = world.spawn(Unit{.heat = -0.0});
    world.spawn(Unit{.heat = std::numeric_limits<double>::infinity()});
    CHECK(hash.count(nan) == 0);
    CHECK(order.count(nan) == 0);
    CHECK(hash.find(0.0) == zero);
    CHECK(order.find(0.0) == zero);
    const auto all = world.query<Unit>();
    CHECK(all.where(order >= -1e308).count() == 2);
    CHECK(all.where(order < nan).count() == 0);
    CHECK(all.where(order.between(nan, 5)).count() == 0);
    CHECK(all.where(hash != 0.0).count() == 2);
    CHECK(all.where(hash != nan).count() == 3);
    CHECK(all.where(!(order < 5)).contains(odd));
    world.get<Unit>(odd).heat = 0.0;
    CHECK(hash.count(-0.0) == 2);
    world.get<Unit>(zero).heat = nan;
    CHECK(hash.count(0.0) == 1);
    CHECK(hash.size() == 3);
}

TEST_CASE("texts are looked up without a copy") {
    World world;
    HashIndex<&Name::text> hash{world};
    OrderedIndex<&Name::text> order{world};
    const Entity a = world.spawn(Name{"a name that is longer than a string keeps in place"});
    world.spawn(Name{"beta"});
    world.spawn(Name{std::string("be\0ta", 5)});
    world.spawn(Name{""});
    CHECK(hash.count("beta") == 1);
    CHECK(order.count(std::string_view("be\0ta", 5)) == 1);
    const std::uint64_t before = stoa_test::allocations_of_thread();
    CHECK(hash.find("a name that is longer than a string keeps in place") == a);
    CHECK(order.find(std::string_view("a name that is longer than a string keeps in place")) == a);
    CHECK_FALSE(hash.find("a name that is longer than a string keeps in places"));
    CHECK(stoa_test::allocations_of_thread() == before);
    CHECK(world.query<Name>().where(order >= "b").count() == 2);
    CHECK(world.query<Name>().where(order < "be\xff").count() == 4);
    const std::vector<std::string> some{"beta", "", "gamma"};
    CHECK(world.query<Name>().where(hash.in(some)).count() == 2);
    CHECK(world.query<Name>().where(hash.in({"beta", "beta"})).count() == 1);
}

TEST_CASE("whole components, functions of them, pairs and tuples are keys") {
    World world;
    HashIndex<whole<Point>> point{world};
    OrderedIndex<whole<Point>> points{world};
    HashIndex<whole<std::string>> text{world};
    HashIndex<whole<Alias<int, struct Age>>> age{world};
    OrderedIndex<tens> by_tens{world};
    HashIndex<&Unit::doubled> doubled{world};
    HashIndex<[](const Unit& unit) { return unit.level % 2 == 0; }> even{world};
    HashIndex<triple> triples{world};
    OrderedIndex<triple> in_triples{world};
    const Entity a = world.spawn(Point{1, 2}, std::string("text"), Alias<int, Age>{7});
    const Entity b = world.spawn(Unit{.level = 34, .armed = true}, Point{1, 3});
    world.spawn(Unit{.level = 5});
    CHECK(point.find(Point{1, 2}) == a);
    CHECK(points.find({1, 2}) == a);
    CHECK(world.query<Point>().where(points > Point{1, 2}).single() == b);
    CHECK(text.find("text") == a);
    CHECK(age.find(7) == a);
    CHECK(by_tens.find(3) == b);
    CHECK(doubled.find(68) == b);
    CHECK(even.find(true) == b);
    CHECK(triples.find({Team::red, 34, "armed"}) == b);
    CHECK(in_triples.count({Team::red, 5, "bare"}) == 1);
    CHECK(world.query<Unit>().where(in_triples >= std::tuple<Team, int, std::string>{Team::red, 6, ""}).single() == b);
}

TEST_CASE("however a value is written, the next lookup sees it") {
    World world;
    HashIndex<&Unit::level> by_level{world};
    const Entity e = world.spawn(Unit{});
    int level = 0;
    const auto seen = [&] {
        return by_level.find(level) == e && by_level.count(level) == 1 && by_level.count(level - 1) == 0;
    };
    const auto next = [&] { return ++level; };
    world.get<Unit>(e).level = next();
    CHECK(seen());
    world.find<Unit>(e)->level = next();
    CHECK(seen());
    world.get_unchecked<Unit>(e).level = next();
    CHECK(seen());
    world.set(e, Unit{.level = next()});
    CHECK(seen());
    world.emplace<Unit>(e, Team::red, next());
    CHECK(seen());
    world.query<Unit>().each([&](Unit& unit) { unit.level = next(); });
    CHECK(seen());
    world.query<Mut<Unit>>().each([&](Mut<Unit> unit) { unit.write().level = next(); });
    CHECK(seen());
    world.query<Unit>().each_chunk([&](std::span<Unit> units) { units[0].level = next(); });
    CHECK(seen());
    for (auto [entity, unit] : world.query<Unit>()) unit.level = next();
    CHECK(seen());
    world.query<Unit>().set_all(Unit{.level = next()});
    CHECK(seen());
    world.commands().set(e, Unit{.level = next()});
    world.flush();
    CHECK(seen());
    world.commands().run([&](World& w) { w.get<Unit>(e).level = next(); });
    world.flush();
    CHECK(seen());
    world.query<Maybe<Unit>>().each([&](Unit* unit) { unit->level = next(); });
    CHECK(seen());
    world.query<Unit>().each_table([&](auto& rows) { rows.template get<Unit>(0).level = next(); });
    CHECK(seen());
    const Entity model = world.spawn(Unit{.level = next()});
    world.copy(model, e);
    CHECK(by_level.count(level) == 2);
    world.despawn(model);
    CHECK(seen());
    world.add<Other>(e);  // another table
    CHECK(seen());
    world.entity(e).set(Unit{.level = next()});
    CHECK(seen());
}

TEST_CASE("writes inside a walk are seen when the run of rows ends, however it ends") {
    World world;
    HashIndex<&Unit::level> by_level{world};
    world.spawn_many(100, Unit{});
    CHECK(by_level.count(0) == 100);
    int n = 0;
    world.query<Unit>().each([&](Unit& unit) {
        unit.level = 1;
        if (++n == 3) CHECK(by_level.count(1) >= 3);
    });
    CHECK(by_level.count(1) == 100);
    n = 0;
    CHECK_THROWS_AS(world.query<Unit>().each([&](Unit& unit) {
        unit.level = 2;
        by_level.find(5);
        if (++n == 50) throw 1;
    }),
                    int);
    CHECK(by_level.count(2) == 50);
    n = 0;
    for (auto [entity, unit] : world.query<Unit>()) {
        unit.level = 3;
        CHECK(by_level.count(3) == static_cast<std::size_t>(++n));
    }
    n = 0;
    world.query<Mut<Unit>>().each([&](Mut<Unit> unit) {
        unit.write().level = 4;
        CHECK(by_level.count(4) == static_cast<std::size_t>(++n));
    });
}

TEST_CASE("whoever loses a component whose value is kept in its place is noted, not searched for") {
    World world;
    world.keep_removed<Fixed>();
    HashIndex<&Fixed::value> index{world};
    const Entity a = world.spawn();
    const Entity b = world.spawn();
    world.emplace<Fixed>(a, 1);
    CHECK(index.find(1) == a);
    world.remove<Fixed>(a);
    world.emplace<Fixed>(b, 2);
    CHECK(index.count(1) == 0);
    CHECK(index.find(2) == b);
    world.despawn(b);
    CHECK(index.count(2) == 0);
    CHECK(detail::IndexAccess::field_index(index)->repairs() == 0);
}

TEST_CASE("whoever loses the component is found no more") {
    World world;
    HashIndex<&Unit::level> by_level{world};
    HashIndex<&Loose::value> by_loose{world};
    HashIndex<&Grave::value> by_grave{world};
    const Entity a = world.spawn(Unit{.level = 1}, Loose{1}, Grave{1});
    const Entity b = world.spawn(Unit{.level = 1}, Loose{1});
    CHECK(by_level.count(1) == 2);
    CHECK(by_loose.count(1) == 2);
    world.despawn(b);
    CHECK(by_level.find(1) == a);
    CHECK(by_loose.count(1) == 1);
    const Entity c = world.spawn(Unit{.level = 1});  // the same index
    CHECK(c.index() == b.index());
    CHECK(all_of(by_level, 1) == std::vector<Entity>{a, c});
    world.remove<Unit>(c);
    CHECK(by_level.count(1) == 1);
    world.add<Unit>(c);
    CHECK(by_level.find(0) == c);
    world.despawn(a);  // a ghost keeps its cleanup components
    CHECK(by_level.count(1) == 0);
    CHECK(by_loose.count(1) == 0);
    CHECK(by_grave.find(1) == a);
    CHECK(world.query<Grave>().where(by_grave == 1).single() == a);
    CHECK(world.query<>().where(by_grave == 1).empty());
    world.remove<Grave>(a);
    CHECK(by_grave.count(1) == 0);
    world.clear();
    CHECK(by_level.size() == 0);
}

TEST_CASE("so many go that nobody counts them") {
    World world;
    HashIndex<&Unit::level> by_level{world};
    OrderedIndex<&Unit::level> in_order{world};
    std::vector<Entity> ids(100'000);
    world.spawn_many(std::span{ids}, Unit{.level = 1});
    CHECK(by_level.count(1) == 100'000);
    CHECK(in_order.count(1) == 100'000);
    for (std::size_t i = 0; i < 90'000; ++i) world.despawn(ids[i]);
    CHECK(by_level.count(1) == 10'000);
    CHECK(in_order.count(1) == 10'000);
    world.query<Unit>().despawn_all();
    CHECK(by_level.count(1) == 0);
    CHECK(detail::IndexAccess::field_index(by_level)->repairs() == 0);
    CHECK(detail::IndexAccess::field_index(in_order)->check() == nullptr);
}

TEST_CASE("an index is made at any time, and several of one field") {
    World world;
    world.spawn_many(3000, Unit{.level = 7});
    HashIndex<&Unit::level> first{world};
    CHECK(first.count(7) == 3000);
    world.query<const Unit>().each_until([&](Entity e, const Unit&) {
        HashIndex<&Unit::level> inside{world};
        CHECK(inside.find(7));
        CHECK(inside.count(7) == 3000);
        world.get<Unit>(e).level = 8;
        CHECK(inside.find(8) == e);
        CHECK(first.find(8) == e);
        return true;
    });
    HashIndex<&Unit::level> second{world};
    CHECK(second.count(8) == 1);
    CHECK(first.count(7) == 2999);
}

TEST_CASE("an index is made when there are a million entities already") {
    const auto n = static_cast<int>(stoa_test::by_build(1'000'000, 200'000, 200'000));
    World world;
    for (int i = 0; i < n; ++i) world.spawn(Unit{.level = i, .wide = i % 1000});
    HashIndex<&Unit::level> by_level{world};
    OrderedIndex<&Unit::wide> by_wide{world};
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        const Entity found = by_level.find(i);
        wrong += !found || world.get<const Unit>(found).level != i;
    }
    CHECK(wrong == 0);
    CHECK_FALSE(by_level.find(n));
    CHECK(by_wide.count(999) == static_cast<std::size_t>(n / 1000));
    const auto some = world.query<const Unit>().where(by_wide.between(10, 19));
    CHECK(some.count() == static_cast<std::size_t>(n / 100));
    Entity last;
    bool in_order = true;
    some.each([&](Entity entity, const Unit& unit) {
        in_order &= last < entity && unit.wide >= 10 && unit.wide < 20;
        last = entity;
    });
    CHECK(in_order);
    CHECK(detail::IndexAccess::field_index(by_level)->check() == nullptr);
    CHECK(detail::IndexAccess::field_index(by_wide)->check() == nullptr);
}

TEST_CASE("an index follows its world, and outlives it") {
    std::optional<HashIndex<&Unit::level>> by_level;
    Filter kept = [&] {
        World world;
        by_level.emplace(world);
        const Entity e = world.spawn(Unit{.level = 3});
        World moved(std::move(world));
        CHECK(by_level->find(3) == e);
        moved.get<Unit>(e).level = 4;
        HashIndex<&Unit::level> taken(std::move(*by_level));
        CHECK(taken.find(4) == e);
        CHECK_FALSE(by_level->find(4));
        CHECK(by_level->size() == 0);
        *by_level = std::move(taken);
        CHECK(by_level->count(4) == 1);
        HashIndex<&Unit::level> shortly{moved};
        Filter filter = shortly == 4;
        { HashIndex<&Unit::level> gone(std::move(shortly)); }
        CHECK(moved.query<Unit>().where(filter).single() == e);  // a filter keeps what it needs
        return filter;
    }();
    CHECK_FALSE(by_level->find(4));
    CHECK(by_level->count(4) == 0);
    CHECK(by_level->empty());
    by_level->each(4, [](Entity) { FAIL("there is nobody"); });
    World other;
    CHECK_THROWS_AS(static_cast<void>(other.query<Unit>().where(kept)), Error);
    CHECK_THROWS_AS(static_cast<void>(other.query<Unit>().where(*by_level == 4)), Error);
    by_level.reset();
}

TEST_CASE("an index of a world that was moved away cannot be made") {
    World world;
    World moved(std::move(world));
    CHECK_THROWS_AS(HashIndex<&Unit::level>{world}, Error);
}

TEST_CASE("indexes of one sparse component are asked in different rhythms") {
    World world;
    std::vector<Entity> ids;
    for (int i = 0; i < 300; ++i) ids.push_back(world.spawn(Loose{i}));
    HashIndex<&Loose::value> often{world};
    HashIndex<&Loose::value> sometimes{world};
    OrderedIndex<&Loose::value> rarely{world};
    auto changed = world.query<Changed<Loose>>();
    std::uint32_t random = 1;
    for (int step = 1; step <= 400; ++step) {
        std::vector<std::size_t> written;
        for (int i = 0; i < step % 3; ++i) {
            random = random * 1664525u + 1013904223u;
            written.push_back((random >> 16) % ids.size());
            world.get<Loose>(ids[written.back()]).value = 1000 * step + i;
        }
        if (step % 50 == 0) {
            world.despawn(ids.front());
            ids.front() = world.spawn(Loose{-step});
        }
        if (step % 3 == 0) changed.each([] {});
        const auto agrees = [&](const auto& index) {
            for (const Entity entity : ids) REQUIRE(index.find(world.get<const Loose>(entity).value) == entity);
            REQUIRE(index.size() == ids.size());
            REQUIRE(detail::IndexAccess::field_index(index)->check() == nullptr);
        };
        agrees(often);
        if (step % 7 == 0) agrees(sometimes);
        if (step % 97 == 0) agrees(rarely);
    }
}

TEST_CASE("nothing is written between lookups that find nothing to catch up with") {
    World world;
    HashIndex<&Unit::level> by_level{world};
    world.spawn_many(1000, Unit{.level = 2});
    by_level.refresh();
    const auto units = world.query<Unit>();
    const std::uint64_t before = stoa_test::allocations_of_thread();
    for (int i = 0; i < 100; ++i) CHECK(by_level.count(2) == 1000);
    for (int i = 0; i < 100; ++i) units.each([](Unit& unit) { unit.armed = true; });
    CHECK(by_level.count(2) == 1000);
    CHECK(stoa_test::allocations_of_thread() == before);
}
