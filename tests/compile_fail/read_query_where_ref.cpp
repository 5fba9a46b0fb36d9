// expect: a query of a const World hands out no EntityRef, which could change the world: take an Entity
// Behind where() the rule is the same.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Unit {
    int team = 0;
};

void misuse(const stoa::World& world, const stoa::HashIndex<&Unit::team>& by_team) {
#ifdef STOA_TEST_CONTROL
    world.query<const Unit>().where(by_team == 1).each([](stoa::Entity, const Unit&) {});
#else
    world.query<const Unit>().where(by_team == 1).each([](stoa::EntityRef, const Unit&) {});
#endif
}
