// expect: cache takes the key from the two parameters of the comparison, if it is neither overloaded nor a
// A generic comparison takes anything, so it names no key.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    static_cast<void>(world.query<A>().cache<A>([](const auto& a, const auto& b) { return a.value < b.value; }));
#else
    static_cast<void>(world.query<A>().cache([](const auto& a, const auto& b) { return a.value < b.value; }));
#endif
}
