// expect: is no component: give the value itself, or an Entity
// The same for commands.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.commands().spawn(world.table<A>().spawn());
#else
    world.commands().spawn(world.table<A>());
#endif
}
