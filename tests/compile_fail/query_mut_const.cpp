// expect: Mut is for writing: name the component without const, or use const T to read it
// A Mut that cannot write would be a const T.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<stoa::Mut<A>>().count();
#else
    world.query<stoa::Mut<const A>>().count();
#endif
}
