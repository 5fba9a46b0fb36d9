// expect: include <stoa/cache.hpp>
// A call of a filtered query that another header implements names that header.
// With STOA_TEST_CONTROL the header is included, and the file must compile.
#include <stoa/index.hpp>
#include <stoa/where.hpp>
#ifdef STOA_TEST_CONTROL
#include <stoa/cache.hpp>
#endif

struct Unit {
    int team = 0;
};

void misuse(stoa::World& world) {
    const stoa::HashIndex<&Unit::team> by_team{world};
    static_cast<void>(world.query<Unit>().where(by_team == 1).cache());
}
