// expect: an index keeps a copy of each key, so the key must be copyable
// Groups of equal keys keep their key.
#include <stoa/stoa.hpp>

struct Colour {
    Colour() = default;
    Colour(Colour&&) noexcept = default;
    bool operator<(const Colour&) const { return false; }
};
struct Paint {
    Colour colour;
};

void misuse(stoa::World& world) { stoa::OrderedIndex<&Paint::colour> by_colour{world}; }
