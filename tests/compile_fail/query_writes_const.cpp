// expect: the callable does not take what the terms give
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<const A>().each([](const A&) {});
#else
    world.query<const A>().each([](A&) {});
#endif
}
