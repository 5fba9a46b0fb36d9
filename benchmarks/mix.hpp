// A small game: seven components, seven systems, four kinds of entities in equal parts. Used by mix.cpp, which walks it
// with Stoa and by hand.
#pragma once

#include "systems.hpp"

#include <cstddef>
#include <cstdint>

namespace bench::game {

struct Place {
    float x, y;
};
struct Speed {
    float x, y;
};
struct Mind {
    std::int32_t counter;
    std::uint32_t random;
    double energy;
    std::uint32_t last;
    std::int32_t toggle;
};
struct Player {
    std::uint32_t kind;  // 0 bystander, 1 monster, 2 hero
};
struct Health {
    std::int32_t points, most;
    std::uint32_t status;  // 0 new, 1 dead, 2 alive
};
struct Damage {
    std::int32_t attack, defence;
};
struct Sprite {
    char letter;
};

inline constexpr int width = 120;
inline constexpr int height = 60;

struct Frame {
    std::uint32_t cells[static_cast<std::size_t>(width * height)] = {};
};

// What entity i has. All have a Place; units have Player, Health, Damage and Sprite.
inline bool has_speed(std::size_t i) { return i % 4 != 3; }
inline bool has_mind(std::size_t i) { return i % 4 == 1 || i % 4 == 2; }
inline bool is_unit(std::size_t i) { return i % 4 == 2 || i % 4 == 3; }

inline Place place_at(std::size_t i) { return {as_float(i % width), as_float(i % height)}; }
inline Speed speed_at(std::size_t i) { return {as_float(i % 5) - 2.0F, as_float(i % 3) - 1.0F}; }
inline Mind mind_at(std::size_t i) {
    return {static_cast<std::int32_t>(i % 100), static_cast<std::uint32_t>(i) * 2654435761U + 1U, 0.0, 0U, 0};
}
inline Player player_at(std::size_t i) { return {static_cast<std::uint32_t>(i / 4 % 3)}; }
inline Health health_at(std::size_t i) { return {static_cast<std::int32_t>(i / 4 % 50), 50, 0U}; }
inline Damage damage_at(std::size_t i) { return {static_cast<std::int32_t>(i / 4 % 9), 3}; }

inline std::uint32_t next(std::uint32_t& state) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

inline float draw(std::uint32_t& state, std::uint32_t bound) {
    return static_cast<float>(static_cast<int>(next(state) % bound));
}

inline void walk(Place& place, const Speed& speed) {
    place.x += speed.x * time_step;
    place.y += speed.y * time_step;
}

inline void think(Mind& mind) {
    mind.counter = (mind.counter + 1) % 1000000;
    mind.energy += 0.0009765625;
    mind.toggle = mind.toggle == 0 ? 1 : 0;
    mind.last = next(mind.random);
}

inline void turn(const Place& place, Speed& speed, Mind& mind) {
    if (mind.counter % 10 == 0) {
        if (place.x > place.y) {
            speed.x = draw(mind.random, 17) - 8.0F;
            speed.y = draw(mind.random, 6);
        } else {
            speed.x = draw(mind.random, 6);
            speed.y = draw(mind.random, 17) - 8.0F;
        }
    }
}

inline void live(Health& health) {
    if (health.points <= 0 && health.status != 1) {
        health.points = 0;
        health.status = 1;
    } else if (health.status == 1 && health.points == 0) {
        health.points = health.most;
        health.status = 0;
    } else if (health.points >= health.most && health.status != 2) {
        health.points = health.most;
        health.status = 2;
    } else {
        health.status = 2;
    }
}

inline void suffer(Health& health, const Damage& damage) {
    const std::int32_t loss = damage.attack - damage.defence;
    if (health.points > 0 && loss > 0) {
        health.points = health.points - loss > 0 ? health.points - loss : 0;
    }
}

inline void dress(Sprite& sprite, const Player& player, const Health& health) {
    const char alive = player.kind == 2 ? '@' : player.kind == 1 ? 'k' : 'h';
    sprite.letter = health.status == 2 ? alive : health.status == 1 ? '|' : '_';
}

inline void draw_on(Frame& frame, const Place& place, const Sprite& sprite) {
    const int x = static_cast<int>(place.x);
    const int y = static_cast<int>(place.y);
    if (x >= 0 && x < width && y >= 0 && y < height) {
        frame.cells[y * width + x] += static_cast<unsigned char>(sprite.letter);
    }
}

}  // namespace bench::game
