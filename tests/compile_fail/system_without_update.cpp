// expect: a class that is added as a system has one public update()
// Nothing says what a system of this class would do.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Good {
    void update() {}
};
struct Bad {
    void run() {}
};

void misuse(stoa::Phase& phase) {
#ifdef STOA_TEST_CONTROL
    phase.add(Good{});
#else
    phase.add(Bad{});
#endif
}
