// expect: Changed and Added choose what a walk visits; a watch is about having components
// Inside an Or too.
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
    static_cast<void>(world.query<stoa::Or<stoa::With<A>, stoa::With<B>>>().watch());
#else
    static_cast<void>(world.query<stoa::Or<stoa::Changed<A>, stoa::With<B>>>().watch());
#endif
}
