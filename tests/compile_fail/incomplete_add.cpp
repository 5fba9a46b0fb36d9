// expect: a component is a complete type here
// A type that is only declared has no size.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

struct Later;

void misuse(stoa::World& world, stoa::Entity entity) {
#ifdef STOA_TEST_CONTROL
    world.add<A>(entity);
#else
    world.add<Later>(entity);
#endif
}
