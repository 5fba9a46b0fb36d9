// expect: a component is a plain object type, without const, reference or array
// Changed names a component, not a reference to one.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<stoa::Changed<A>>().count();
#else
    world.query<stoa::Changed<A&>>().count();
#endif
}
