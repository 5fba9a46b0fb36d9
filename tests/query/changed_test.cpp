// Changed: each way to hand out a component for writing is seen by the next walk, row by row, and no way to read is.
#include <doctest/doctest.h>

#include <span>
#include <stdexcept>
#include <stoa/stoa.hpp>
#include <utility>
#include <vector>

#include "support/matches.hpp"

using namespace stoa;
using stoa_test::collected;
using stoa_test::Entities;
using stoa_test::sorted;
using stoa_test::walked;

namespace {

struct Number {
    int value = 0;
};
struct Other {
    int value = 0;
};

using Watcher = Query<Changed<Number>>;

// Eight numbers in two tables: those at even places also have an Other. One more entity has no number.
struct Scene {
    World world;
    Entities ids;
    Entity other;
    Watcher changed;

    Scene() : changed(world.query<Changed<Number>>()) {
        for (int i = 0; i < 8; ++i)
            ids.push_back(i % 2 == 0 ? world.spawn(Number{i}, Other{i}) : world.spawn(Number{i}));
        other = world.spawn(Other{9});
        collected(changed);
    }
};

// One way to touch the numbers of a scene, and which of its entities it writes.
struct Way {
    const char* name;
    void (*run)(Scene&);
    Entities (*written)(const Scene&);
};

Entities nobody(const Scene&) { return {}; }
Entities third(const Scene& scene) { return {scene.ids[3]}; }
Entities everybody(const Scene& scene) { return sorted(scene.ids); }
Entities odd_ones(const Scene& scene) { return sorted({scene.ids[1], scene.ids[3], scene.ids[5], scene.ids[7]}); }
Entities even_ones(const Scene& scene) { return sorted({scene.ids[0], scene.ids[2], scene.ids[4], scene.ids[6]}); }

void try_ways(std::span<const Way> ways) {
    for (const Way& way : ways) {
        CAPTURE(way.name);
        Scene scene;
        way.run(scene);
        CHECK(walked(scene.changed) == way.written(scene));
        CHECK(walked(scene.changed).empty());
        way.run(scene);  // the ticks of the first time do not hide the second
        CHECK(collected(scene.changed) == way.written(scene));
        CHECK(collected(scene.changed).empty());
        scene.world.check();
    }
}

}  // namespace

TEST_CASE("the first walk with Changed sees everything, the next one nothing") {
    World world;
    Entities ids;
    for (int i = 0; i < 100; ++i) ids.push_back(i % 3 == 0 ? world.spawn(Number{i}) : world.spawn(Number{i}, Other{}));
    world.spawn(Other{});
    auto changed = world.query<Changed<Number>>();
    CHECK(walked(changed) == sorted(ids));
    CHECK(walked(changed).empty());
    CHECK(changed.count() == 0);
    CHECK(changed.empty());
}

TEST_CASE("each way to write the component of one entity is seen by Changed") {
    const Way ways[] = {
        {"get", [](Scene& s) { s.world.get<Number>(s.ids[3]).value = 30; }, third},
        {"get without a write", [](Scene& s) { static_cast<void>(s.world.get<Number>(s.ids[3])); }, third},
        {"find", [](Scene& s) { s.world.find<Number>(s.ids[3])->value = 30; }, third},
        {"get_value", [](Scene& s) { s.world.get_value<Number>(s.ids[3]) = 30; }, third},
        {"get_unchecked", [](Scene& s) { s.world.get_unchecked<Number>(s.ids[3]).value = 30; }, third},
        {"set", [](Scene& s) { s.world.set(s.ids[3], Number{30}); }, third},
        {"set with another", [](Scene& s) { s.world.set(s.ids[3], Other{1}, Number{30}); }, third},
        {"emplace", [](Scene& s) { s.world.emplace<Number>(s.ids[3], 30); }, third},
        {"ref get", [](Scene& s) { s.world.entity(s.ids[3]).get<Number>().value = 30; }, third},
        {"ref find", [](Scene& s) { s.world.entity(s.ids[3]).find<Number>()->value = 30; }, third},
        {"ref set", [](Scene& s) { s.world.entity(s.ids[3]).set(Number{30}); }, third},
        {"ref emplace", [](Scene& s) { s.world.entity(s.ids[3]).emplace<Number>(30); }, third},
        {"copy", [](Scene& s) { s.world.copy(s.ids[0], s.ids[3]); }, third},
        {"fetch", [](Scene& s) { s.world.query<Number>().fetch(s.ids[3], [](Number& n) { n.value = 30; }); }, third},
    };
    try_ways(ways);
}

