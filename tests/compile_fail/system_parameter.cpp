// expect: a system takes Query, Populated, Res
// A type becomes a parameter by specialising stoa::Param.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Input {
    int value;
};

void misuse(stoa::Phase& phase) {
#ifdef STOA_TEST_CONTROL
    phase.add("x", [](stoa::Res<Input>) {});
#else
    phase.add("x", [](Input) {});
#endif
}
