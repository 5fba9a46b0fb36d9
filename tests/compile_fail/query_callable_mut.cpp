// expect: the callable does not take what the terms give
// expect: Mut<Position>
// A Mut term gives a Mut, not a reference.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Position {
    int value;
};
struct Velocity {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<stoa::Mut<Position>>().each([](stoa::Mut<Position>) {});
#else
    world.query<stoa::Mut<Position>>().each([](Position&) {});
#endif
}
