// expect: a resource is a plain object type, without const, reference or array
// An array would become a pointer.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.commands().set_resource(3);
#else
    world.commands().set_resource("text");
#endif
}
