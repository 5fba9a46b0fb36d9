// expect: is no component: give the value itself, or an Entity
// A query is no part of an entity.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world, stoa::Query<A>& query) {
#ifdef STOA_TEST_CONTROL
    world.spawn(query.first());
#else
    world.spawn(query);
#endif
}