TEST_CASE("each way to walk over T writes the rows it hands out") {
    const Way ways[] = {
        {"each", [](Scene& s) { s.world.query<Number>().each([](Number& n) { ++n.value; }); }, everybody},
        {"each with an id", [](Scene& s) { s.world.query<Number>().each([](Entity, Number& n) { ++n.value; }); },
         everybody},
        {"each with a ref", [](Scene& s) { s.world.query<Number>().each([](EntityRef, Number& n) { ++n.value; }); },
         everybody},
        {"each_chunk", [](Scene& s) { s.world.query<Number>().each_chunk([](std::span<Number>) {}); }, everybody},
        {"each_until", [](Scene& s) { s.world.query<Number>().each_until([](Number&) { return false; }); }, everybody},
        {"reversed", [](Scene& s) { s.world.query<Number>().reversed().each([](Number& n) { ++n.value; }); },
         everybody},
        {"ordered", [](Scene& s) { s.world.query<Number>().ordered().each([](Number& n) { ++n.value; }); }, everybody},
        {"range-for",
         [](Scene& s) {
             for (auto [entity, number] : s.world.query<Number>()) ++number.value;
         },
         everybody},
        {"set_all", [](Scene& s) { s.world.query<Number>().set_all(Number{4}); }, everybody},
        {"a filtered walk", [](Scene& s) { s.world.query<Number, With<Other>>().each([](Number& n) { ++n.value; }); },
         even_ones},
        {"a table handle", [](Scene& s) { s.world.table<Number>().each([](Number& n) { ++n.value; }); }, odd_ones},
    };
    try_ways(ways);
}

TEST_CASE("Maybe<T> writes where the component is present, Mut<T> where write is called") {
    const Way ways[] = {
        {"Maybe",
         [](Scene& s) {
             s.world.query<const Other, Maybe<Number>>().each(
                 [](const Other&, Number* n) { n != nullptr ? ++n->value : 0; });
         },
         even_ones},
        {"Mut",
         [](Scene& s) {
             s.world.query<Mut<Number>>().each([&](Entity e, Mut<Number> n) {
                 if (e == s.ids[3]) n.write().value = n->value + 1;
             });
         },
         third},
        {"Mut in a range-for",
         [](Scene& s) {
             for (auto [e, n] : s.world.query<Mut<Number>>()) {
                 if (e == s.ids[3]) n.write().value = (*n).value + 1;
             }
         },
         third},
        {"Mut in each_until",
         [](Scene& s) {
             s.world.query<Mut<Number>>().each_until(
                 [&](Entity e, Mut<Number> n) { return e == s.ids[3] && n.write().value++ > 0; });
         },
         third},
        {"Mut in fetch",
         [](Scene& s) { s.world.query<Mut<Number>>().fetch(s.ids[3], [](Mut<Number> n) { ++n.write().value; }); },
         third},
        {"Mut, every row",
         [](Scene& s) { s.world.query<Mut<Number>>().each([](Mut<Number> n) { ++n.write().value; }); }, everybody},
    };
    try_ways(ways);
}

TEST_CASE("the rows of an unlocked walk are written one by one") {
    const Way ways[] = {
        {"get",
         [](Scene& s) {
             s.world.query<const Other>().each_table([](auto& rows) {
                 for (std::size_t i = 0; i < rows.size(); ++i) {
                     if (rows.template find<const Number>(i) != nullptr) rows.template get<Number>(i).value = 5;
                 }
             });
         },
         even_ones},
        {"find",
         [](Scene& s) {
             s.world.query<const Other>().each_table([&](auto& rows) {
                 for (std::size_t i = 0; i < rows.size(); ++i) {
                     if (rows.entity(i) == s.ids[2]) rows.template find<Number>(i)->value = 5;
                 }
             });
         },
         [](const Scene& s) { return Entities{s.ids[2]}; }},
        {"reads",
         [](Scene& s) {
             s.world.query<const Other>().each_table([](auto& rows) {
                 for (std::size_t i = 0; i < rows.size(); ++i) static_cast<void>(rows.template find<const Number>(i));
             });
         },
         nobody},
    };
    try_ways(ways);
}

