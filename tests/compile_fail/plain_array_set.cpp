// expect: a component is a plain object type, without const, reference or array
// An array is not a component.
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
    int numbers[3] = {1, 2, 3};
#ifdef STOA_TEST_CONTROL
    world.set(e, A{}, numbers[0]);
#else
    world.set(e, A{}, numbers);
#endif
}
