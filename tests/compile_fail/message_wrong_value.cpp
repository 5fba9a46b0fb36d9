// expect: the message cannot be built from this value
// A system sends messages of the type that its parameter names.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

struct Hit {
    int damage = 0;
};

void fight(stoa::Messages<Hit> hits) {
#ifdef STOA_TEST_CONTROL
    hits.send({3});
#else
    hits.send("hard");
#endif
}

}  // namespace

int main() {
    stoa::World world;
    stoa::Schedule schedule{world};
    schedule.add_phase("logic").add("fight", fight);
}
