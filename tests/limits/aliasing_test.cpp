// Arguments that are themselves components of the world: every verb that takes values must read them before it moves
// the storage they live in. Tried at each size, so that growth happens under some of the calls.
#include "../support/values.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

using namespace stoa_test;

namespace {

constexpr int rounds = 300;
constexpr int number = 8;  // a text of 33 letters

}  // namespace

TEST_SUITE("limits: arguments inside the world") {
    TEST_CASE("spawning from a component of another entity") {
        stoa::World world;
        const stoa::Entity source = world.spawn(make<Name>(number), make<Note>(number));
        std::size_t wrong = 0;
        for (int i = 0; i < rounds; ++i) {
            const stoa::Entity made = world.spawn(world.get<const Name>(source), world.get<const Note>(source));
            wrong += read(world.get<const Name>(made)) != number || read(world.get<const Note>(made)) != number;
        }
        CHECK(wrong == 0);
        CHECK(read(world.get<const Name>(source)) == number);
        CHECK_NOTHROW(world.check());
    }

    TEST_CASE("spawning many from a component of another entity") {
        stoa::World world;
        const stoa::Entity source = world.spawn(make<Name>(number));
        for (std::size_t count = 1; count < 40; ++count) {
            world.spawn_many(count, world.get<const Name>(source));
        }
        std::size_t wrong = 0;
        for (std::uint32_t index = 0; index < world.size(); ++index) {
            wrong += read(world.get<const Name>(forge(index, 1))) != number ? 1 : 0;
        }
        CHECK(wrong == 0);
        CHECK_NOTHROW(world.check());
    }

    TEST_CASE("spawning columns from the columns of a table") {
        stoa::World world;
        std::vector<stoa::Entity> first(4);
        world.spawn_many(std::span{first}, make<Name>(number));
        std::size_t wrong = 0;
        for (int i = 0; i < 40; ++i) {
            std::vector<stoa::Entity> ids(1);
            const Name& inside = world.get<const Name>(first[0]);
            world.spawn_columns(std::span{ids}, std::span<const Name>{&inside, 1});
            wrong += read(world.get<const Name>(ids[0])) != number ? 1 : 0;
        }
        CHECK(wrong == 0);
        CHECK_NOTHROW(world.check());
    }

    TEST_CASE("setting a component from another entity of the target's table") {
        stoa::World world;
        std::size_t wrong = 0;
        for (int i = 0; i < rounds; ++i) {
            const stoa::Entity source = world.spawn(make<Position>(1), make<Name>(number), make<Note>(number));
            const stoa::Entity target = world.spawn(make<Position>(2));
            world.set(target, world.get<const Name>(source), world.get<const Note>(source));
            wrong += read(world.get<const Name>(target)) != number || read(world.get<const Note>(target)) != number;
            wrong += read(world.get<const Name>(source)) != number ? 1 : 0;
        }
        CHECK(wrong == 0);
        CHECK_NOTHROW(world.check());
    }

    TEST_CASE("setting a component to itself, and to another component of the same entity") {
        stoa::World world;
        const stoa::Entity entity = world.spawn(make<Name>(number), make<Counted>(3), make<Note>(number));
        world.set(entity, world.get<const Name>(entity));
        world.set(entity, world.get<const Note>(entity), world.get<const Counted>(entity));
        world.emplace<Name>(entity, world.get<const Name>(entity).text);
        world.emplace<Grave>(entity, world.get<const Name>(entity).text);
        world.emplace<Counted2>(entity, world.get<const Counted>(entity).value);
        CHECK(read(world.get<const Name>(entity)) == number);
        CHECK(read(world.get<const Note>(entity)) == number);
        CHECK(read(world.get<const Grave>(entity)) == number);
        CHECK(read(world.get<const Counted>(entity)) == 3);
        CHECK(read(world.get<const Counted2>(entity)) == 3);
        CHECK_NOTHROW(world.check());
    }

    TEST_CASE("emplacing from a component that the same call moves") {
        stoa::World world;
        std::size_t wrong = 0;
        for (int i = 0; i < rounds; ++i) {
            const stoa::Entity entity = world.spawn(make<Name>(number));
            world.emplace<Grave>(entity, world.get<const Name>(entity).text);
            wrong += read(world.get<const Grave>(entity)) != number || read(world.get<const Name>(entity)) != number;
        }
        CHECK(wrong == 0);
        CHECK_NOTHROW(world.check());
    }

    TEST_CASE("a table handle spawning from a row of its own table") {
        stoa::World world;
        auto table = world.table<Name, Counted>();
        const stoa::Entity source = table.spawn(make<Name>(number), make<Counted>(4));
        std::size_t wrong = 0;
        for (int i = 0; i < rounds; ++i) {
            const stoa::Entity made = table.spawn(world.get<const Name>(source), world.get<const Counted>(source));
            wrong += read(world.get<const Name>(made)) != number || read(world.get<const Counted>(made)) != 4;
        }
        CHECK(wrong == 0);
        CHECK_NOTHROW(world.check());
    }
}
