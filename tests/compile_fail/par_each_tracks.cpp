// expect: a walk over what has changed is short: use each
// Changes are few, and walks over them are not cut into pieces.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/parallel.hpp>
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world, stoa::Executor& executor) {
#ifdef STOA_TEST_CONTROL
    world.query<const A>().par_each(executor, [](const A&) {});
#else
    world.query<const A, stoa::Changed<A>>().par_each(executor, [](const A&) {});
#endif
}
