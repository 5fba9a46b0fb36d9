// expect: a component type is named twice in this call
// An lvalue, a const lvalue and an rvalue of one type are one component.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

struct A {
    int value = 0;
};

struct B {
    int value = 0;
};

}  // namespace

int main() {
    stoa::World world;
    const stoa::Entity e = world.spawn();
    const A a;
#ifdef STOA_TEST_CONTROL
    world.set(e, a, B{});
#else
    world.set(e, a, A{});
#endif
}
