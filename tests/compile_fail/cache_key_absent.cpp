// expect: a cache is sorted by a component that its query requires
// An entity without the key could not be put in order.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};
struct B {
    int value;
};
bool less(const B& a, const B& b);

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    static_cast<void>(world.query<A, stoa::With<B>>().cache<B>(less));
#else
    static_cast<void>(world.query<A, stoa::Maybe<B>>().cache<B>(less));
#endif
}
