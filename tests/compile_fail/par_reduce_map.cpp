// expect: par_reduce: the first callable gives a value that converts to the type of the initial one
// What is combined has the type of the initial value.
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
    world.query<const A>().par_reduce(executor, 0, [](const A& a) { return &a; }, std::plus<>{});
#endif
}
