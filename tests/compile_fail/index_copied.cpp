// expect: deleted
// Two handles would be two owners.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Unit {
    int team = 0;
};

void misuse(stoa::World& world) {
    const stoa::HashIndex<&Unit::team> by_team{world};
#ifdef STOA_TEST_CONTROL
    auto copy = stoa::HashIndex<&Unit::team>{world};
#else
    auto copy = by_team;
#endif
}
