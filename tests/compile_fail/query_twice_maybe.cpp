// expect: a query names each component in at most one term that reads or writes it
// One component is either read or written, through Maybe as well.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<stoa::Maybe<A>>().count();
#else
    world.query<stoa::Maybe<A>, const A>().count();
#endif
}
