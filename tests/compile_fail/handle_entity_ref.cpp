// expect: is no component: give the value itself, or an Entity
// A ref is a view: the Entity is the value.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

void misuse(stoa::World& world, stoa::EntityRef ref) {
#ifdef STOA_TEST_CONTROL
    world.spawn(ref.id());
#else
    world.spawn(ref);
#endif
}
