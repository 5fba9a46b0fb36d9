// expect: a condition only reads
// Also a resource that may be missing is only read.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Load {
    int jobs;
};

void misuse(stoa::Phase& phase) {
#ifdef STOA_TEST_CONTROL
    phase.add("x", [] {}, {.when = [](stoa::Maybe<stoa::Res<const Load>>) { return true; }});
#else
    phase.add("x", [] {}, {.when = [](stoa::Maybe<stoa::Res<Load>>) { return true; }});
#endif
}
