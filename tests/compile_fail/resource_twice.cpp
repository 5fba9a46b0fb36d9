// expect: a resource type is named twice in this call
// One type cannot be asked for twice in one has_resource.
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
    (void)world.has_resource<A, B>();
#else
    (void)world.has_resource<A, A>();
#endif
}
