// expect: where takes filters: an index compared with a key, as in by_team == red
// A filter is an index compared with a key.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Unit {
    int team = 0;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    static_cast<void>(world.query<Unit>().where());
#else
    static_cast<void>(world.query<Unit>().where(3));
#endif
}
