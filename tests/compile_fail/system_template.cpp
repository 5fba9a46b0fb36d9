// expect: a system is a function, a callable object or a class with one update
// The parameters of a system say what it touches, so they have types.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

void misuse(stoa::Phase& phase) {
#ifdef STOA_TEST_CONTROL
    phase.add("x", [](stoa::Commands&) {});
#else
    phase.add("x", [](auto) {});
#endif
}
