// expect: a tag has no value that could change
// A tag comes and goes, it does not change.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};
struct Tag {};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    static_cast<void>(world.query<A, Tag>().watch_changes<A>());
#else
    static_cast<void>(world.query<A, Tag>().watch_changes<Tag>());
#endif
}
