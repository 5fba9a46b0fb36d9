// expect: each_table walks whole tables, so Changed and Added cannot choose rows in it: use each or collect
// The same for Added.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<A>().each_table([](stoa::TableRows&) {});
#else
    world.query<A, stoa::Added<A>>().each_table([](stoa::TableRows&) {});
#endif
}
