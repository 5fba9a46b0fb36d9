// expect: a query has at most eight Changed and Added terms
// The marks of a row are one byte.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

template <int>
struct A {
    int value;
};
using stoa::Changed;

void misuse(stoa::World& world) {
    auto query = [&]<class... More>() {
        world.query<Changed<A<0>>, Changed<A<1>>, Changed<A<2>>, Changed<A<3>>, Changed<A<4>>, Changed<A<5>>, Changed<A<6>>, Changed<A<7>>, More...>();
    };
#ifdef STOA_TEST_CONTROL
    query.operator()<>();
#else
    query.operator()<Changed<A<8>>>();
#endif
}
