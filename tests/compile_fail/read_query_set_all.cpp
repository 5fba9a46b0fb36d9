// expect: set_all
// A query of a const World changes nothing.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(const stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    static_cast<void>(world.query<const A>().count());
#else
    world.query<const A>().set_all(A{1});
#endif
}
