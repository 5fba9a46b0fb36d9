// expect: a walk over what has changed is short: use each
// The same for par_reduce.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

#include <functional>

struct A {
    int value;
};

void misuse(stoa::World& world, stoa::Executor& executor) {
#ifdef STOA_TEST_CONTROL
    world.query<const A>().par_reduce(executor, 0, [](const A& a) { return a.value; }, std::plus<>{});
#else
    world.query<const A, stoa::Changed<A>>().par_reduce(executor, 0, [](const A& a) { return a.value; }, std::plus<>{});
#endif
}
