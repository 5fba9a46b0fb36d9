// expect: a pooled component must be nothrow move-constructible: it moves between the pool and the world
// A move that throws between the pool and the world would lose the object.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

#ifdef STOA_TEST_CONTROL
constexpr bool moves_safely = true;
#else
constexpr bool moves_safely = false;
#endif

struct A {
    A() = default;
    A(A&&) noexcept(moves_safely) {}
    A& operator=(A&&) = default;
    void reset() noexcept {}
    int value = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse, .pooled = true};
};

void misuse(stoa::World& world) { world.spawn<A>(); }
