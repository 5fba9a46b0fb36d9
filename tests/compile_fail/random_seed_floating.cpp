// expect: StreamNumber
// A stream is named by whole numbers.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

unsigned misuse(double time) {
#ifdef STOA_TEST_CONTROL
    stoa::Random random{7, static_cast<unsigned>(time)};
#else
    stoa::Random random{7, time};
#endif
    return random();
}
