// expect: FloatOrDouble
// Whole numbers come from index(n); between has floating-point bounds.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

double misuse(stoa::Random& random) {
#ifdef STOA_TEST_CONTROL
    return random.between(1.0, 2.0);
#else
    return random.between(1, 2);
#endif
}
