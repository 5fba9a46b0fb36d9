// expect: Changed and Added choose what a walk visits; a signal is about having components
// Entering is about components, not about writes.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<A>().on_enter([] {}).release();
#else
    world.query<A, stoa::Changed<A>>().on_enter([] {}).release();
#endif
}