TEST_CASE("reading is no change") {
    const Way ways[] = {
        {"get", [](Scene& s) { static_cast<void>(s.world.get<const Number>(s.ids[3])); }, nobody},
        {"find", [](Scene& s) { static_cast<void>(s.world.find<const Number>(s.ids[3])); }, nobody},
        {"get_value", [](Scene& s) { static_cast<void>(s.world.get_value<const Number>(s.ids[3])); }, nobody},
        {"has", [](Scene& s) { static_cast<void>(s.world.has<Number>(s.ids[3]) && s.world.has_any<Number>(s.ids[3])); },
         nobody},
        {"a ref", [](Scene& s) { static_cast<void>(s.world.entity(s.ids[3]).get<const Number>()); }, nobody},
        {"find of another", [](Scene& s) { s.world.find<Other>(s.ids[2])->value = 4; }, nobody},
        {"find where there is none", [](Scene& s) { CHECK(s.world.find<Number>(s.other) == nullptr); }, nobody},
        {"add of a present one", [](Scene& s) { CHECK_FALSE(s.world.add<Number>(s.ids[3])); }, nobody},
        {"the source of a copy", [](Scene& s) { s.world.copy(s.other, s.ids[2]); }, nobody},
        {"components", [](Scene& s) { static_cast<void>(s.world.components(s.ids[3])); }, nobody},
        {"check", [](Scene& s) { s.world.check(); }, nobody},
    };
    try_ways(ways);
}

TEST_CASE("walking to read, and asking a query that could write, is no change") {
    const Way ways[] = {
        {"each", [](Scene& s) { s.world.query<const Number>().each([](const Number&) {}); }, nobody},
        {"each_chunk", [](Scene& s) { s.world.query<const Number>().each_chunk([](std::span<const Number>) {}); },
         nobody},
        {"each_until", [](Scene& s) { s.world.query<const Number>().each_until([](const Number&) { return false; }); },
         nobody},
        {"range-for",
         [](Scene& s) {
             for (auto [entity, number] : s.world.query<const Number>()) CHECK(number.value >= 0);
         },
         nobody},
        {"fetch", [](Scene& s) { s.world.query<const Number>().fetch(s.ids[3], [](const Number&) {}); }, nobody},
        {"Mut",
         [](Scene& s) { s.world.query<Mut<Number>>().each([](Mut<Number> n) { CHECK((*n).value == n->value); }); },
         nobody},
        {"Maybe",
         [](Scene& s) { s.world.query<const Other, Maybe<const Number>>().each([](const Other&, const Number*) {}); },
         nobody},
        {"questions",
         [](Scene& s) {
             const auto query = s.world.query<Number>();
             CHECK((query.count() == 8 && !query.empty() && query.contains(s.ids[3]) && query.first() == s.ids[0]));
         },
         nobody},
        {"collect",
         [](Scene& s) {
             auto query = s.world.query<Number>();
             CHECK(collected(query).size() == 8);
         },
         nobody},
        {"add_all of a present one", [](Scene& s) { CHECK(s.world.query<Number>().add_all<Number>() == 0); }, nobody},
    };
    try_ways(ways);
}

TEST_CASE("a row that a stopped walk did not reach is not changed") {
    const Way ways[] = {
        {"each_until",
         [](Scene& s) { s.world.query<Number>().each_until([&](Entity e, Number&) { return e == s.ids[2]; }); },
         [](const Scene& s) {
             return sorted({s.ids[0], s.ids[2]});
         }},
        {"break",
         [](Scene& s) {
             for (auto [e, number] : s.world.query<Number>()) {
                 if (e == s.ids[2]) break;
             }
         },
         [](const Scene& s) {
             return sorted({s.ids[0], s.ids[2]});
         }},
    };
    try_ways(ways);
}

TEST_CASE("what a walk wrote before an exception is seen") {
    Scene scene;
    const auto stop = [&](Entity e, Number& n) {
        n.value = 50;
        if (e == scene.ids[5]) throw std::runtime_error("enough");
    };
    CHECK_THROWS_AS(scene.world.query<Number>().each(stop), std::runtime_error);
    const Entities seen = walked(scene.changed);
    for (const int i : {0, 2, 4, 6, 1, 3, 5}) {
        CHECK(std::binary_search(seen.begin(), seen.end(), scene.ids[static_cast<std::size_t>(i)]));
    }
}
