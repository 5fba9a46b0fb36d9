// expect: the resource cannot be built from these arguments
// A resource is built from what its constructor or its members take.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

struct A {
    int value = 0;
};

}  // namespace

int main() {
    stoa::World world;
#ifdef STOA_TEST_CONTROL
    world.emplace_resource<A>(1);
#else
    world.emplace_resource<A>(1, 2);
#endif
}
