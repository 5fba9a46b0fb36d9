// expect: a component is a plain object type, without const, reference or array
// get takes the component type itself.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

struct A {
    int value = 0;
};

}  // namespace

int main() {
    stoa::World world;
    const stoa::Entity e = world.spawn(A{});
#ifdef STOA_TEST_CONTROL
    world.get<A>(e).value = 1;
#else
    world.get<A&>(e).value = 1;
#endif
}
