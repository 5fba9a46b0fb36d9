// expect: a query of a const World hands out no EntityRef, which could change the world: take an Entity
// In a parallel walk neither.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(const stoa::World& world, stoa::Executor& executor) {
#ifdef STOA_TEST_CONTROL
    world.query<const A>().par_each(executor, [](stoa::Entity, const A&) {});
#else
    world.query<const A>().par_each(executor, [](stoa::EntityRef, const A&) {});
#endif
}
