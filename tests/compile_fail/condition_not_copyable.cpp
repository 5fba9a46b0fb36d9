// expect: the callable of a condition is copyable
// Several systems may have one condition, and each has a copy.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Good {
    bool operator()() const { return true; }
};
struct Bad {
    Bad() = default;
    Bad(Bad&&) = default;
    bool operator()() const { return true; }
};

void misuse(stoa::Phase& phase) {
#ifdef STOA_TEST_CONTROL
    phase.add("x", [] {}, {.when = Good{}});
#else
    phase.add("x", [] {}, {.when = Bad{}});
#endif
}
