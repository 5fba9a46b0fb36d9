// Spawning in every form while memory runs out or a value throws: either the entities are there, all of them, or the
// world is as it was.
#include "../support/loop_faults.hpp"
#include "../support/values.hpp"

#include <doctest/doctest.h>

#include <array>
#include <span>
#include <vector>

using namespace stoa_test;

namespace {

std::uint64_t sweep(const char* verb, const Operation& operation) {
    return sweep_faults(verb, Promise::may_throw, operation).points();
}

}  // namespace

TEST_SUITE("faults while spawning") {
    TEST_CASE("a spawn without components that fails leaves nothing behind") {
        CHECK(sweep("spawn()", [](Scene& s) { s.world.spawn(); }) >= 4);
    }

    TEST_CASE("a spawn of one value that fails leaves nothing behind") {
        CHECK(sweep("spawn(Name)", [name = make<Name>(5)](Scene& s) { s.world.spawn(name); }) >= 20);
        CHECK(sweep("spawn(Counted)", [counted = make<Counted>(5)](Scene& s) { s.world.spawn(counted); }) >= 20);
        CHECK(sweep("spawn(Wide)", [](Scene& s) { s.world.spawn(make<Wide>(5)); }) >= 20);
    }

    TEST_CASE("a spawn of several values that fails leaves nothing behind") {
        CHECK(sweep("spawn(Position, Velocity)",
                    [](Scene& s) { s.world.spawn(make<Position>(1), make<Velocity>(2)); }) >= 4);
        CHECK(sweep("spawn(Name, Counted, Counted2)", [a = make<Name>(5), b = make<Counted>(6), c = make<Counted2>(7)](
                                                          Scene& s) { s.world.spawn(a, b, c); }) >= 50);
    }

    TEST_CASE("a spawn of table and sparse values that fails leaves nothing behind") {
        CHECK(sweep("spawn(Counted, SparseCounted, Note, Tomb, Red)",
                    [a = make<Counted>(5), b = make<SparseCounted>(6), c = make<Note>(8), d = make<Tomb>(9)](Scene& s) {
                        s.world.spawn(a, b, c, d, Red{});
                    }) >= 80);
        CHECK(sweep("spawn(Clumsy, SparseCounted)",
                    [a = make<Clumsy>(5), b = make<SparseCounted>(6)](Scene& s) { s.world.spawn(b, a); }) >= 50);
    }

    TEST_CASE("a spawn of defaults that fails leaves nothing behind") {
        CHECK(sweep("spawn<Counted, Name, Counted2>", [](Scene& s) { s.world.spawn<Counted, Name, Counted2>(); }) >=
              50);
        CHECK(sweep("spawn<Pinned, Counted>", [](Scene& s) { s.world.spawn<Pinned, Counted>(); }) >= 50);
        CHECK(sweep("spawn<PooledCounted, Bag, Crate>", [](Scene& s) { s.world.spawn<PooledCounted, Bag, Crate>(); }) >=
              40);
        CHECK(sweep("spawn<Hollow, Red>", [](Scene& s) { s.world.spawn<Hollow, Red>(); }) >= 30);
    }

    TEST_CASE("spawn_many that fails leaves not one of them behind") {
        CHECK(sweep("spawn_many(9, Counted, Name)",
                    [a = make<Counted>(5), b = make<Name>(8)](Scene& s) { s.world.spawn_many(9, a, b); }) >= 380);
        CHECK(sweep("spawn_many(5, SparseCounted, Note, Position)",
                    [a = make<SparseCounted>(5), b = make<Note>(8)](Scene& s) {
                        s.world.spawn_many(5, a, b, make<Position>(1));
                    }) >= 240);
        CHECK(sweep("spawn_many(1100, Position, Velocity)",
                    [](Scene& s) { s.world.spawn_many(1100, make<Position>(1), make<Velocity>(2)); }) >= 20);
    }

    TEST_CASE("spawn_many into a span that fails leaves not one of them behind") {
        CHECK(sweep("spawn_many(ids, Counted, Red)", [a = make<Counted>(5)](Scene& s) {
                  std::array<stoa::Entity, 9> ids;
                  s.world.spawn_many(std::span{ids}, a, Red{});
              }) >= 100);
    }

    TEST_CASE("spawn_columns that fails leaves not one of them behind and the columns as they were") {
        std::vector<Counted> counted;
        std::vector<Name> names;
        std::vector<SparseCounted> sparse;
        for (int i = 1; i <= 6; ++i) {
            counted.push_back(make<Counted>(i));
            names.push_back(make<Name>(i * 3 + 2));
            sparse.push_back(make<SparseCounted>(i));
        }
        CHECK(sweep("spawn_columns(Counted, Name, SparseCounted)", [&](Scene& s) {
                  std::array<stoa::Entity, 6> ids;
                  s.world.spawn_columns(std::span{ids}, std::span{counted}, std::span{names}, std::span{sparse});
              }) >= 320);
        for (int i = 1; i <= 6; ++i) {
            CHECK(read(counted[static_cast<std::size_t>(i) - 1]) == i);
            CHECK(read(names[static_cast<std::size_t>(i) - 1]) == i * 3 + 2);
        }
    }

    TEST_CASE("columns of different lengths are refused and leave nothing behind") {
        Scene scene = make_scene({.name = "fresh"});
        const Snapshot before = take_snapshot(scene.world, scene.indices);
        std::vector<stoa::Entity> ids(3);
        std::vector<Counted> three(3);
        std::vector<Counted2> two(2);
        try {
            scene.world.spawn_columns(std::span{ids}, std::span{three}, std::span{two});
            FAIL("lengths that disagree were accepted");
        } catch (const stoa::Error& error) {
            CHECK(error.code() == stoa::Errc::conflict);
        }
        CHECK(difference(before, take_snapshot(scene.world, scene.indices)) == "");
        CHECK_NOTHROW(scene.world.check());
    }
}
