// expect: a pooled component needs a member `void reset() noexcept`
// A pooled component needs reset().
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

struct Pooled {
#ifdef STOA_TEST_CONTROL
    void reset() noexcept { value = 0; }
#else
    void renew() noexcept { value = 0; }
#endif
    int value = 0;
    static constexpr stoa::Traits stoa_traits{.pooled = true};
};

}  // namespace

int main() {
    stoa::World world;
    world.spawn<Pooled>();
}
