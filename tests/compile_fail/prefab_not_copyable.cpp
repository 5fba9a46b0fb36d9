// expect: a prefab copies its values, so they must be copyable
// Each entity gets a copy.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Handle {
    Handle() = default;
    Handle(Handle&&) noexcept = default;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    stoa::Prefab prefab{world, 3};
#else
    stoa::Prefab prefab{world, Handle{}};
#endif
}
