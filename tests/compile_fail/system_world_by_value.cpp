// expect: never the whole by value
// A system works on the world, not on another one.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

void misuse(stoa::Phase& phase) {
#ifdef STOA_TEST_CONTROL
    phase.add("x", [](stoa::World&) {});
#else
    phase.add("x", [](stoa::World) {});
#endif
}
