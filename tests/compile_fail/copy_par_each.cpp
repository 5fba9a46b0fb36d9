// expect: this callable takes a copy of a component that its term writes
// The same for par_each.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world, stoa::Executor& executor) {
#ifdef STOA_TEST_CONTROL
    world.query<A>().par_each(executor, [](A& a) { a.value = 1; });
#else
    world.query<A>().par_each(executor, [](A a) { a.value = 1; });
#endif
}
