// expect: get_value needs a component with a member `value`
// get_value is for components with a member `value`.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

struct A {
    int value = 0;
};

struct Plain {
    int number = 0;
};

}  // namespace

int main() {
    stoa::World world;
    const stoa::Entity e = world.spawn(A{}, Plain{});
#ifdef STOA_TEST_CONTROL
    world.get_value<A>(e) = 1;
#else
    world.get_value<Plain>(e) = 1;
#endif
}
