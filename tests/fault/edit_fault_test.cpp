// add, set and emplace while memory runs out or a value throws: the entity has all that was asked for, or is exactly as
// it was, with the values it had.
#include "../support/loop_faults.hpp"
#include "../support/values.hpp"

#include <doctest/doctest.h>

using namespace stoa_test;

namespace {

struct Needy {
    int number = 0;
    static constexpr stoa::Requires<Counted2, SparseCounted, PooledCounted> stoa_requires{};
};

std::uint64_t sweep(const char* verb, const Operation& operation) {
    return sweep_faults(verb, Promise::may_throw, operation).points();
}

}  // namespace

TEST_SUITE("faults while editing") {
    TEST_CASE("an add that fails adds nothing") {
        CHECK(sweep("add<Red>", [](Scene& s) { s.world.add<Red>(s.plain); }) >= 20);
        CHECK(sweep("add<Counted>", [](Scene& s) { s.world.add<Counted>(s.plain); }) >= 30);
        CHECK(sweep("add<Wide> to nothing", [](Scene& s) { s.world.add<Wide>(s.empty); }) >= 20);
        CHECK(sweep("add<Hollow>", [](Scene& s) { s.world.add<Hollow>(s.rich); }) >= 30);
    }

    TEST_CASE("an add of several that fails adds none of them") {
        CHECK(sweep("add<Counted, Counted2, Name>", [](Scene& s) { s.world.add<Counted, Counted2, Name>(s.plain); }) >=
              50);
        CHECK(sweep("add<Counted, SparseCounted, Note>",
                    [](Scene& s) { s.world.add<Counted, SparseCounted, Note>(s.plain); }) >= 50);
        CHECK(sweep("add<Position, Counted2> where one is there",
                    [](Scene& s) { s.world.add<Position, Counted2>(s.rich); }) >= 30);
    }

    TEST_CASE("an add of values that fails adds none of them") {
        CHECK(sweep("add(Counted, Name)",
                    [a = make<Counted>(5), b = make<Name>(6)](Scene& s) { s.world.add(s.plain, a, b); }) >= 40);
        CHECK(sweep("add(Counted, SparseCounted) where one is there",
                    [a = make<Counted>(5), b = make<SparseCounted>(8)](Scene& s) { s.world.add(s.plain, a, b); }) >=
              40);
        CHECK(sweep("get_or_emplace<Name>", [](Scene& s) { s.world.get_or_emplace<Name>(s.plain, text_of(9)); }) >= 20);
    }

    TEST_CASE("a take that fails takes nothing") {
        CHECK(sweep("take<Counted>", [](Scene& s) { static_cast<void>(s.world.take<Counted>(s.rich)); }) >= 2);
    }

    TEST_CASE("an add of pooled components that fails adds nothing and loses nothing from the pool") {
        CHECK(sweep("add<PooledCounted>", [](Scene& s) { s.world.add<PooledCounted>(s.plain); }) >= 20);
        CHECK(sweep("add<Bag, PooledCounted, Counted>",
                    [](Scene& s) { s.world.add<Bag, PooledCounted, Counted>(s.plain); }) >= 30);
        CHECK(sweep("add<Crate>", [](Scene& s) { s.world.add<Crate>(s.plain); }) >= 10);
    }

    TEST_CASE("an add of components that outlive their entity fails without a trace") {
        CHECK(sweep("add<Grave, Tomb, Haunted>", [](Scene& s) { s.world.add<Grave, Tomb, Haunted>(s.rich); }) >= 30);
    }

    TEST_CASE("an add of a component that requires others adds all of them or none") {
        CHECK(sweep("add<Needy>", [](Scene& s) { s.world.add<Needy>(s.plain); }) >= 40);
        CHECK(sweep("replace<Position>(Needy)", [](Scene& s) { s.world.replace<Position>(s.rich, Needy{}); }) >= 20);
        CHECK(sweep("spawn(Needy)", [](Scene& s) { s.world.spawn(Needy{1}); }) >= 40);
        CHECK(sweep("spawn_many(Needy)", [](Scene& s) { s.world.spawn_many(3, Needy{1}); }) >= 40);
        CHECK(sweep("commands.set(Needy)", [](Scene& s) {
                  stoa::Commands own{s.world};
                  own.set(s.plain, Needy{1});
                  own.flush();
              }) >= 40);
    }

    TEST_CASE("a set that fails to add leaves the entity as it was") {
        CHECK(sweep("set(Counted)", [a = make<Counted>(5)](Scene& s) { s.world.set(s.plain, a); }) >= 30);
        CHECK(sweep("set(Name, Counted, Red)",
                    [a = make<Name>(5), b = make<Counted>(6)](Scene& s) { s.world.set(s.plain, a, b, Red{}); }) >= 40);
        CHECK(sweep("set(Owner)", [](Scene& s) { s.world.set(s.plain, make<Owner>(5)); }) >= 20);
    }

    TEST_CASE("a set that fails to replace leaves the old values") {
        CHECK(sweep("set(Name) over another", [a = make<Name>(5)](Scene& s) { s.world.set(s.rich, a); }) >= 12);
        CHECK(sweep("set(Counted, Name, Position) over others", [a = make<Counted>(5), b = make<Name>(8)](Scene& s) {
                  s.world.set(s.rich, a, b, make<Position>(77));
              }) >= 24);
        CHECK(sweep("set(Note, SparseCounted) over others",
                    [a = make<Note>(5), b = make<SparseCounted>(8)](Scene& s) { s.world.set(s.rich, a, b); }) >= 24);
        CHECK(sweep("set(Bag) over another", [a = make<Bag>(5)](Scene& s) { s.world.set(s.rich, a); }) >= 12);
    }

    TEST_CASE("a set that adds some and replaces others does both or neither") {
        CHECK(sweep("set(Position, Name, Counted2, Note)",
                    [a = make<Name>(5), b = make<Counted2>(6), c = make<Note>(8)](Scene& s) {
                        s.world.set(s.rich, make<Position>(55), a, b, c);
                    }) >= 200);
        CHECK(sweep("set(SparseCounted, Counted, Counted2)",
                    [a = make<SparseCounted>(5), b = make<Counted>(6), c = make<Counted2>(8)](Scene& s) {
                        s.world.set(s.rich, a, b, c);
                    }) >= 60);
    }

    TEST_CASE("a replace that fails replaces nothing") {
        CHECK(sweep("replace<Position>(Velocity)", [](Scene& s) {
                  s.world.replace<Position>(s.rich, Velocity{1, 2});
              }) >= 10);
        CHECK(sweep("replace<Position>(Counted2)",
                    [a = make<Counted2>(5)](Scene& s) { s.world.replace<Position>(s.rich, a); }) >= 20);
        CHECK(sweep("replace<Counted>(Name) over another",
                    [a = make<Name>(5)](Scene& s) { s.world.replace<Counted>(s.rich, a); }) >= 20);
        CHECK(sweep("replace<Name>(SparseCounted)",
                    [a = make<SparseCounted>(5)](Scene& s) { s.world.replace<Name>(s.rich, a); }) >= 20);
        CHECK(sweep("replace<SparseCounted>(Clumsy)",
                    [a = make<Clumsy>(5)](Scene& s) { s.world.replace<SparseCounted>(s.rich, a); }) >= 4);
        CHECK(sweep("replace<Note>(Counted) over another",
                    [a = make<Counted>(5)](Scene& s) { s.world.replace<Note>(s.rich, a); }) >= 4);
        CHECK(sweep("replace<Bag>(PooledCounted)",
                    [a = make<PooledCounted>(5)](Scene& s) { s.world.replace<Bag>(s.rich, a); }) >= 20);
    }

    TEST_CASE("an emplace that fails leaves the entity as it was") {
        CHECK(sweep("emplace<Counted> new", [](Scene& s) { s.world.emplace<Counted>(s.plain, 5); }) >= 30);
        CHECK(sweep("emplace<Counted> over another", [](Scene& s) { s.world.emplace<Counted>(s.rich, 6); }) >= 10);
        CHECK(sweep("emplace<Name> new", [text = text_of(5)](Scene& s) { s.world.emplace<Name>(s.plain, text); }) >=
              30);
        CHECK(sweep("emplace<Name> over another",
                    [text = text_of(5)](Scene& s) { s.world.emplace<Name>(s.rich, text); }) >= 12);
        CHECK(sweep("emplace<PooledCounted>", [](Scene& s) { s.world.emplace<PooledCounted>(s.plain, 9); }) >= 30);
    }

    TEST_CASE("each step of a chain of edits happens or does not") {
        CHECK(sweep("ref.add", [](Scene& s) { s.world.entity(s.plain).add<Counted>(); }) >= 30);
        CHECK(sweep("ref.set", [a = make<Name>(5)](Scene& s) { s.world.entity(s.plain).set(a); }) >= 30);
    }
}
