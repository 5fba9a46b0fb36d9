// expect: the callable of a signal takes what the terms give
// A const term is not handed out for writing, in a signal either.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<A>().on_leave([](A&) {}).release();
#else
    world.query<const A>().on_leave([](A&) {}).release();
#endif
}
