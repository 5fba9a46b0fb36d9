// expect: a condition only reads
// A condition takes a query of reading terms, also a populated one.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Load {
    int jobs;
};

void misuse(stoa::Phase& phase) {
#ifdef STOA_TEST_CONTROL
    phase.add("x", [] {}, {.when = [](stoa::Populated<const Load>) { return true; }});
#else
    phase.add("x", [] {}, {.when = [](stoa::Populated<stoa::Mut<Load>>) { return true; }});
#endif
}
