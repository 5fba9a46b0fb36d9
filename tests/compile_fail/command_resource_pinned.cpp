// expect: a value that is recorded in a command is moved to its place later, so it must be movable
// A resource that cannot be moved is emplaced in the world itself.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Pinned {
    Pinned() = default;
    Pinned(const Pinned&) = delete;
};

void misuse(stoa::World& world, [[maybe_unused]] Pinned& pinned) {
#ifdef STOA_TEST_CONTROL
    world.emplace_resource<Pinned>();
#else
    world.commands().set_resource(pinned);
#endif
}
