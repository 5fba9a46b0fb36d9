// expect: the key of a HashIndex needs == and std::hash; a key with < fits an OrderedIndex
// A hash index needs a hash.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct Colour {
    int red = 0;
    bool operator<(const Colour& other) const { return red < other.red; }
};
struct Paint {
    Colour colour;
};

void misuse(stoa::World& world) {
#ifdef STOA_TEST_CONTROL
    stoa::OrderedIndex<&Paint::colour> by_colour{world};
#else
    stoa::HashIndex<&Paint::colour> by_colour{world};
#endif
}
