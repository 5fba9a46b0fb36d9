// expect: a component type is named twice in this call
// One type cannot be given twice to one set_all.
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
    world.query<A>().set_all(A{}, B{});
#else
    world.query<A>().set_all(B{}, A{}, B{});
#endif
}
