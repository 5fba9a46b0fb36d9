// expect: the component cannot be built from these arguments
// An aggregate takes as many arguments as it has members.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

struct A {
    int value = 0;
};

}  // namespace

int main() {
    stoa::World world;
    const stoa::Entity e = world.spawn();
#ifdef STOA_TEST_CONTROL
    world.emplace<A>(e, 1);
#else
    world.emplace<A>(e, 1, 2);
#endif
}
