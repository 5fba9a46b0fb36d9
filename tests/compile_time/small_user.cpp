// A small file as a user of Stoa writes it: three components, spawn, get and remove. Never run; `tools/check.py diet`
// measures how long the compiler takes for it.
#include <stoa/stoa.hpp>

struct Position {
    float x = 0;
    float y = 0;
};

struct Velocity {
    float x = 0;
    float y = 0;
};

struct Health {
    int points = 100;
};

int play() {
    stoa::World world;
    const stoa::Entity hero = world.spawn(Position{1, 2}, Velocity{3, 4}, Health{});
    world.get<Position>(hero).x += world.get<const Velocity>(hero).x;
    world.remove<Velocity>(hero);
    return world.get<const Health>(hero).points;
}
