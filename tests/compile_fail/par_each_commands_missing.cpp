// expect: the callable does not take what the terms give
// The Commands are its last parameter.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world, stoa::Executor& executor) {
#ifdef STOA_TEST_CONTROL
    world.query<const A>().par_each(executor, world.commands(), [](stoa::Entity, const A&, stoa::Commands&) {});
#else
    world.query<const A>().par_each(executor, world.commands(), [](stoa::Commands&, const A&) {});
#endif
}
