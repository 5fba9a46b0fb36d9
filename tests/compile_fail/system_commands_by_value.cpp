// expect: never the whole by value
// A system records into its buffer, not into another one.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Good {
    void update(stoa::Commands&, const stoa::World&) {}
};
struct Bad {
    void update(stoa::Commands, const stoa::World&) {}
};

void misuse(stoa::Phase& phase) {
#ifdef STOA_TEST_CONTROL
    phase.add<Good>();
#else
    phase.add<Bad>();
#endif
}
