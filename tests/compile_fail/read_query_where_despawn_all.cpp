// expect: despawn_all
// A filtered query of a const World changes nothing.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Unit {
    int team = 0;
};

void misuse(const stoa::World& world, const stoa::HashIndex<&Unit::team>& by_team) {
#ifdef STOA_TEST_CONTROL
    static_cast<void>(world.query<const Unit>().where(by_team == 1).count());
#else
    world.query<const Unit>().where(by_team == 1).despawn_all();
#endif
}
