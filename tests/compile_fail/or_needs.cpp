// expect: Or combines filters: With, Without, AnyOf, Lacks, Changed, Added and Or
// Resources are needed or not; no entity decides it.
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
    static_cast<void>(world.query<stoa::Or<stoa::With<A>>, stoa::Needs<B>>());
#else
    static_cast<void>(world.query<stoa::Or<stoa::With<A>, stoa::Needs<B>>>());
#endif
}
