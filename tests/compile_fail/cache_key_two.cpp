// expect: cache takes the key from the two parameters of the comparison, if it is neither overloaded nor a
// A key is compared with a key of the same type.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};
struct B {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    static_cast<void>(world.query<A, B>().cache([](const A& a, const A& b) { return a.value < b.value; }));
#else
    static_cast<void>(world.query<A, B>().cache([](const A& a, const B& b) { return a.value < b.value; }));
#endif
}
