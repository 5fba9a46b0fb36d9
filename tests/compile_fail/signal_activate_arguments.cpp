// expect: the callable of on_activate and on_deactivate takes nothing
// A family as a whole has no entity to pass.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<A, stoa::Needs<A>>().on_activate([] {}).release();
#else
    world.query<A, stoa::Needs<A>>().on_activate([](stoa::Entity) {}).release();
#endif
}
