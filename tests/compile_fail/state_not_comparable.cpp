// expect: the value of a state is of a copyable type with ==
// A state is compared with the values that systems wait for.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Level {
    int number;
};

void misuse(stoa::Schedule& schedule) {
#ifdef STOA_TEST_CONTROL
    schedule.add_state(Level{1}.number);
#else
    schedule.add_state(Level{1});
#endif
}
