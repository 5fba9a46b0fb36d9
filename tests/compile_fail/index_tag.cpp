// expect: a tag has no value to look up
// All tags of a type are equal.
#include <stoa/stoa.hpp>

struct Frozen {
    friend bool operator<(Frozen, Frozen) { return false; }
};

void misuse(stoa::World& world) { stoa::OrderedIndex<stoa::whole<Frozen>> by_tag{world}; }
