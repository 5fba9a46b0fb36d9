// expect: is no component: give the value itself, or an Entity
// The same for emplace.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

void misuse(stoa::World& world, stoa::Entity entity) {
#ifdef STOA_TEST_CONTROL
    world.emplace<stoa::Entity>(entity, entity);
#else
    world.emplace<stoa::EntityRef>(entity, world.entity(entity));
#endif
}
