// expect: each_chunk hands out whole columns, where Mut cannot note single rows: name T or const T
// Spans carry no note of which row was written.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<A>().each_chunk([](std::span<A>) {});
#else
    world.query<stoa::Mut<A>>().each_chunk([](std::span<A>) {});
#endif
}
