// expect: par_reduce moves the values that it combines, so they must be movable and assignable
// A constant member cannot be assigned.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

#include <type_traits>

struct A {
    int value;
};

struct Sum {
    int value = 0;
};
struct Fixed {
    const int value = 0;
};
constexpr auto add = [](const auto& a, const auto& b) { return std::decay_t<decltype(a)>{a.value + b.value}; };

void misuse(stoa::World& world, stoa::Executor& executor) {
#ifdef STOA_TEST_CONTROL
    world.query<const A>().par_reduce(executor, Sum{}, [](const A& a) { return Sum{a.value}; }, add);
#else
    world.query<const A>().par_reduce(executor, Fixed{}, [](const A& a) { return Fixed{a.value}; }, add);
#endif
}
