// expect: a component is a plain object type, without const, reference or array
// Added reads nothing and writes nothing: const has no meaning there.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<stoa::Added<A>>().count();
#else
    world.query<stoa::Added<const A>>().count();
#endif
}
