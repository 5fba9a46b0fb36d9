// expect: a resource is found by its own type, not by a base class
// A base class finds no resource, so asking for one is a mistake.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

struct Base {
    Base() = default;
    virtual void draw() = 0;
};

}  // namespace

int main() {
    stoa::World world;
#ifdef STOA_TEST_CONTROL
    (void)world.has_resource<Base*>();
#else
    (void)world.has_resource<Base>();
#endif
}
