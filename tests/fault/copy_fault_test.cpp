// clone and copy while memory runs out or a copy throws: the copy is whole or not there.
#include "../support/loop_faults.hpp"
#include "../support/values.hpp"

#include <doctest/doctest.h>

#include <functional>

using namespace stoa_test;

namespace {

std::uint64_t sweep(const char* verb, const Operation& operation) {
    return sweep_faults(verb, Promise::may_throw, operation).points();
}

stoa::Errc code_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const stoa::Error& error) {
        return error.code();
    }
    FAIL("nothing was thrown");
    return stoa::Errc::corrupt;
}

}  // namespace

TEST_SUITE("faults while copying") {
    TEST_CASE("a clone that fails leaves nothing behind") {
        CHECK(sweep("clone(rich)", [](Scene& s) { s.world.clone(s.rich); }) >= 130);
        CHECK(sweep("clone(plain)", [](Scene& s) { s.world.clone(s.plain); }) >= 4);
        CHECK(sweep("clone(marked)", [](Scene& s) { s.world.clone(s.marked); }) >= 30);
    }

    TEST_CASE("a copy that fails leaves the target as it was") {
        CHECK(sweep("copy(rich, plain)", [](Scene& s) { s.world.copy(s.rich, s.plain); }) >= 260);
        CHECK(sweep("copy(rich, empty)", [](Scene& s) { s.world.copy(s.rich, s.empty); }) >= 170);
        CHECK(sweep("copy(marked, rich)", [](Scene& s) { s.world.copy(s.marked, s.rich); }) >= 12);
    }

    TEST_CASE("a copy that replaces values and fails leaves the old values") {
        const MakeScene make = [] {
            Scene scene = make_scene({.name = "two alike"});
            scene.plain = scene.world.clone(scene.rich);
            scene.world.get<Counted>(scene.plain).value = 500;
            scene.world.get<SparseCounted>(scene.plain).value = 501;
            scene.world.set(scene.plain, stoa_test::make<Name>(503), stoa_test::make<Note>(506));
            return scene;
        };
        FaultCount points;
        for (const FaultKind kind :
             {FaultKind::allocation_once, FaultKind::allocation_persistent, FaultKind::construction}) {
            points += loop_faults(kind, Promise::may_throw, make, [](Scene& s) { s.world.copy(s.rich, s.plain); });
        }
        CHECK(points.points() >= 6);
    }

    TEST_CASE("what cannot be copied is refused and changes nothing") {
        Scene scene = make_scene({.name = "fresh"});
        const Snapshot before = take_snapshot(scene.world, scene.indices);
        CHECK(code_of([&] { scene.world.clone(scene.stuck); }) == stoa::Errc::not_copyable);
        CHECK(code_of([&] { scene.world.copy(scene.stuck, scene.rich); }) == stoa::Errc::not_copyable);
        CHECK(code_of([&] { scene.world.clone(scene.dead); }) == stoa::Errc::dead_entity);
        CHECK(code_of([&] { scene.world.clone(scene.ghost); }) == stoa::Errc::dead_entity);
        CHECK(code_of([&] { scene.world.copy(scene.rich, scene.ghost); }) == stoa::Errc::dead_entity);
        CHECK(difference(before, take_snapshot(scene.world, scene.indices)) == "");
        CHECK_NOTHROW(scene.world.check());
    }
}
