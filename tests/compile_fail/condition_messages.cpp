// expect: a condition only reads
// A condition reads messages, and sends none.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Hit {
    int damage;
};

void misuse(stoa::Phase& phase) {
#ifdef STOA_TEST_CONTROL
    phase.add("x", [] {}, {.when = [](stoa::Messages<const Hit> hits) { return !hits.empty(); }});
#else
    phase.add("x", [] {}, {.when = [](stoa::Messages<Hit>) { return true; }});
#endif
}
