// expect: a component type is named twice in this call
// A component is not replaced by itself: that is set.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value = 0;
};
struct B {
    int value = 0;
};

void misuse(stoa::World& world, stoa::Entity e) {
#ifdef STOA_TEST_CONTROL
    world.replace<A>(e, B{});
#else
    world.replace<A>(e, A{});
#endif
}
