// expect: a resource is a plain object type, without const, reference or array
// A resource is asked for by its type, not by a reference to it.
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
    world.set_resource(A{});
    world.resource<A>().value = 1;
#else
    world.resource<A&>().value = 1;
#endif
}
