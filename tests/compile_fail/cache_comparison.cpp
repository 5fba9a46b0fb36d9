// expect: the comparison takes two const references to keys
// Comparing must not write.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    static_cast<void>(world.query<A>().cache<A>([](const A& a, const A& b) { return a.value < b.value; }));
#else
    static_cast<void>(world.query<A>().cache<A>([](A& a, A& b) { return a.value < b.value; }));
#endif
}
