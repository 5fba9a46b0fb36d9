// Guards stoa::Error as a type: what it derives from, which codes exist, that it can be kept and copied.

#include "thrown.hpp"

#include <doctest/doctest.h>

#include <exception>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>

using stoa::Errc;
using stoa::Error;
using stoa::World;

namespace {

struct Health {
    int points = 0;
};

}  // namespace

TEST_CASE("an error is a std::logic_error") {
    static_assert(std::is_base_of_v<std::logic_error, Error>);
    World world;
    CHECK_THROWS_AS(world.get<Health>(stoa::Entity{}), std::logic_error);
    CHECK_THROWS_AS(world.get<Health>(stoa::Entity{}), std::exception);
}

TEST_CASE("an error can be copied and says the same afterwards") {
    static_assert(std::is_copy_constructible_v<Error>);
    World world;
    try {
        world.get<Health>(stoa::Entity{});
        FAIL("nothing was thrown");
    } catch (const Error& error) {
        const Error copy = error;
        CHECK(copy.code() == error.code());
        CHECK(std::string{copy.what()} == error.what());
    }
}

TEST_CASE("every documented error code exists and is distinct") {
    const std::set<Errc> codes{
        Errc::dead_entity,  Errc::missing_component, Errc::missing_resource, Errc::locked,         Errc::capacity,
        Errc::not_copyable, Errc::not_single,        Errc::unknown_name,     Errc::duplicate_name, Errc::cycle,
        Errc::conflict,     Errc::runaway,           Errc::signals_off,      Errc::world_gone,     Errc::corrupt};
    CHECK(codes.size() == 15);
}

TEST_CASE("an error code is an enumeration of its own") {
    static_assert(std::is_enum_v<Errc>);
    static_assert(!std::is_convertible_v<Errc, int>);
    World world;
    CHECK(api_test::throws(Errc::dead_entity, [&] { world.get<Health>(stoa::Entity{}); }));
}
