// expect: a resource is a plain object type, without const, reference or array
// A resource is made without const; const is for reading it.
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
    world.emplace_resource<const A>(1);
#endif
}
