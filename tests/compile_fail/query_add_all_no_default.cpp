// expect: a component that is default-constructed here has no default constructor
// add_all makes default values.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};
struct B {
    explicit B(int number) : value(number) {}
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<A>().set_all(B{1});
#else
    world.query<A>().add_all<B>();
#endif
}
