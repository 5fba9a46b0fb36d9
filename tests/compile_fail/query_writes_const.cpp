// expect: this callable writes what a const term only reads
// const T reads: a callable that wants T& would write.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<const A>().each([](const A&) {});
#else
    world.query<const A>().each([](A&) {});
#endif
}
