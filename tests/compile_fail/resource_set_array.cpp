// expect: a resource is a plain object type, without const, reference or array
// A literal would silently become a pointer.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

struct A {
    int value = 0;
};

}  // namespace

int main() {
    stoa::World world;
#ifdef STOA_TEST_CONTROL
    world.set_resource(A{});
#else
    world.set_resource("level one");
#endif
}
