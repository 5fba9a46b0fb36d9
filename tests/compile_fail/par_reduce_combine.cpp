// expect: par_reduce: the last callable combines two values of the type of the initial one to a third
// It takes two of them.
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
    world.query<const A>().par_reduce(executor, 0, [](const A& a) { return a.value; }, [](int a) { return a; });
#endif
}
