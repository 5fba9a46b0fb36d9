// expect: is no component: give the value itself, or an Entity
// The same for set.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

#include <functional>

struct A {
    int value;
};

void misuse(stoa::World& world, stoa::Entity entity, A& a) {
#ifdef STOA_TEST_CONTROL
    world.set(entity, a);
#else
    world.set(entity, std::ref(a));
#endif
}
