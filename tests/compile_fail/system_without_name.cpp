// expect: a callable needs a name
// Only a class with update() has a name of its own.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

void misuse(stoa::Phase& phase) {
#ifdef STOA_TEST_CONTROL
    phase.add("x", [] {});
#else
    phase.add([] {});
#endif
}
