// expect: Changed and Added choose what a walk visits; a cache is about having components
// A filtered query keeps what its terms ask for.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Unit {
    int team = 0;
};

void misuse(stoa::World& world) {
    const stoa::HashIndex<&Unit::team> by_team{world};
#ifdef STOA_TEST_CONTROL
    static_cast<void>(world.query<Unit>().where(by_team == 1).cache());
#else
    static_cast<void>(world.query<Unit, stoa::Changed<Unit>>().where(by_team == 1).cache());
#endif
}
