// expect: a recorded callable may be aligned to at most 4096 bytes
// There is a limit to the alignment of what is recorded.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

#ifdef STOA_TEST_CONTROL
struct alignas(4096) Wide {
#else
struct alignas(8192) Wide {
#endif
    void operator()(stoa::World&) const {}
};

}  // namespace

int main() {
    stoa::World world;
    world.commands().run(Wide{});
}
