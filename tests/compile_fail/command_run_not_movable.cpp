// expect: a recorded callable must be movable
// A callable that cannot be moved cannot be recorded.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

struct Stuck {
    Stuck() = default;
#ifdef STOA_TEST_CONTROL
    Stuck(Stuck&&) = default;
#else
    Stuck(const Stuck&) = delete;
#endif
    void operator()(stoa::World&) const {}
};

}  // namespace

int main() {
    stoa::World world;
    world.commands().run(Stuck{});
}
