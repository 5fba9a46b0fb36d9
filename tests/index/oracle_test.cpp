// Indexes against a scan: random verbs of every kind, and after each of them some index is asked for some key, and some
// filtered query is walked; both are compared with going through all rows. A printed seed repeats a run: STOA_SEED.
#include "random_world.hpp"
#include "support/build_kind.hpp"
#include "support/environment.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace stoa;
using namespace index_test;

namespace {

using Ids = std::vector<Entity>;

// The entities whose component passes, by going through all of them.
template <class Component, class Passes>
Ids scan(World& world, Passes&& passes) {
    Ids found;
    world.query<const Component>().each([&](Entity entity, const Component& component) {
        if (passes(component)) found.push_back(entity);
    });
    return found;
}

template <class Index, class Key, class Component, class Get>
void compare(World& world, const Index& index, const Key& key, Get Component::*field) {
    const auto equal = [&](const Component& component) { return component.*field == key; };
    Ids expected = scan<Component>(world, equal);
    REQUIRE(index.count(key) == expected.size());
    const Entity some = index.find(key);
    REQUIRE(static_cast<bool>(some) == !expected.empty());
    if (some) REQUIRE(std::find(expected.begin(), expected.end(), some) != expected.end());
    Ids found;
    index.each(key, [&](Entity entity) { found.push_back(entity); });
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    REQUIRE(found == expected);
}

struct Indexes {
    explicit Indexes(World& world)
        : team(world),
          teams(world),
          heat(world),
          heats(world),
          target(world),
          loose(world),
          looses(world),
          grave(world),
          name(world),
          names(world),
          pair(world),
          pairs(world) {}

    HashIndex<&Unit::team> team;
    OrderedIndex<&Unit::team> teams;
    HashIndex<&Unit::heat> heat;
    OrderedIndex<&Unit::heat> heats;
    HashIndex<&Unit::target> target;
    HashIndex<&Loose::value> loose;
    OrderedIndex<&Loose::value> looses;
    HashIndex<&Grave::value> grave;
    HashIndex<&Name::text> name;
    OrderedIndex<&Name::text> names;
    HashIndex<pair_of> pair;
    OrderedIndex<pair_of> pairs;

