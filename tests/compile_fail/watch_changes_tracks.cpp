// expect: Changed and Added choose what a walk visits; a watch is about having components
// The same for a narrowed watch.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    static_cast<void>(world.query<A>().watch_changes<A>());
#else
    static_cast<void>(world.query<A, stoa::Changed<A>>().watch_changes<A>());
#endif
}
