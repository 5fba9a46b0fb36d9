// Questions about one type asked from two source files, for the tests of type identity: identity_first_test.cpp and
// identity_second_test.cpp hold types with equal names, this header holds types that are the same in both.
#pragma once

#include <stoa/stoa.hpp>

namespace identity_test {

// One type, seen by both files: one component.
struct Shared {
    int value = 0;
};

template <class T>
struct Wrapped {
    T inside{};
};

inline auto shared_local() {
    struct Local {
        int value = 0;
    };
    return Local{};
}

// Implemented in identity_second_test.cpp with that file's types.
stoa::Entity spawn_second_hidden(stoa::World& world, int value);
bool has_second_hidden(stoa::World& world, stoa::Entity e);
int second_hidden_value(stoa::World& world, stoa::Entity e);
stoa::Entity spawn_second_wrapped(stoa::World& world, int value);
bool has_second_wrapped(stoa::World& world, stoa::Entity e);
stoa::Entity spawn_second_local(stoa::World& world, int value);
bool has_second_local(stoa::World& world, stoa::Entity e);
stoa::Entity spawn_second_shared(stoa::World& world, int value);
stoa::Entity spawn_second_shared_local(stoa::World& world, int value);
stoa::ComponentInfo second_shared_info(stoa::World& world);
void set_second_resource(stoa::World& world, int value);
int second_resource(stoa::World& world);
void add_second_system(stoa::Phase& phase);
bool has_second_system(stoa::Phase& phase);

}  // namespace identity_test
