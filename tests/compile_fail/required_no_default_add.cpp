// expect: a required component is default-constructed where it is missing, so it needs a default constructor
// What is missing is default-constructed, also by calls that add.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct B {
    explicit B(int number) : value(number) {}
    int value;
};
struct A {
    static constexpr stoa::Requires<B> stoa_requires{};
};

void misuse(stoa::World& world, [[maybe_unused]] stoa::Entity e) {
#ifdef STOA_TEST_CONTROL
    world.set(e, B{1});
#else
    world.add<A>(e);
#endif
}
