// expect: FloatOrDouble
// There is no integer in [0, 1) but 0.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

float misuse(stoa::Random& random) {
#ifdef STOA_TEST_CONTROL
    return random.unit<float>();
#else
    return random.unit<int>();
#endif
}
