// expect: the component cannot be built from these arguments
// emplace without arguments needs a default constructor.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

struct NoDefault {
    explicit NoDefault(int number) : value(number) {}
    int value;
};

}  // namespace

int main() {
    stoa::World world;
    const stoa::Entity e = world.spawn();
#ifdef STOA_TEST_CONTROL
    world.emplace<NoDefault>(e, 1);
#else
    world.emplace<NoDefault>(e);
#endif
}
