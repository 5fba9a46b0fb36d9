// expect: spawn_columns copies from its columns
// The same for columns.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

struct Owner {
    Owner() = default;
    Owner(Owner&&) noexcept = default;
};

void misuse(stoa::World& world, std::span<stoa::Entity> ids) {
#ifdef STOA_TEST_CONTROL
    world.spawn_columns(ids, std::span<A>());
#else
    world.spawn_columns(ids, std::span<Owner>());
#endif
}
