// expect: Changed and Added choose what a walk visits; a cache is about having components
// The same for a sorted cache.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};
bool less(const A& a, const A& b);

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    static_cast<void>(world.query<A>().cache<A>(less));
#else
    static_cast<void>(world.query<A, stoa::Added<A>>().cache<A>(less));
#endif
}
