// expect: a condition is a function or a callable object whose parameters have types
// What a condition reads is known by the types of its parameters.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

void misuse(stoa::Phase& phase) {
#ifdef STOA_TEST_CONTROL
    phase.add("x", [] {}, {.when = [](const stoa::Time&) { return true; }});
#else
    phase.add("x", [] {}, {.when = [](const auto&) { return true; }});
#endif
}
