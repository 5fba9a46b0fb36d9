// expect: this callable takes a copy of a component that its term writes
// The same for a function.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void write(A& a) { a.value = 1; }
void write_copy(A a) { a.value = 1; }

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<A>().each(write);
#else
    world.query<A>().each(write_copy);
#endif
}
