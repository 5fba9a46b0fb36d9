// expect: a component cannot be replaced by one that requires it
// It would have to be removed and added.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value = 0;
};
struct B {
    int value = 0;
    static constexpr stoa::Requires<A> stoa_requires{};
};

void misuse(stoa::World& world, stoa::Entity e) {
#ifdef STOA_TEST_CONTROL
    world.replace<B>(e, A{});
#else
    world.replace<A>(e, B{});
#endif
}
