// expect: Changed and Added make the world track changes: make the query of a World that is not const
// The first query for arrivals makes the world track them.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(const stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    static_cast<void>(world.query<stoa::With<A>>());
#else
    static_cast<void>(world.query<stoa::Added<A>>());
#endif
}
