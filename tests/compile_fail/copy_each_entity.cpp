// expect: this callable takes a copy of a component that its term writes
// The same with an Entity in front, beside a term that only reads.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

struct B {
    int value;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<A, const B>().each([](stoa::Entity, A& a, B b) { a.value = b.value; });
#else
    world.query<A, const B>().each([](stoa::Entity, A a, const B& b) { a.value = b.value; });
#endif
}
