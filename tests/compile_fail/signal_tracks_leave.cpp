// expect: Changed and Added choose what a walk visits; a signal is about having components
// Leaving is about components, not about writes.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<A>().on_leave([] {}).release();
#else
    world.query<A, stoa::Added<A>>().on_leave([] {}).release();
#endif
}
