// What the walks do to one entity. Both implementations call these, so that they do the same work. Included by the
// loops of both.
#pragma once

#include "components.hpp"

namespace bench {

/// A power of two: products with it are exact, so a fused multiply-add gives what two instructions give.
inline constexpr float time_step = 1.0F / 64.0F;

inline void shift(Position& p) {
    p.x += 1.0F;
    p.y += 1.0F;
}

inline void move(Position& p, const Velocity& v) {
    p.x += v.x * time_step;
    p.y += v.y * time_step;
}

inline void accelerate(Position& p, Velocity& v, const Acceleration& a) {
    v.x += a.x * time_step;
    v.y += a.y * time_step;
    p.x += v.x * time_step;
    p.y += v.y * time_step;
}

/// Spans that a walk hands out do not say that they are apart from each other; these loops do.
inline void move_all(Position* __restrict p, const Velocity* __restrict v, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        move(p[i], v[i]);
    }
}

inline void accelerate_all(Position* __restrict p, Velocity* __restrict v, const Acceleration* __restrict a,
                           std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        accelerate(p[i], v[i], a[i]);
    }
}

}  // namespace bench
