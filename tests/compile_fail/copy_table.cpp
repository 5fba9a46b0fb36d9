// expect: this callable takes a copy of a component that its term writes
// The same for the walk of a table handle.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.table<A>().each([](A& a) { a.value = 1; });
#else
    world.table<A>().each([](A a) { a.value = 1; });
#endif
}
