// expect: a table handle names components that are stored in tables
// A sparse component is in no table.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
#ifndef STOA_TEST_CONTROL
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
#endif
};

void misuse(stoa::World& world) { world.table<A>().spawn(A{1}); }
