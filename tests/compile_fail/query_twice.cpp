// expect: a query names each component in at most one term that reads or writes it
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<A>().each([](A&) {});
#else
    world.query<A, const A>().each([](A&, const A&) {});
#endif
}
