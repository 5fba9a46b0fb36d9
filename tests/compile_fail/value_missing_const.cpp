// expect: get_value needs a component with a member `value`
// get_value for reading needs a member `value` as well.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

struct A {
    int value = 0;
};

}  // namespace

int main() {
    stoa::World world;
    const stoa::Entity e = world.spawn(A{}, 1);
#ifdef STOA_TEST_CONTROL
    return world.get_value<const A>(e);
#else
    return world.get_value<const int>(e);
#endif
}
