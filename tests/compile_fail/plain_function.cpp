// expect: a component is a plain object type, without const, reference or array
// A function is not a component; a pointer to one is.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

int twice(int x) {
    return 2 * x;
}

}  // namespace

int main() {
    stoa::World world;
#ifdef STOA_TEST_CONTROL
    world.spawn(&twice);
#else
    world.spawn(twice);
#endif
}
