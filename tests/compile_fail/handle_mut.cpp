// expect: is no component: give the value itself, or an Entity
// A Mut is valid for one callback.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world, stoa::Commands& later, stoa::Entity entity) {
#ifdef STOA_TEST_CONTROL
    world.query<stoa::Mut<A>>().each([&](stoa::Mut<A> a) { later.set(entity, *a); });
#else
    world.query<stoa::Mut<A>>().each([&](stoa::Mut<A> a) { later.set(entity, a); });
#endif
}
