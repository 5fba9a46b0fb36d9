// expect: take returns the value, so the component must be movable
// A component that cannot be moved can only be removed.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Pinned {
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
    Pinned() = default;
    Pinned(Pinned&&) = delete;
    int value = 0;
};
struct Movable {
    int value = 0;
};

void take(stoa::World& world, stoa::Entity entity) {
#ifdef STOA_TEST_CONTROL
    static_cast<void>(world.take<Movable>(entity));
#else
    static_cast<void>(world.take<Pinned>(entity));
#endif
}
