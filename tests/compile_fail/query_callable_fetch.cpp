// expect: the callable does not take what the terms give
// expect: Position&, const Velocity&
// The same for fetch.
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
    world.query<Position, const Velocity>().fetch(stoa::Entity{}, [](Position&, const Velocity&) {});
#else
    world.query<Position, const Velocity>().fetch(stoa::Entity{}, [](const Velocity&, Position&) {});
#endif
}
