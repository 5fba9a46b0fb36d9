// The loops that check.py disassembles: the same work through each and through each_chunk, once on rows of two numbers
// and once on rows of one. Never run. A row of one number leaves nothing to pack inside a row, so what is packed there
// is rows.
#include <cstddef>
#include <span>
#include <stoa/stoa.hpp>

struct Position {
    float x = 0;
    float y = 0;
};
struct Velocity {
    float x = 0;
    float y = 0;
};
struct Heat {
    float value = 0;
};
struct Rate {
    float value = 0;
};

using Movers = stoa::Query<Position, const Velocity>;
using Heaters = stoa::Query<Heat, const Rate>;

extern "C" void move_by_each(Movers& movers, float dt) {
    movers.each([dt](Position& position, const Velocity& velocity) {
        position.x += velocity.x * dt;
        position.y += velocity.y * dt;
    });
}

extern "C" void move_by_chunk(Movers& movers, float dt) {
    movers.each_chunk([dt](std::span<Position> positions, std::span<const Velocity> velocities) {
        for (std::size_t row = 0; row < positions.size(); ++row) {
            positions[row].x += velocities[row].x * dt;
            positions[row].y += velocities[row].y * dt;
        }
    });
}

extern "C" void heat_by_each(Heaters& heaters, float dt) {
    heaters.each([dt](Heat& heat, const Rate& rate) { heat.value += rate.value * dt; });
}

extern "C" void heat_by_chunk(Heaters& heaters, float dt) {
    heaters.each_chunk([dt](std::span<Heat> heats, std::span<const Rate> rates) {
        for (std::size_t row = 0; row < heats.size(); ++row) heats[row].value += rates[row].value * dt;
    });
}
