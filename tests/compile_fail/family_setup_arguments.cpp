// expect: setup calls with a reference to each needed resource, in order
// The callable must take what the family needs.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};
struct Gravity {
    float value;
};

void misuse(stoa::World& world) {
    auto family = world.query<A, stoa::Needs<Gravity>>();
#ifdef STOA_TEST_CONTROL
    family.setup([](Gravity&) {});
#else
    family.setup([](A&) {});
#endif
}
