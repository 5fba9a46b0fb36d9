// expect: only a family ceases to be active: name the resources with Needs
// A query without Needs has nothing to lose.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<A, stoa::Needs<A>>().on_deactivate([] {}).release();
#else
    world.query<A>().on_deactivate([] {}).release();
#endif
}
