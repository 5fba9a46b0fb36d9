// expect: each_table walks whole tables, so its terms name components that tables have
#include <stoa/stoa.hpp>

struct A {
    int value;
};
struct S {
    int value;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<A>().each_table([](stoa::TableRows&) {});
#else
    world.query<A, S>().each_table([](stoa::TableRows&) {});
#endif
}
