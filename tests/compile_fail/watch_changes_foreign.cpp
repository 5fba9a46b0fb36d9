// expect: watch_changes names components of its query
// A component that the query does not name cannot narrow it.
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
    static_cast<void>(world.query<A, stoa::With<B>>().watch_changes<B>());
#else
    static_cast<void>(world.query<A, stoa::Without<B>>().watch_changes<B>());
#endif
}
