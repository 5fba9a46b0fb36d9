// expect: a component type is named twice in this call
// One type cannot be given twice to one recorded set.
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
    world.commands().set(e, A{});
#else
    world.commands().set(e, A{}, A{});
#endif
}
