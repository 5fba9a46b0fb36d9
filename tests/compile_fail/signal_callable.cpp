// expect: the callable of a signal takes what the terms give
// A callback of a signal must fit the terms of its query.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};
struct B {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<A>().on_enter([](stoa::Entity, const A&) {}).release();
#else
    world.query<A>().on_enter([](stoa::Entity, const B&) {}).release();
#endif
}
