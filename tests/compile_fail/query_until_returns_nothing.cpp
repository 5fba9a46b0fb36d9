// expect: the callable of each_until returns bool
// each_until must learn whether to stop.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<A>().each_until([](A&) { return true; });
#else
    world.query<A>().each_until([](A&) {});
#endif
}
