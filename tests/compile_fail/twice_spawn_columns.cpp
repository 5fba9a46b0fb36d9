// expect: a component type is named twice in this call
// One type cannot be given twice as a column.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

#include <span>

namespace {

struct A {
    int value = 0;
};

struct B {
    int value = 0;
};

}  // namespace

int main() {
    stoa::World world;
    stoa::Entity ids[2];
    const A a[2];
    [[maybe_unused]] const B b[2];
#ifdef STOA_TEST_CONTROL
    world.spawn_columns(std::span{ids}, std::span{a}, std::span{b});
#else
    world.spawn_columns(std::span{ids}, std::span{a}, std::span{a});
#endif
}
