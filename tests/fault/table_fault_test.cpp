// Table handles while memory runs out, a value throws, or the caller's own initializer throws: no half-made entity, and
// the handle stays usable.
#include "../support/loop_faults.hpp"
#include "../support/values.hpp"

#include <doctest/doctest.h>

using namespace stoa_test;

namespace {

std::uint64_t sweep(const char* verb, const Operation& operation) {
    return sweep_faults(verb, Promise::may_throw, operation).points();
}

}  // namespace

TEST_SUITE("faults with table handles") {
    TEST_CASE("asking for a table that fails leaves the world as it was") {
        CHECK(sweep("table.size()", [](Scene& s) { (void)s.world.table<Counted, Counted2>().size(); }) >= 20);
        CHECK(sweep("table.size()", [](Scene& s) { (void)s.world.table<Name, Red, Wide>().size(); }) >= 20);
        CHECK(sweep("table.each()", [](Scene& s) { s.world.table<Name, Hollow>().each([](Name&, Hollow&) {}); }) >= 20);
    }

    TEST_CASE("a spawn in a table that fails leaves nothing behind") {
        CHECK(sweep("table.spawn()", [](Scene& s) { s.world.table<Counted, Name>().spawn(); }) >= 30);
        CHECK(sweep("table.spawn(values)", [a = make<Counted>(5), b = make<Name>(8)](Scene& s) {
                  s.world.table<Counted, Name>().spawn(a, b);
              }) >= 40);
        CHECK(sweep("table.spawn(callable)", [text = text_of(8)](Scene& s) {
                  s.world.table<Counted, Name>().spawn([&](Counted& counted, Name& name) {
                      counted.value = 5;
                      name.text = text;
                  });
              }) >= 40);
    }

    TEST_CASE("an initializer that throws leaves no entity behind") {
        CHECK(sweep("table.spawn(callable that throws)", [](Scene& s) {
                  s.world.table<Counted, Name>().spawn([&](stoa::Entity, Counted& counted, Name&) {
                      counted.value = 7;
                      ConstructionFaults::spend();
                  });
              }) >= 40);
    }

    TEST_CASE("the structure is unlocked again after an initializer threw") {
        stoa::World world;
        auto table = world.table<Counted>();
        CHECK_THROWS_AS(table.spawn([](Counted&) { throw PlannedFault{}; }), PlannedFault);
        CHECK(world.size() == 0);
        CHECK(Counted::ledger().alive == 0);
        const stoa::Entity entity = world.spawn(make<Counted>(3));
        CHECK(entity.index() == 0);
        CHECK(table.size() == 1);
        CHECK_NOTHROW(world.check());
    }

    TEST_CASE("reserving rows that fails changes nothing") {
        CHECK(sweep("table.reserve(700)", [](Scene& s) { s.world.table<Counted, Name>().reserve(700); }) >= 20);
        CHECK(sweep("reserve<Counted, Counted2>(700)", [](Scene& s) { s.world.reserve<Counted, Counted2>(700); }) >=
              20);
        CHECK(sweep("reserve<Counted, SparseCounted>(700)",
                    [](Scene& s) { s.world.reserve<Counted, SparseCounted>(700); }) >= 20);
    }
}
