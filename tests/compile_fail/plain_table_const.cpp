// expect: a component is a plain object type, without const, reference or array
// A table is made of components, not of what a walk does with them.
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
    (void)world.table<A>();
#else
    (void)world.table<const A>();
#endif
}
