// The smallest program of a user: one entity, one component, read back. Built against an installed Stoa by check.py
// beside it, once through CMake and once through pkg-config.
#include <stoa/stoa.hpp>

struct Health {
    int points = 0;
};

int main() {
    stoa::World world;
    const stoa::Entity hero = world.spawn(Health{7});
    return world.get<const Health>(hero).points == 7 && world.size() == 1 ? 0 : 1;
}
