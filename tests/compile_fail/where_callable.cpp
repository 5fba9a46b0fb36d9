// expect: this callable writes what a const term only reads
// const reads, in filtered queries too.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Unit {
    int team = 0;
};

void misuse(stoa::World& world, const stoa::Filter& filter) {
#ifdef STOA_TEST_CONTROL
    world.query<Unit>().where(filter).each([](Unit& unit) { unit.team = 1; });
#else
    world.query<const Unit>().where(filter).each([](Unit& unit) { unit.team = 1; });
#endif
}
