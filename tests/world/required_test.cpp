// Guards required components: every call that gives an entity a component adds what that one requires, in the same
// move, and nothing else does.
#include <stoa/stoa.hpp>
#include "../base/thrown.hpp"

#include <doctest/doctest.h>

#include <array>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

using stoa::Entity;
using stoa::Errc;
using stoa::World;

namespace {

struct Base {
    int value = 11;
};
struct Text {
    std::string text = "a text that is too long for the object itself";
};
struct Side {
    int value = 22;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};
struct Plain {
    int value = 0;
};
struct Mid {
    int value = 33;
    static constexpr stoa::Requires<Base> stoa_requires{};
};
struct Top {  // Mid and Text, and so Base
    int value = 44;
    static constexpr stoa::Requires<Mid, Text> stoa_requires{};
};
struct Mark {
    static constexpr stoa::Requires<Base> stoa_requires{};
};
struct Glow {  // sparse, requires both kinds
    int value = 55;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
    static constexpr stoa::Requires<Side, Base> stoa_requires{};
};
struct Lamp {  // in a table, requires a sparse one
    std::string text = "lamp";
    static constexpr stoa::Requires<Side> stoa_requires{};
};
struct Fixed {
    explicit Fixed(int number) : value(number) {}
    Fixed(const Fixed&) = delete;
    int value;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
    static constexpr stoa::Requires<Text, Side> stoa_requires{};
};
struct Egg;
struct Hen {
    int value = 1;
    static constexpr stoa::Requires<Egg> stoa_requires{};
};
struct Egg {
    int value = 2;
    static constexpr stoa::Requires<Hen> stoa_requires{};
};
struct Heir : Mid {};  // what its base requires

// Cannot be made while `is_stuck`.
struct Fragile {
    static inline bool is_stuck = false;
    Fragile() {
        if (is_stuck) throw std::runtime_error("stuck");
    }
    std::string text = "fragile";
};
struct Needy {
    std::string text;
    static constexpr stoa::Requires<Text, Fragile> stoa_requires{};
};

bool is_whole_top(World& world, Entity e) {
    return world.components(e).size() == 4 && world.has<Top, Mid, Text, Base>(e) &&
           world.get<const Mid>(e).value == 33 && world.get<const Base>(e).value == 11 &&
           world.get<const Text>(e).text == Text{}.text;
}
bool is_whole_glow(World& world, Entity e) {
    return world.components(e).size() == 3 && world.has<Glow, Side, Base>(e) && world.get<const Side>(e).value == 22 &&
           world.get<const Base>(e).value == 11;
}
bool is_whole_lamp(World& world, Entity e) {
    return world.components(e).size() == 2 && world.has<Lamp, Side>(e) && world.get<const Side>(e).value == 22;
}

}  // namespace

TEST_CASE("a spawn brings what its components require, through others too") {
    World world;
    CHECK(is_whole_top(world, world.spawn(Top{})));
    CHECK(is_whole_top(world, world.spawn<Top>()));
    const Top kept;
    CHECK(is_whole_top(world, world.spawn(kept)));
    CHECK(is_whole_glow(world, world.spawn(Glow{})));
    CHECK(is_whole_lamp(world, world.spawn(Lamp{})));
    const Entity e = world.spawn(Plain{5}, Mark{});
    CHECK((world.components(e).size() == 3 && world.has<Base>(e) && world.get<const Plain>(e).value == 5));
    CHECK((world.has<Base>(world.spawn<Heir>())));
    world.check();
}

TEST_CASE("values that are given or present stay") {
    World world;
    const Entity e = world.spawn(Base{7}, Top{});
    CHECK(world.get<const Base>(e).value == 7);
    CHECK((world.has<Mid, Text>(e)));
    const Entity f = world.spawn(Base{8});
    world.set(f, Top{}, Text{"own"});
    CHECK((world.get<const Base>(f).value == 8 && world.get<const Text>(f).text == "own" && world.has<Mid>(f)));
}

TEST_CASE("adding brings what is required, in one move") {
    World world;
    int moves = 0;
    const auto told =
        world.query<const Base, const Mid, const Text>().on_enter([&](const Base& base, const Mid&, const Text&) {
            CHECK(base.value == 11);
            ++moves;
        });
    const auto give = [&](auto&& add) {
        const Entity e = world.spawn();
        const std::size_t tables = world.tables().size();
        add(e);
        CHECK(is_whole_top(world, e));
        CHECK(world.tables().size() <= tables + 1);
        return e;
    };
    give([&](Entity e) { CHECK(world.add<Top>(e)); });
    give([&](Entity e) { CHECK(world.add(e, Top{})); });
    give([&](Entity e) { world.set(e, Top{}); });
    give([&](Entity e) { world.emplace<Top>(e); });
    give([&](Entity e) { world.get_or_emplace<Top>(e); });
    give([&](Entity e) { world.entity(e).add<Top>(); });
    CHECK(moves == 6);
    const Entity e = world.spawn(Plain{});
    CHECK(world.replace<Plain>(e, Top{}));
    CHECK(is_whole_top(world, e));
    CHECK(moves == 7);
    for (const bool sparse : {true, false}) {
        const Entity f = world.spawn();
        sparse ? world.set(f, Glow{}) : world.set(f, Lamp{});
        CHECK((sparse ? is_whole_glow(world, f) : is_whole_lamp(world, f)));
    }
    const Entity g = world.spawn();
    CHECK(world.emplace<Fixed>(g, 4).value == 4);
    CHECK((world.has<Text, Side>(g)));
    world.check();
}

