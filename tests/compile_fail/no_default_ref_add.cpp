// expect: a component that is default-constructed here has no default constructor
// add<T>() through an EntityRef needs a default constructor.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

struct A {
    int value = 0;
};

struct NoDefault {
    explicit NoDefault(int number) : value(number) {}
    int value;
};

}  // namespace

int main() {
    stoa::World world;
    const stoa::Entity e = world.spawn();
#ifdef STOA_TEST_CONTROL
    world.entity(e).set(NoDefault{1}, A{});
#else
    world.entity(e).add<A, NoDefault>();
#endif
}
