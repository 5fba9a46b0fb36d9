// expect: a component type is named twice in this call
// One type cannot be named twice for one table.
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
    (void)world.table<A, B>();
#else
    (void)world.table<A, A>();
#endif
}
