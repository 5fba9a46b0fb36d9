// expect: a condition returns a bool
// A condition answers yes or no.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

void misuse(stoa::Phase& phase) {
#ifdef STOA_TEST_CONTROL
    phase.add("x", [] {}, {.when = [] { return 1 < 2; }});
#else
    phase.add("x", [] {}, {.when = [] {}});
#endif
}
