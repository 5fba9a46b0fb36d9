// expect: a resource is a plain object type, without const, reference or array
// A question about a resource names its plain type.
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
    (void)world.has_resource<A>();
#else
    (void)world.has_resource<const A>();
#endif
}
