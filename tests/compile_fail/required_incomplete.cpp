// expect: a component is a complete type here: include the header that defines it
// What is required must be known where its requirer is added.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct B;
#ifdef STOA_TEST_CONTROL
struct B {};
#endif
struct A {
    static constexpr stoa::Requires<B> stoa_requires{};
};

void misuse(stoa::World& world) { world.spawn(A{}); }
