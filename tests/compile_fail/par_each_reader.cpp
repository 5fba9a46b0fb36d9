// expect: par_each records into a Commands, or sends to a Messages<T>
// Pieces of a walk send, they do not read.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};

void misuse(stoa::World& world, stoa::Executor& executor, [[maybe_unused]] stoa::Messages<const int> hits) {
#ifdef STOA_TEST_CONTROL
    world.query<const A>().par_each(executor, world.commands(), [](const A&, stoa::Commands&) {});
#else
    world.query<const A>().par_each(executor, hits, [](const A&, stoa::Messages<const int>&) {});
#endif
}
