// Develops the collected light: a glow around what is bright, exposure by what the picture holds, a logarithmic tone
// curve and a dark sky behind. See picture.hpp.
#include "picture.hpp"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace swarm {
namespace {

float brightness(const Light& light) { return 0.25F * light.red + 0.6F * light.green + 0.15F * light.blue; }

/// Farther from grey; keeps the brightness.
Light saturated(const Light& light, float factor) {
    const float grey = brightness(light);
    return {std::max(0.0F, grey + (light.red - grey) * factor), std::max(0.0F, grey + (light.green - grey) * factor),
            std::max(0.0F, grey + (light.blue - grey) * factor)};
}

/// A logarithmic curve lifts the faint parts; then each channel saturates by itself, so that the brightest threads turn
/// white.
Light developed(const Light& light, float white) {
    constexpr float curve = 30.0F;
    constexpr Light sky{0.0022F, 0.0030F, 0.0085F};
    const float level = brightness(light) / white;
    const float toned = std::log1p(curve * level) / std::log1p(curve);
    Light result = saturated(light, 1.15F) * (toned * toned / std::max(level * white, 1e-9F));
    result += sky;
    const auto expose = [](float value) { return 1 - std::exp(-1.5F * value); };
    return {expose(result.red), expose(result.green), expose(result.blue)};
}

/// A running mean along one direction: `count` lines of `length` pixels, `step` apart within a line.
void blur_lines(std::vector<Light>& pixels, int count, int length, int line_step, int step, int radius) {
    std::vector<Light> line(static_cast<std::size_t>(length));
    const float share = 1.0F / static_cast<float>(2 * radius + 1);
    for (int i = 0; i < count; ++i) {
        Light* first = pixels.data() + static_cast<std::ptrdiff_t>(i) * line_step;
        const auto at = [&](int k) -> Light& {
            return first[static_cast<std::ptrdiff_t>(std::clamp(k, 0, length - 1)) * step];
        };
        Light sum;
        for (int k = -radius; k <= radius; ++k) {
            sum += at(k);
        }
        for (int k = 0; k < length; ++k) {
            line[static_cast<std::size_t>(k)] = sum * share;
            sum += at(k + radius + 1);
            sum += at(k - radius) * -1.0F;
        }
        for (int k = 0; k < length; ++k) {
            at(k) = line[static_cast<std::size_t>(k)];
        }
    }
}

/// Noise of less than one step of brightness; hides the bands of a dark gradient.
float dither(int x, int y) {
    std::uint32_t h = static_cast<std::uint32_t>(x) * 0x8da6b343U + static_cast<std::uint32_t>(y) * 0xd8163841U;
    h = (h ^ (h >> 13)) * 0x5bd1e995U;
    return static_cast<float>((h ^ (h >> 15)) & 0xffff) / 65536.0F;
}

/// From linear light to a byte of sRGB.
std::uint8_t encode(float linear, float noise) {
    const float value = std::clamp(linear, 0.0F, 1.0F);
    const float curved = value <= 0.0031308F ? 12.92F * value : 1.055F * std::pow(value, 1 / 2.4F) - 0.055F;
    return static_cast<std::uint8_t>(std::min(255.0F, curved * 255.0F + noise));
}

}  // namespace

Picture::Picture(int width, int height)
    : width_(width + 2 * margin),
      height_(height + 2 * margin),
      scale_(static_cast<float>(height) / (2 * half_height)),
      pixels_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_)) {}

/// Three running means in a row come close to a Gaussian.
std::vector<Light> Picture::glow(int radius) const {
    std::vector<Light> soft = pixels_;
    for (int pass = 0; pass < 3; ++pass) {
        blur_lines(soft, height_, width_, width_, 1, radius);
        blur_lines(soft, width_, height_, 1, width_, radius);
    }
    return soft;
}

/// The brightness that the given share of the pixels stays below.
float Picture::brightness_at(float share) const {
    std::vector<float> values;
    values.reserve(pixels_.size());
    for (const Light& pixel : pixels_) {
        values.push_back(brightness(pixel));
    }
    const auto rank = static_cast<std::ptrdiff_t>(share * static_cast<float>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + rank, values.end());
    return std::max(values[static_cast<std::size_t>(rank)], 1e-6F);
}

bool Picture::save(const std::string& file) const {
    const std::vector<Light> near = glow(4);
    const std::vector<Light> far = glow(24);
    const float white = brightness_at(0.997F);
    std::vector<std::uint8_t> bytes;
    bytes.reserve(pixels_.size() * 3);
    for (int y = margin; y < height_ - margin; ++y) {
        for (int x = margin; x < width_ - margin; ++x) {
            const auto i = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
            Light light = pixels_[i];
            light += near[i] * 0.30F;
            light += far[i] * 0.16F;
            const float dx = 2 * static_cast<float>(x) / static_cast<float>(width_) - 1;
            const float dy = 2 * static_cast<float>(y) / static_cast<float>(height_) - 1;
            const float vignette = 1 - 0.14F * (dx * dx + dy * dy);
            const Light print = developed(light, white) * vignette;
            const float noise = dither(x, y);
            bytes.push_back(encode(print.red, noise));
            bytes.push_back(encode(print.green, noise));
            bytes.push_back(encode(print.blue, noise));
        }
    }
    const int width = width_ - 2 * margin;
    return stbi_write_png(file.c_str(), width, height_ - 2 * margin, 3, bytes.data(), width * 3) != 0;
}

}  // namespace swarm
