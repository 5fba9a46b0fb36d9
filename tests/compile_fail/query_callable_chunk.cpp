// expect: a span of T for T, of const T for const T
// each_chunk gives spans, not references.
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
    world.query<Position, const Velocity>().each_chunk([](std::span<Position>, std::span<const Velocity>) {});
#else
    world.query<Position, const Velocity>().each_chunk([](std::span<Position>, std::span<Velocity>) {});
#endif
}
