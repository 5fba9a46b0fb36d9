// Guards that Random gives the same bits when its user compiles for the machine at hand and lets the compiler contract
// and vectorise as it wants: tests/CMakeLists.txt compiles this file with those options.
#include "random_golden.hpp"

TEST_CASE("random numbers are the same with -march=native and contraction") { check_golden_values(); }

TEST_CASE("bounds that are products are rounded before between uses them") {
    volatile double hidden[] = {1.1, 1.3, 3.7, 0.3};
    stoa::Random contracted{5};
    stoa::Random separate{5};
    for (int i = 0; i < 1000; ++i) {
        const double x = hidden[0] + i, y = hidden[1], z = hidden[2] + i, w = hidden[3] + 1;
        volatile double a = x * y;
        volatile double b = a + z * w;
        const double low = a, high = b;
        CHECK(contracted.between(x * y, high) == separate.between(low, high));
    }
}
