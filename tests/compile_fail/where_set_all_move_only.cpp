// expect: set_all copies its values, so they must be copyable
// Each match gets a copy.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Unit {
    int team = 0;
};
struct Handle {
    Handle() = default;
    Handle(Handle&&) noexcept = default;
};

void misuse(stoa::World& world, const stoa::Filter& filter) {
#ifdef STOA_TEST_CONTROL
    world.query<Unit>().where(filter).set_all(Unit{});
#else
    world.query<Unit>().where(filter).set_all(Handle{});
#endif
}
