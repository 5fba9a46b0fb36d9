// expect: a component is a plain object type, without const, reference or array
// A text literal is an array, not a string.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

#include <string>

namespace {

struct A {
    int value = 0;
};

}  // namespace

int main() {
    stoa::World world;
#ifdef STOA_TEST_CONTROL
    world.spawn(A{}, std::string{"text"});
#else
    world.spawn(A{}, "text");
#endif
}
