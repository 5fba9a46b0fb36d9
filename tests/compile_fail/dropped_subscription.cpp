// expect: keep it, or call release()
// A subscription that nobody keeps ends at once.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#pragma GCC diagnostic error "-Wunused-result"
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<A>().on_enter([] {}).release();
#else
    world.query<A>().on_enter([] {});
#endif
}
