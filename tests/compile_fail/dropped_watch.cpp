// expect: the lists end when the watch is dropped
// A watch that nobody keeps lists nothing.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#pragma GCC diagnostic error "-Wunused-result"
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    auto watch = world.query<A>().watch();
#else
    world.query<A>().watch();
#endif
}
