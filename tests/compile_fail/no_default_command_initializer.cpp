// expect: a component that is default-constructed here has no default constructor
// An initializer gets components that were default-constructed.
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
#ifdef STOA_TEST_CONTROL
    world.commands().spawn(NoDefault{1});
#else
    world.commands().spawn<NoDefault>([](NoDefault&) {});
#endif
}
