// expect: a tag has no value that Mut<T> could write; name the tag itself
// A tag has no bytes.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Tag {};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<Tag>().each([](stoa::Entity) {});
#else
    world.query<stoa::Mut<Tag>>().each([](stoa::Mut<Tag>) {});
#endif
}
