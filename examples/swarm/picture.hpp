// A picture that collects light: motes add to it, and save() develops it like a photograph and writes a PNG file. Used
// by the simulation, which draws, and by main.cpp, which saves.
#pragma once

#include "flow_field.hpp"

#include <string>
#include <vector>

namespace swarm {

/// Linear red, green and blue.
struct Light {
    float red = 0;
    float green = 0;
    float blue = 0;

    friend constexpr Light operator*(Light light, float factor) {
        return {light.red * factor, light.green * factor, light.blue * factor};
    }
    constexpr Light& operator+=(Light other) {
        red += other.red;
        green += other.green;
        blue += other.blue;
        return *this;
    }
};

class Picture {
  public:
    Picture(int width, int height);

    /// Adds light at a place of the simulation, shared among the four pixels around it.
    void add(float x, float y, Light light) {
        const float u = (x + half_width) * scale_ + margin - 0.5F;
        const float v = (half_height - y) * scale_ + margin - 0.5F;
        if (!(u >= 0 && v >= 0 && u < static_cast<float>(width_ - 1) && v < static_cast<float>(height_ - 1))) {
            return;
        }
        const int column = static_cast<int>(u);
        const int row = static_cast<int>(v);
        const float fx = u - static_cast<float>(column);
        const float fy = v - static_cast<float>(row);
        Light* pixel = pixels_.data() + static_cast<std::ptrdiff_t>(row) * width_ + column;
        pixel[0] += light * ((1 - fx) * (1 - fy));
        pixel[1] += light * (fx * (1 - fy));
        pixel[width_] += light * ((1 - fx) * fy);
        pixel[width_ + 1] += light * (fx * fy);
    }

    /// False when the file could not be written.
    bool save(const std::string& file) const;

  private:
    static constexpr int margin = 1;  // pixels around the picture that take light but are not saved

    std::vector<Light> glow(int radius) const;
    float brightness_at(float share) const;

    int width_;  // with the margin
    int height_;
    float scale_;  // pixels per unit of length
    std::vector<Light> pixels_;
};

}  // namespace swarm
