// expect: Changed and Added choose what a walk visits; a cache is about having components
// A cache lists members, not what a walk would visit.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    static_cast<void>(world.query<A>().cache());
#else
    static_cast<void>(world.query<A, stoa::Changed<A>>().cache());
#endif
}
