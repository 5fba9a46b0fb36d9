// expect: a class that is added as a system has one public update()
// Which of the two would be called?
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Good {
    void update() {}
};
struct Bad {
    void update() {}
    void update(stoa::World&) {}
};

void misuse(stoa::Phase& phase) {
#ifdef STOA_TEST_CONTROL
    phase.add<Good>();
#else
    phase.add<Bad>();
#endif
}
