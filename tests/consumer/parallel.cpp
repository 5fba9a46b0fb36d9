// The smallest program with threads: a walk on workers. Built like main.cpp, against the component `parallel`.
#include <stoa/parallel.hpp>
#include <stoa/stoa.hpp>

struct Health {
    int points = 0;
};

int main() {
    stoa::World world;
    world.spawn_many(1000, Health{7});
    stoa::Workers workers{2};
    world.query<Health>().par_each(workers, [](Health& health) { ++health.points; });
    bool good = true;
    world.query<const Health>().each([&](const Health& health) { good = good && health.points == 8; });
    return good ? 0 : 1;
}
