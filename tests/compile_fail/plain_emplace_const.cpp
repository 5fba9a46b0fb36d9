// expect: a component is a plain object type, without const, reference or array
// const says read, and emplace writes.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

struct A {
    int value = 0;
};

}  // namespace

int main() {
    stoa::World world;
    const stoa::Entity e = world.spawn();
#ifdef STOA_TEST_CONTROL
    world.emplace<A>(e);
#else
    world.emplace<const A>(e);
#endif
}
