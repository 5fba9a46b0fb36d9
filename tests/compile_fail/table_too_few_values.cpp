// expect: spawn takes one value for each component of the table handle
// One value for a table of two components.
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
    world.table<A, B>().spawn(A{1}, B{2});
#else
    world.table<A, B>().spawn(A{1});
#endif
}
