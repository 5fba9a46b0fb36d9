// The component types of the benchmark and the values that entity number i gets. Both implementations and all
// workloads use these, so that their checksums can be compared.
#pragma once

#include <stoa/stoa.hpp>

#include <cstddef>

namespace bench {

struct Position {
    float x, y;
};

struct Velocity {
    float x, y;
};

/// The component that is added and removed: once in a table, once in sparse storage.
struct Acceleration {
    float x, y;
};

/// What takes its place.
struct Drag {
    float x, y;
};

struct SparseAcceleration {
    float x, y;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

struct Tag {};

struct SparseTag {
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

struct A {
    float v;
};
struct B {
    float v;
};
struct C {
    float v;
};
struct D {
    float v;
};
struct E {
    float v;
};

/// What the tables of a fragmented world share, and the component that each has of its own.
struct Data {
    float v;
};

template <int Number>
struct Own {
    float v;
};

inline constexpr int own_count = 1000;

/// One of the components whose combinations make the tables of the growth workload.
template <int Number>
struct Mark {
    int value;
};

inline constexpr int mark_count = 16;

inline float as_float(std::size_t i) { return static_cast<float>(static_cast<int>(i)); }

inline Position position_at(std::size_t i) { return {as_float(i & 1023), as_float(i >> 10)}; }

inline Velocity velocity_at(std::size_t i) { return {as_float(i & 7), 1.0F}; }

inline constexpr float acceleration_x = 1.0F;
inline constexpr float acceleration_y = 2.0F;

}  // namespace bench
