// expect: on_enter
// A subscription changes what the world does later.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(const stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    static_cast<void>(world.query<const A>().count());
#else
    static_cast<void>(world.query<const A>().on_enter([](const A&) {}));
#endif
}
