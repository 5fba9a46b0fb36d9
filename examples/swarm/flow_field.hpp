// The wind of the swarm: a grid of velocities, made anew each frame from a few travelling waves and from the lures,
// and looked up by every entity. Used by simulation.cpp.
#pragma once

#include "random.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace swarm {

struct Vector {
    float x = 0;
    float y = 0;
};

/// Half of the visible width and height.
inline constexpr float half_width = 16.0F / 9.0F;
inline constexpr float half_height = 1.0F;

/// A place that draws the swarm in and lets it circle; a negative spin circles the other way.
struct Vortex {
    Vector place;
    Vector step;  // since the last frame
    float spin = 0;
    float pull = 0;
};

class FlowField {
  public:
    explicit FlowField(Random& random);

    void update(float time, std::span<const Vortex> vortices);

    /// The wind at a place, interpolated; outside the grid that of its border.
    Vector at(float x, float y) const {
        const float u = clamp((x + reach_x) * scale, static_cast<float>(columns - 1) - 0.001F);
        const float v = clamp((y + reach_y) * scale, static_cast<float>(rows - 1) - 0.001F);
        const int column = static_cast<int>(u);
        const int row = static_cast<int>(v);
        const float fx = u - static_cast<float>(column);
        const float fy = v - static_cast<float>(row);
        const Vector* cell = cells_.data() + row * columns + column;
        return {mix(mix(cell[0].x, cell[1].x, fx), mix(cell[columns].x, cell[columns + 1].x, fx), fy),
                mix(mix(cell[0].y, cell[1].y, fx), mix(cell[columns].y, cell[columns + 1].y, fx), fy)};
    }

  private:
    static constexpr int columns = 129;
    static constexpr int rows = 81;
    static constexpr float scale = 32.0F;  // cells per unit of length
    static constexpr float reach_x = static_cast<float>(columns - 1) / scale / 2;
    static constexpr float reach_y = static_cast<float>(rows - 1) / scale / 2;

    /// One wave of the stream function; the wind is its curl and so neither gathers nor thins the swarm.
    struct Wave {
        Vector direction;
        float strength = 0;
        float pace = 0;
        float phase = 0;
    };

    static float clamp(float value, float high) { return std::min(std::max(value, 0.0F), high); }
    static float mix(float a, float b, float t) { return a + (b - a) * t; }
    Vector wind(float x, float y, float time, std::span<const Vortex> vortices) const;

    std::vector<Wave> waves_;
    std::vector<Vector> cells_;
};

}  // namespace swarm
