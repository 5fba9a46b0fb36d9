// Makes the grid of winds; see flow_field.hpp. Called once a frame by the simulation.
#include "flow_field.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace swarm {

FlowField::FlowField(Random& random) : cells_(static_cast<std::size_t>(columns * rows)) {
    constexpr int octaves = 9;
    constexpr float turn = 2 * std::numbers::pi_v<float>;
    for (int i = 0; i < octaves; ++i) {
        const float angle = random.unit() * turn;
        const float frequency = 1.3F * std::pow(1.32F, static_cast<float>(i));
        waves_.push_back({.direction = {std::cos(angle) * frequency, std::sin(angle) * frequency},
                          .strength = 0.19F / std::pow(frequency, 1.25F),
                          .pace = random.between(-0.9F, 0.9F),
                          .phase = random.unit() * turn});
    }
}

void FlowField::update(float time, std::span<const Vortex> vortices) {
    std::size_t cell = 0;
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const float x = static_cast<float>(column) / scale - reach_x;
            const float y = static_cast<float>(row) / scale - reach_y;
            cells_[cell++] = wind(x, y, time, vortices);
        }
    }
}

Vector FlowField::wind(float x, float y, float time, std::span<const Vortex> vortices) const {
    Vector sum;
    for (const Wave& wave : waves_) {
        const float slope =
            std::cos(wave.direction.x * x + wave.direction.y * y + wave.pace * time + wave.phase) * wave.strength;
        sum.x += slope * wave.direction.y;
        sum.y -= slope * wave.direction.x;
    }
    for (const Vortex& vortex : vortices) {
        constexpr float core = 0.012F;  // of a vortex, squared: inside it the wind dies down
        const float dx = vortex.place.x - x;
        const float dy = vortex.place.y - y;
        const float weight = 1.0F / (dx * dx + dy * dy + core);
        sum.x += weight * (vortex.pull * dx - vortex.spin * dy);
        sum.y += weight * (vortex.pull * dy + vortex.spin * dx);
    }
    // Past the edge of the picture the wind turns home.
    sum.x -= 1.6F * (x - std::clamp(x, -half_width * 0.86F, half_width * 0.86F));
    sum.y -= 1.6F * (y - std::clamp(y, -half_height * 0.82F, half_height * 0.82F));
    return sum;
}

}  // namespace swarm
