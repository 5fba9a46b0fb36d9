// expect: a resource is a plain object type, without const, reference or array
// A resource is found by its type, with or without const and nothing else.
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
    (void)world.find_resource<const A>();
#else
    (void)world.find_resource<volatile A>();
#endif
}
