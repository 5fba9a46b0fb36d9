// expect: the key of an OrderedIndex needs <; a key with == and std::hash fits a HashIndex
// An ordered index needs an order.
#include <stoa/stoa.hpp>

struct Colour {
    int red = 0;
};
struct Paint {
    Colour colour;
};

void misuse(stoa::World& world) { stoa::OrderedIndex<&Paint::colour> by_colour{world}; }
