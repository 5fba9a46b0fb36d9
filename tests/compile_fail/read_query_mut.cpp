// expect: a query of a const World only reads: name const T, Maybe<const T> and Needs<const R>
// Mut<T> writes too.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(const stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    static_cast<void>(world.query<const A>());
#else
    static_cast<void>(world.query<stoa::Mut<A>>());
#endif
}
