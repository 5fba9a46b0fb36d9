// expect: a component that is default-constructed here has no default constructor
// An initializer is handed default-constructed components.
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
    auto table = world.table<A, NoDefault>();
#ifdef STOA_TEST_CONTROL
    table.spawn(A{}, NoDefault{1});
#else
    table.spawn([](A&, NoDefault&) {});
#endif
}
