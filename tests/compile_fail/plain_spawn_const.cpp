// expect: a component is a plain object type, without const, reference or array
// const says read, and a spawn writes.
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
    world.spawn<A>();
#else
    world.spawn<const A>();
#endif
}
