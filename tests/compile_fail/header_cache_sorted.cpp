// expect: include <stoa/cache.hpp>
// A call of Query that another header implements names that header.
// With STOA_TEST_CONTROL the header is included, and the file must compile.
#include <stoa/world.hpp>
#ifdef STOA_TEST_CONTROL
#include <stoa/cache.hpp>
#endif

struct A {
    int value;
};

void misuse(stoa::World& world) {
    static_cast<void>(world.query<A>().cache<A>([](const A& a, const A& b) { return a.value < b.value; }));
}