TEST_CASE("a requirement is about adding: what was removed stays away until its requirer is added again") {
    World world;
    const Entity e = world.spawn(Mid{}, Glow{});
    CHECK((world.remove<Base, Side>(e)));
    CHECK((world.has<Mid, Glow>(e)));
    world.set(e, Mid{1}, Glow{2});
    world.emplace<Mid>(e, 3);
    CHECK_FALSE((world.add<Mid, Glow>(e)));
    CHECK_FALSE((world.has_any<Base, Side>(e)));
    world.query<const Mid>().each([&](Entity each, const Mid&) { world.set(each, Mid{4}); });  // nothing is added
    CHECK(world.get<const Mid>(e).value == 4);
    world.remove<Mid>(e);
    world.add<Mid>(e);
    CHECK((world.has<Base>(e) && !world.has<Side>(e)));
    const Entity f = world.spawn();
    world.emplace<Fixed>(f, 1);
    world.remove<Side>(f);
    world.emplace<Fixed>(f, 2);
    CHECK((world.get<const Fixed>(f).value == 2 && !world.has<Side>(f)));
    world.check();
}

TEST_CASE("a cycle of requirements is fine") {
    World world;
    const Entity e = world.spawn(Hen{5});
    CHECK((world.get<const Hen>(e).value == 5 && world.get<const Egg>(e).value == 2));
    const Entity f = world.spawn();
    world.add<Egg>(f);
    CHECK((world.has<Hen, Egg>(f)));
    CHECK(world.tables().size() == 2);
}

TEST_CASE("bulk spawns bring what is required") {
    World world;
    world.spawn_many(3, Top{});
    std::array<Entity, 4> ids{};
    world.spawn_many(std::span{ids}, Glow{}, Plain{1});
    for (const Entity e : ids) CHECK((world.components(e).size() == 4 && world.get<const Side>(e).value == 22));
    const std::array<Lamp, 4> lamps{};
    world.spawn_columns(std::span{ids}, std::span{lamps});
    for (const Entity e : ids) CHECK(is_whole_lamp(world, e));
    world.spawn_columns(std::span{ids}, Top{}, std::span{std::as_const(lamps)});
    for (const Entity e : ids) CHECK((world.components(e).size() == 6));
    int tops = 0;
    world.query<const Top, stoa::Without<Lamp>>().each([&](Entity e, const Top&) { tops += is_whole_top(world, e); });
    CHECK(tops == 3);
    world.check();
}

TEST_CASE("bulk changes bring what is required") {
    World world;
    std::vector<Entity> ids(50);
    world.spawn_many(ids, Plain{1});
    CHECK(world.query<const Plain>().add_all<Mark>() == 50);
    CHECK(world.query<const Base>().count() == 50);
    world.query<>().remove_all<Base>();
    CHECK(world.query<const Plain>().set_all(Mark{}) == 50);
    CHECK(world.query<const Base>().count() == 0);
    CHECK(world.query<const Plain>().set_all(Mid{6}) == 50);
    CHECK(world.query<const Base, const Mid>().count() == 50);
    CHECK(world.query<>().replace_all<Plain>(Glow{}) == 50);
    CHECK(world.query<const Glow, const Side>().count() == 50);
    world.check();
}

TEST_CASE("a table handle means the table with what its components require") {
    World world;
    auto table = world.table<Top>();
    CHECK(world.tables().size() == 2);
    CHECK(is_whole_top(world, table.spawn()));
    CHECK(is_whole_top(world, table.spawn(Top{})));
    const Entity e = table.spawn([](Top& top) { top.value = 6; });
    CHECK((is_whole_top(world, e) && world.get<const Top>(e).value == 6));
    CHECK(table.size() == 3);
    table.reserve(100);
    world.reserve<Top>(100);
    CHECK(world.tables().size() == 2);
    int walked = 0;
    table.each([&](const Top&) { ++walked; });
    CHECK(walked == 3);
    auto lamps = world.table<Lamp>();
    Entity seen;
    const Entity f = lamps.spawn([&](Entity made, Lamp& lamp) {
        seen = made;
        lamp.text = "lit";
    });
    CHECK((f == seen && is_whole_lamp(world, f) && world.get<const Lamp>(f).text == "lit"));
    CHECK(lamps.size() == 1);
    CHECK_THROWS_AS(lamps.spawn([](Lamp&) { throw std::runtime_error("initializer"); }), std::runtime_error);
    CHECK(lamps.size() == 1);
    world.check();
}

