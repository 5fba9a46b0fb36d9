// expect: a component may be aligned to at most 4096 bytes
// A component in sparse storage is aligned to at most 4096 bytes.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

#ifdef STOA_TEST_CONTROL
struct alignas(4096) Aligned {
#else
struct alignas(8192) Aligned {
#endif
    unsigned char value = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

}  // namespace

int main() {
    stoa::World world;
    world.spawn<Aligned>();
}
