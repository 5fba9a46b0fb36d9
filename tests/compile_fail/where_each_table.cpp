// expect: each_table
// A filtered query chooses rows by their values, so it does not walk whole tables.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Unit {
    int team = 0;
};

void misuse(stoa::World& world) {
    const stoa::HashIndex<&Unit::team> by_team{world};
#ifdef STOA_TEST_CONTROL
    world.query<Unit>().each_table([](stoa::TableRows&) {});
#else
    world.query<Unit>().where(by_team == 1).each_table([](stoa::TableRows&) {});
#endif
}
