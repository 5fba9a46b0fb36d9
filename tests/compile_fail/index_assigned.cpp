// expect: deleted
// Two handles would be two owners.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Unit {
    int team = 0;
};

void misuse(stoa::World& world) {
    stoa::OrderedIndex<&Unit::team> by_team{world};
    const stoa::OrderedIndex<&Unit::team> other{world};
#ifdef STOA_TEST_CONTROL
    by_team = stoa::OrderedIndex<&Unit::team>{world};
#else
    by_team = other;
#endif
}
