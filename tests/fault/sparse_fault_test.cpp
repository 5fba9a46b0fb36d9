// Components outside the tables while memory runs out or their constructors throw. They may be of any type, even one
// that cannot be moved or whose move throws, and still a call that fails must leave the old value in its place.
#include "../support/loop_faults.hpp"
#include "../support/values.hpp"

#include <doctest/doctest.h>

using namespace stoa_test;

namespace {

std::uint64_t sweep(const char* verb, const Operation& operation) {
    return sweep_faults(verb, Promise::may_throw, operation).points();
}

}  // namespace

TEST_SUITE("faults with sparse components") {
    TEST_CASE("adding one that fails adds nothing") {
        CHECK(sweep("add<SparseCounted>", [](Scene& s) { s.world.add<SparseCounted>(s.plain); }) >= 12);
        CHECK(sweep("add<Pinned>", [](Scene& s) { s.world.add<Pinned>(s.plain); }) >= 10);
        CHECK(sweep("add<Flag>", [](Scene& s) { s.world.add<Flag>(s.plain); }) >= 6);
        CHECK(sweep("add<Clumsy>", [](Scene& s) { s.world.add<Clumsy>(s.plain); }) >= 20);
        CHECK(sweep("set(Note)", [a = make<Note>(5)](Scene& s) { s.world.set(s.plain, a); }) >= 12);
    }

    TEST_CASE("a non-movable component is emplaced or not there") {
        CHECK(sweep("emplace<Pinned> new", [](Scene& s) { s.world.emplace<Pinned>(s.plain, 5); }) >= 10);
    }

    TEST_CASE("replacing a non-movable component that fails keeps the old one") {
        CHECK(sweep("emplace<Pinned> over another", [](Scene& s) { s.world.emplace<Pinned>(s.stuck, 99); }) >= 10);
    }

    TEST_CASE("replacing a component whose move throws keeps the old one") {
        const MakeScene make = [] {
            Scene scene = make_scene({.name = "with a clumsy one"});
            scene.world.emplace<Clumsy>(scene.plain, 41);
            return scene;
        };
        FaultCount points;
        for (const FaultKind kind :
             {FaultKind::allocation_once, FaultKind::allocation_persistent, FaultKind::construction}) {
            points += loop_faults(kind, Promise::may_throw, make,
                                  [a = stoa_test::make<Clumsy>(42)](Scene& s) { s.world.set(s.plain, a); });
            points +=
                loop_faults(kind, Promise::may_throw, make, [](Scene& s) { s.world.emplace<Clumsy>(s.plain, 43); });
            points += loop_faults(kind, Promise::may_throw, make, [](Scene& s) { s.world.clone(s.plain); });
            points += loop_faults(kind, Promise::may_throw, make, [](Scene& s) { s.world.copy(s.plain, s.rich); });
        }
        CHECK(points.points() >= 6);
    }

    TEST_CASE("the address of a sparse component survives the failures of others") {
        stoa::World world;
        const stoa::Entity first = world.spawn();
        const Pinned* address = &world.emplace<Pinned>(first, 1);
        for (std::uint64_t nth = 0; nth < 40; ++nth) {
            const stoa::Entity other = world.spawn();
            try {
                ConstructionFaults faults{nth % 2};
                world.emplace<Pinned>(other, 2);
            } catch (const PlannedFault&) {
                CHECK(!world.has<Pinned>(other));
            }
            CHECK(world.find<const Pinned>(first) == address);
        }
        CHECK_NOTHROW(world.check());
    }
}
