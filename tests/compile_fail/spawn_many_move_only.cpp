// expect: spawn_many gives each entity a copy
// A value that can only be moved cannot be given to many.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Owner {
    Owner() = default;
    Owner(Owner&&) noexcept = default;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    world.spawn(Owner());
#else
    world.spawn_many(3, Owner());
#endif
}
