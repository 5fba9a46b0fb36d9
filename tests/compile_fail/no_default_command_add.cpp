// expect: a component that is default-constructed here has no default constructor
// A recorded add needs a default constructor.
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
    world.commands().set(e, NoDefault{1});
#else
    world.commands().add<NoDefault>(e);
#endif
}