    template <class F>
    void each(F&& f) {
        f(team), f(teams), f(heat), f(heats), f(target), f(loose), f(looses), f(grave), f(name), f(names), f(pair),
            f(pairs);
    }
};

void compare_one(World& world, Indexes& all, RandomWorld& random) {
    switch (random.below(11)) {
        case 0:
            return compare(world, all.team, random.team(), &Unit::team);
        case 1:
            return compare(world, all.teams, random.team(), &Unit::team);
        case 2:
            return compare(world, all.heat, random.heat(), &Unit::heat);
        case 3:
            return compare(world, all.heats, random.heat(), &Unit::heat);
        case 4:
            return compare(world, all.target, random.any(), &Unit::target);
        case 5:
            return compare(world, all.loose, random.number(), &Loose::value);
        case 6:
            return compare(world, all.looses, random.number(), &Loose::value);
        case 7:
            return compare(world, all.grave, random.number(), &Grave::value);
        case 8:
            return compare(world, all.name, random.text(), &Name::text);
        case 9:
            return compare(world, all.names, random.text(), &Name::text);
        default: {
            const auto key = pair_of(Unit{random.team(), random.heat(), {}});
            const Ids expected = scan<Unit>(world, [&](const Unit& unit) { return pair_of(unit) == key; });
            REQUIRE(all.pair.count(key) == expected.size());
            REQUIRE(all.pairs.count(key) == expected.size());
        }
    }
}

// A filtered query and the same by hand, in the same order.
template <class... Terms, class Passes>
void compare_where(const Query<Terms...>& query, const Filter& filter, Passes&& passes) {
    Ids expected;
    query.each([&](Entity entity, const auto&...) {
        if (passes(entity)) expected.push_back(entity);
    });
    Ids found;
    query.where(filter).collect(found);
    REQUIRE(found == expected);
    REQUIRE(query.where(filter).count() == expected.size());
    REQUIRE(query.where(filter).first() == (expected.empty() ? Entity{} : expected.front()));
    for (const Entity entity : expected) REQUIRE(query.where(filter).contains(entity));
}

void compare_filter(World& world, Indexes& all, RandomWorld& random) {
    const int team = random.team();
    const int other = random.team();
    const float low = random.heat();
    const float high = random.heat();
    const int number = random.number();
    const std::string text = random.text();
    const auto unit = [&](Entity entity) { return world.find<const Unit>(entity); };
    const auto loose = [&](Entity entity) { return world.find<const Loose>(entity); };
    const auto name = [&](Entity entity) { return world.find<const Name>(entity); };
    switch (random.below(10)) {
        case 0:
            return compare_where(world.query<const Unit>(), all.team == team && all.heats >= low,
                                 [&](Entity e) { return unit(e)->team == team && unit(e)->heat >= low; });
        case 1:
            return compare_where(world.query<const Unit, Without<Name>>(), all.team == team || all.heats < low,
                                 [&](Entity e) { return unit(e)->team == team || unit(e)->heat < low; });
        case 2:
            return compare_where(world.query<>(), all.teams != team,
                                 [&](Entity e) { return unit(e) && unit(e)->team != team; });
        case 3:
            return compare_where(world.query<>(), !(all.heats <= low),
                                 [&](Entity e) { return unit(e) && !(unit(e)->heat <= low); });
        case 4:
            return compare_where(world.query<const Loose>(), all.team.in({team, other}), [&](Entity e) {
                return unit(e) && (unit(e)->team == team || unit(e)->team == other);
            });
        case 5:
            return compare_where(
                world.query<const Unit, const Loose>(), all.heats.between(low, high) && !(all.loose == number),
                [&](Entity e) { return low <= unit(e)->heat && unit(e)->heat <= high && loose(e)->value != number; });
        case 6:
            return compare_where(world.query<With<Name>>(), all.names > text,
                                 [&](Entity e) { return name(e)->text > text; });
        case 7:
            return compare_where(world.query<With<Name>>(), all.name != text && all.names <= "m",
                                 [&](Entity e) { return name(e)->text != text && name(e)->text <= "m"; });
        case 8:
            return compare_where(world.query<const Grave>(), all.grave == number || all.grave == 3, [&](Entity e) {
                return world.get<const Grave>(e).value == number || world.get<const Grave>(e).value == 3;
            });
        default:
            // Three values: where a component is missing, neither a filter nor its opposite holds.
            return compare_where(world.query<>(), !(all.team == team && all.looses >= number), [&](Entity e) {
                return (unit(e) && unit(e)->team != team) || (loose(e) && !(loose(e)->value >= number));
            });
    }
}

void run(std::uint64_t seed, std::uint64_t steps, const WorldOptions& options = {}) {
    CAPTURE(seed);
    World world(options);
    RandomWorld random(world, seed);
    for (int i = 0; i < 50; ++i) random.step();
    Indexes all(world);
    // Asked in the middle of a walk, indexes have to know afterwards what is written from then on.
    bool asked_inside = false;
    random.inside = [&] {
        asked_inside = true;
        for (std::uint32_t i = random.below(3); i-- > 0;) {
            all.each([](const auto& index) { index.refresh(); });
            random.write(random.any());
        }
        all.each([](const auto& index) { index.refresh(); });
    };
    bool silent = false;  // nobody asks for a while
    for (std::uint64_t i = 0; i < steps; ++i) {
        CAPTURE(i);
        random.step();
        if (random.one_in(silent ? 200 : 1500)) silent = !silent;
        if (silent) continue;
        for (int n = std::exchange(asked_inside, false) ? 20 : 1; n > 0; --n) compare_one(world, all, random);
        if (random.one_in(8)) compare_filter(world, all, random);
        if (random.one_in(64)) {
            all.each([](const auto& index) {
                index.refresh();
                REQUIRE(detail::IndexAccess::field_index(index)->check() == nullptr);
                REQUIRE(detail::IndexAccess::field_index(index)->repairs() == 0);
            });
        }
        if (random.one_in(500)) world.check();
    }
}

}  // namespace

TEST_CASE("indexes agree with a scan after every operation") {
    if (const auto seed = stoa_test::number_from_environment("STOA_SEED")) return run(*seed, 50'000);
    const std::uint64_t steps = stoa_test::by_build(100'000, 15'000, 10'000);
    for (std::uint64_t seed = 1; seed <= 9; ++seed) run(seed, steps);
}

TEST_CASE("indexes agree with a scan where the ticks wrap around") {
    run(100, stoa_test::by_build(100'000, 10'000, 10'000), {.first_tick = 0xffffff00u});
}
