// expect: a recorded callable takes a World&
// What is run at the flush gets the world.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

int main() {
    stoa::World world;
#ifdef STOA_TEST_CONTROL
    world.commands().run([](stoa::World&) {});
#else
    world.commands().run([](int) {});
#endif
}
