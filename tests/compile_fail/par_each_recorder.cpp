// expect: par_each records into a Commands, or sends to a Messages<T>
// It cannot record into anything else.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world, stoa::Executor& executor) {
#ifdef STOA_TEST_CONTROL
    world.query<const A>().par_each(executor, [](const A&) {});
#else
    world.query<const A>().par_each(executor, world, [](const A&, stoa::World&) {});
#endif
}
