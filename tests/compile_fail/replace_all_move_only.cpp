// expect: replace_all copies its value, so it must be copyable
// One value serves many entities.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};
struct B {
    B() = default;
    B(B&&) noexcept = default;
    B& operator=(B&&) noexcept = default;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<A>().replace_all<A>(3);
#else
    world.query<A>().replace_all<A>(B{});
#endif
}