TEST_CASE("prefabs bring what is required") {
    World world;
    const stoa::Prefab top{world, Top{}};
    CHECK(is_whole_top(world, top.spawn()));
    CHECK(world.get<const Base>(top.spawn(Base{9})).value == 9);
    CHECK(world.get<const Base>(top.spawn(Base{9}, Plain{1})).value == 9);
    const stoa::Prefab base{world, Base{5}, Plain{6}};
    const Entity e = base.spawn(Top{});
    CHECK((world.has<Top, Mid, Text>(e) && world.get<const Base>(e).value == 5));
    const stoa::Prefab lamp{world, Lamp{}};
    std::array<Entity, 3> ids{};
    lamp.spawn_many(std::span{ids});
    lamp.prewarm(4);
    for (const Entity each : ids) CHECK(is_whole_lamp(world, each));
    world.check();
}

TEST_CASE("copies bring what is required and their model lacks") {
    World world;
    const Entity model = world.spawn(Top{}, Glow{});
    CHECK((world.remove<Base, Text, Side>(model)));
    const Entity copy = world.clone(model);
    CHECK((world.has<Top, Mid, Base, Text, Glow, Side>(copy)));
    int entered = 0;
    const auto told = world.query<const Side>().on_enter([&] { ++entered; });
    const Entity to = world.spawn(Base{3});
    world.copy(model, to);
    CHECK((world.has<Top, Mid, Text, Glow, Side>(to) && world.get<const Base>(to).value == 3));
    CHECK(entered == 1);
    world.remove<Side>(to);
    world.copy(model, to);  // overwrites, and adds nothing
    CHECK_FALSE(world.has<Side>(to));
    const Entity marked = world.spawn(Mark{});
    world.remove<Base>(marked);
    CHECK((world.has<Mark, Base>(world.clone(marked))));
    world.check();
}

TEST_CASE("commands bring what is required") {
    World world;
    stoa::Commands& later = world.commands();
    const Entity e = world.spawn();
    const Entity f = world.spawn(Plain{});
    const Entity g = world.spawn(Mid{});
    world.remove<Base>(g);
    const std::array<Entity, 6> tops{later.spawn(Top{}), later.spawn<Top>(), later.spawn<Top>([](Top&) {}),
                                     later.spawn(Top{}), later.spawn(Top{}), later.spawn(Top{})};
    later.set(e, Top{});
    later.replace<Plain>(f, Top{});
    later.set(g, Mid{2});
    later.add<Mid>(g);
    const Entity lamp = later.spawn(Lamp{});
    const Entity glow = later.spawn<Glow>();
    const Entity lit = later.spawn<Lamp>([](Lamp& made) { made.text = "lit"; });
    CHECK(world.flush().applied == 13);
    for (const Entity each : tops) CHECK(is_whole_top(world, each));
    CHECK((is_whole_top(world, e) && is_whole_top(world, f)));
    CHECK((!world.has<Base>(g) && world.get<const Mid>(g).value == 2));
    CHECK((is_whole_lamp(world, lamp) && is_whole_glow(world, glow) && is_whole_lamp(world, lit)));
    CHECK(world.get<const Lamp>(lit).text == "lit");
    world.check();
}

TEST_CASE("commands of one entity that fold bring what is required") {
    World world;
    stoa::Commands& later = world.commands();
    const Entity e = world.spawn();
    later.set(e, Plain{1});
    later.set(e, Top{2});
    later.set(e, Base{3});
    later.remove<Text>(e);
    later.set(e, Top{4});  // is there: adds nothing
    later.remove<Plain>(e);
    const Entity f = later.spawn(Plain{});
    later.add<Mark>(f);
    later.remove<Base>(f);
    later.remove<Mark>(f);
    later.add<Mark>(f);
    CHECK(world.flush().applied == 11);
    CHECK((world.has<Top, Mid, Base>(e) && !world.has_any<Text, Plain>(e)));
    CHECK((world.get<const Base>(e).value == 3 && world.get<const Top>(e).value == 4));
    CHECK((world.has<Plain, Mark, Base>(f)));
    world.check();
}

TEST_CASE("what is required and throws leaves everything as it was") {
    World world;
    const Entity e = world.spawn(Plain{1});
    Fragile::is_stuck = true;
    CHECK_THROWS_AS(world.spawn(Needy{"a"}), std::runtime_error);
    CHECK_THROWS_AS(world.set(e, Needy{"a"}), std::runtime_error);
    CHECK_THROWS_AS(world.replace<Plain>(e, Needy{"a"}), std::runtime_error);
    CHECK_THROWS_AS(world.spawn_many(3, Needy{"a"}), std::runtime_error);
    world.commands().set(e, Needy{"a"});
    CHECK_THROWS_AS(world.flush(), std::runtime_error);
    Fragile::is_stuck = false;
    CHECK((world.size() == 1 && world.components(e).size() == 1));
    world.set(e, Needy{"a"});
    CHECK((world.has<Needy, Text, Fragile>(e)));
    world.check();
}

TEST_CASE("a requirement that is missing counts as a structural change") {
    World world;
    const Entity e = world.spawn(Plain{});
    world.query<const Plain>().each(
        [&](const Plain&) { CHECK(api_test::throws(Errc::locked, [&] { world.set(e, Glow{}); })); });
    CHECK(world.components(e).size() == 1);
}
