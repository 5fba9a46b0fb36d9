// expect: each_table walks whole tables, so its terms name components that tables have
// A sparse component is in no table.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

struct Sparse {
    int value;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

void misuse(const stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.query<const Sparse>().each([](const Sparse&) {});
#else
    world.query<const Sparse>().each_table([](stoa::ReadTableRows&) {});
#endif
}
