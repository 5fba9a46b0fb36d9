// expect: a value that is recorded in a command is moved to its place later, so it must be movable
// A value that cannot be moved cannot wait in a buffer.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

struct Pinned {
    Pinned() = default;
    Pinned(const Pinned&) = delete;
    int value = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

}  // namespace

int main() {
    stoa::World world;
    const stoa::Entity e = world.spawn();
#ifdef STOA_TEST_CONTROL
    world.commands().add<Pinned>(e);
#else
    world.commands().set(e, Pinned{});
#endif
}
