// expect: a condition only reads
// A condition changes nothing in the world.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Load {
    int jobs;
};

void misuse(stoa::Phase& phase) {
#ifdef STOA_TEST_CONTROL
    phase.add("x", [] {}, {.when = [](const stoa::World&) { return true; }});
#else
    phase.add("x", [] {}, {.when = [](stoa::World&) { return true; }});
#endif
}
