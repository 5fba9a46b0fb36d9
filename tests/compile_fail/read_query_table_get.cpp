// expect: get
// The rows of a table of a const World are read.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(const stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<const A>().each_table([](stoa::ReadTableRows& rows) { static_cast<void>(rows.get<const A>(0)); });
#else
    world.query<const A>().each_table([](stoa::ReadTableRows& rows) { rows.get<A>(0).value = 1; });
#endif
}
