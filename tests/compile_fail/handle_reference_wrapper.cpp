// expect: is no component: give the value itself, or an Entity
// std::ref refers to a value that nobody keeps.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

#include <functional>

struct A {
    int value;
};

void misuse(stoa::World& world, A& a) {
#ifdef STOA_TEST_CONTROL
    world.spawn(a);
#else
    world.spawn(std::ref(a));
#endif
}
