// expect: a component type is named twice in this call
// One type cannot be named twice in one reserve.
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
#ifdef STOA_TEST_CONTROL
    world.reserve<A, B>(3);
#else
    world.reserve<A, A>(3);
#endif
}
