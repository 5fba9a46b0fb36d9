// expect: a tag has no value to compare
// All tags of a type are equal.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};
struct Tag {};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    static_cast<void>(world.query<A, Tag>().cache<A>([](const A& a, const A& b) { return a.value < b.value; }));
#else
    static_cast<void>(world.query<A, Tag>().cache<Tag>([](const Tag&, const Tag&) { return false; }));
#endif
}
