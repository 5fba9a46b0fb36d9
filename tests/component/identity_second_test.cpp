// The other half of the identity tests: types whose names equal those in identity_first_test.cpp, yet which are
// different types, and the shared ones seen from a second file.

#include "identity.hpp"

#include <doctest/doctest.h>

namespace {

// Larger than its namesake, so that a mix-up shows.
struct Hidden {
    double padding[4] = {};
    int value = 0;
};

struct Mover {
    double padding[4] = {};
    void update() { padding[3] += 1; }
};

}  // namespace

// Not in an unnamed namespace: the function alone makes the type local.
static auto make_local(int value) {
    struct Local {
        double padding[2];
        int value;
    };
    return Local{{0, 0}, value};
}

using Local = decltype(make_local(0));

namespace identity_test {

stoa::Entity spawn_second_hidden(stoa::World& world, int value) {
    Hidden hidden;
    hidden.value = value;
    return world.spawn(hidden);
}

bool has_second_hidden(stoa::World& world, stoa::Entity e) { return world.has<Hidden>(e); }

int second_hidden_value(stoa::World& world, stoa::Entity e) { return world.get<const Hidden>(e).value; }

stoa::Entity spawn_second_wrapped(stoa::World& world, int value) {
    Wrapped<Hidden> wrapped;
    wrapped.inside.value = value;
    return world.spawn(wrapped);
}

bool has_second_wrapped(stoa::World& world, stoa::Entity e) { return world.has<Wrapped<Hidden>>(e); }

stoa::Entity spawn_second_local(stoa::World& world, int value) { return world.spawn(make_local(value)); }

bool has_second_local(stoa::World& world, stoa::Entity e) { return world.has<Local>(e); }

stoa::Entity spawn_second_shared(stoa::World& world, int value) { return world.spawn(Shared{value}); }

stoa::Entity spawn_second_shared_local(stoa::World& world, int value) {
    auto local = shared_local();
    local.value = value;
    return world.spawn(local);
}

stoa::ComponentInfo second_shared_info(stoa::World& world) { return world.component<Shared>(); }

void set_second_resource(stoa::World& world, int value) {
    Hidden hidden;
    hidden.value = value;
    world.set_resource(hidden);
}

int second_resource(stoa::World& world) { return world.resource<const Hidden>().value; }

void add_second_system(stoa::Phase& phase) { phase.add("second", Mover{}); }

bool has_second_system(stoa::Phase& phase) { return phase.find_system<Mover>() != nullptr; }

}  // namespace identity_test

TEST_CASE("a hidden type works in the file that is not the first to use its name") {
    stoa::World world;
    const stoa::Entity e = identity_test::spawn_second_hidden(world, 5);
    CHECK(world.get<Hidden>(e).value == 5);
    CHECK(world.component<Hidden>().size == sizeof(Hidden));
}
