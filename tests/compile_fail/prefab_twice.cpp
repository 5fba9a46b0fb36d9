// expect: a component type is named twice in this call
// An entity has a component once.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Health {
    int points = 0;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    stoa::Prefab prefab{world, Health{1}};
#else
    stoa::Prefab prefab{world, Health{1}, Health{2}};
#endif
}
